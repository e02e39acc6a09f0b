"""Asking the engine until every prompt has an answer or is given up.

All prompts that wait go out as one batch. What comes back decides what helps: a passing fault
is waited out; a prompt that is too long, or whose answer was unusable twice, is asked again
with less in it; an unusable answer is first asked for again with another seed; a refusal is
final.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_result,
    stop_after_attempt,
    wait_random_exponential,
)

from journald import config
from journald.engine.base import Completion, Engine, Failure, FailureReason, Outcome, Prompt
from journald.errors import EngineDeadError
from journald.summary.schema import AnswerError

Answer = TypeVar("Answer")

# After so many unusable answers to the same input, less of it is given.
_UNUSABLE_AT_MOST = 2
# Another seed must lie far from those that a batch gives its own prompts.
_SEED_STEP = 1009


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[Answer]):
    """A prompt, how its answer is read, and how it is made smaller."""

    prompt: Prompt
    read: Callable[[Completion], Answer]
    """Raises AnswerError when the answer cannot be used."""
    smaller: Callable[[], tuple[Question[Answer], ...]]
    """The same question on less input, perhaps in pieces; empty when there is no less."""
    place: tuple[int, ...] = ()
    """Orders the answers; pieces of a question stand where it stood."""
    subject: Answer | None = None
    """What stands in for the answer where none is got."""
    unusable: int = 0
    """Unusable answers so far to this very input."""

    def pieces(self) -> tuple[Question[Answer], ...]:
        """Return the smaller questions, each in its place."""
        return tuple(
            replace(piece, place=(*self.place, number))
            for number, piece in enumerate(self.smaller())
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp(Generic[Answer]):
    """A question that got no answer."""

    question: Question[Answer]
    reason: str
    """No transcript text."""


@dataclass(slots=True, kw_only=True)
class Report(Generic[Answer]):
    """What became of all questions."""

    answers: list[tuple[tuple[int, ...], Answer]] = field(default_factory=list)
    given_up: list[GivenUp[Answer]] = field(default_factory=list)
    prompt_tokens: int = 0
    output_tokens: int = 0


class _Round(Generic[Answer]):
    """What waits for an answer, from one batch to the next."""

    def __init__(
        self,
        engine: Engine,
        questions: Sequence[Question[Answer]],
        progress: Callable[[], None],
    ) -> None:
        self.report: Report[Answer] = Report()
        self.waiting: list[tuple[Question[Answer], str]] = []
        self.passing_fault = False
        self._engine = engine
        self._progress = progress
        for question in questions:
            self._put(question, "not asked")

    def run(self) -> bool:
        """Ask everything that waits, as one batch; return whether anything waits again."""
        batch = [question for question, _ in self.waiting]
        self.waiting, self.passing_fault = [], False
        if batch:
            prompts = [question.prompt for question in batch]
            outcomes = self._engine.generate(prompts, progress=self._progress)
            for question, outcome in zip(batch, outcomes, strict=True):
                self._take(question, outcome)
        return bool(self.waiting)

    def _put(self, question: Question[Answer], reason: str) -> None:
        """Let a question wait, in pieces if it does not fit the window as it is."""
        size = self._engine.prompt_tokens(question.prompt) + question.prompt.max_tokens
        if size <= self._engine.capacity.window:
            self.waiting.append((question, reason))
        else:
            self._shrink(question, "the prompt does not fit the model's window")

    def _shrink(self, question: Question[Answer], reason: str) -> None:
        pieces = question.pieces()
        if not pieces:
            self._give_up(question, reason)
        for piece in pieces:
            self._put(piece, reason)

    def _give_up(self, question: Question[Answer], reason: str) -> None:
        self.report.given_up.append(GivenUp(question=question, reason=reason))

    def _take(self, question: Question[Answer], outcome: Outcome) -> None:
        if isinstance(outcome, Failure):
            self._take_failure(question, outcome)
            return
        self.report.prompt_tokens += outcome.prompt_tokens
        self.report.output_tokens += outcome.output_tokens
        try:
            answer = question.read(outcome)
        except AnswerError as error:
            self._ask_otherwise(question, str(error))
        else:
            self.report.answers.append((question.place, answer))

    def _take_failure(self, question: Question[Answer], failure: Failure) -> None:
        match failure.reason:
            case FailureReason.DEAD:
                raise EngineDeadError(failure.message)
            case FailureReason.REJECTED:
                self._give_up(question, failure.message)
            case FailureReason.TOO_LONG:
                self._shrink(question, failure.message)
            case FailureReason.TRANSIENT:
                self.passing_fault = True
                self.waiting.append((question, failure.message))

    def _ask_otherwise(self, question: Question[Answer], reason: str) -> None:
        unusable = question.unusable + 1
        if unusable >= _UNUSABLE_AT_MOST and question.smaller():
            self._shrink(question, reason)
            return
        prompt = replace(question.prompt, seed=question.prompt.seed + _SEED_STEP)
        self._put(replace(question, prompt=prompt, unusable=unusable), reason)


def ask(
    engine: Engine,
    questions: Sequence[Question[Answer]],
    settings: config.Retry,
    *,
    sleep: Callable[[float], None],
    progress: Callable[[], None],
) -> Report[Answer]:
    """Ask all `questions`; answers come back in their places' order.

    Raises EngineDeadError.
    """
    round_ = _Round(engine, questions, progress)
    back_off = wait_random_exponential(
        multiplier=settings.wait.total_seconds(), max=settings.wait_at_most.total_seconds()
    )

    def pause(state: RetryCallState) -> float:
        return back_off(state) if round_.passing_fault else 0.0

    def rest(seconds: float) -> None:
        if seconds > 0:
            sleep(seconds)

    retrying = Retrying(
        retry=retry_if_result(bool),
        stop=stop_after_attempt(settings.attempts),
        wait=pause,
        sleep=rest,
        retry_error_callback=lambda _: None,
    )
    retrying(round_.run)
    report = round_.report
    report.given_up += [
        GivenUp(question=question, reason=reason) for question, reason in round_.waiting
    ]
    report.answers.sort(key=lambda pair: pair[0])
    return report


class Asker:
    """An engine, how patiently it is asked, and what its answers took."""

    def __init__(
        self,
        engine: Engine,
        settings: config.Retry,
        *,
        sleep: Callable[[float], None],
        progress: Callable[[], None],
    ) -> None:
        self.engine = engine
        self.prompt_tokens = 0
        self.output_tokens = 0
        self._settings = settings
        self._sleep = sleep
        self._progress = progress

    def ask(self, questions: Sequence[Question[Answer]]) -> Report[Answer]:
        """Ask all `questions` as one batch, and again where it helps. Raises EngineDeadError."""
        report = ask(
            self.engine, questions, self._settings, sleep=self._sleep, progress=self._progress
        )
        self.prompt_tokens += report.prompt_tokens
        self.output_tokens += report.output_tokens
        return report

    def fits(self, prompt: Prompt) -> bool:
        """Whether `prompt` and its answer fit the model's window."""
        needed = self.engine.prompt_tokens(prompt) + prompt.max_tokens
        return needed <= self.engine.capacity.window
