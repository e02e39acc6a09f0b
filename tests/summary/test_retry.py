from collections.abc import Callable
from datetime import timedelta

import pytest

from journald import config
from journald.engine.base import Completion, Failure, FailureReason, Prompt
from journald.errors import EngineDeadError
from journald.summary.retry import Question, Report, ask
from journald.summary.schema import AnswerError, AnswerFault
from tests.engines import ScriptedEngine, rejected, transient

SETTINGS = config.Retry(attempts=4, wait=timedelta(seconds=2), wait_at_most=timedelta(seconds=5))


def question(text: str, *, place: int = 0) -> Question[str]:
    """Ask for `text` back; smaller means in two halves, down to single words."""
    said = text.split()

    def read(completion: Completion) -> str:
        if completion.text.startswith("bad"):
            raise AnswerError(AnswerFault.UNPARSABLE)
        return completion.text

    def smaller() -> tuple[Question[str], ...]:
        half = len(said) // 2
        pieces = [" ".join(said[:half]), " ".join(said[half:])]
        return tuple(question(piece) for piece in pieces) if half else ()

    return Question(
        prompt=Prompt(system="", user=text, max_tokens=5),
        read=read,
        smaller=smaller,
        place=(place,),
        subject=text,
    )


def asked(
    engine: ScriptedEngine, *questions: Question[str], settings: config.Retry = SETTINGS
) -> tuple[Report[str], list[float]]:
    slept: list[float] = []
    report = ask(engine, questions, settings, sleep=slept.append, progress=lambda: None)
    return report, slept


def echo(prompt: Prompt) -> str:
    return prompt.user


def test_all_questions_go_out_as_one_batch_and_answers_keep_their_order() -> None:
    engine = ScriptedEngine(echo)
    report, slept = asked(engine, question("b", place=1), question("a", place=0))
    assert [len(batch) for batch in engine.history] == [2]
    assert [answer for _, answer in report.answers] == ["a", "b"]
    assert slept == []
    assert (report.prompt_tokens, report.output_tokens) == (2, 2)


def test_nothing_to_ask_asks_nothing() -> None:
    engine = ScriptedEngine(echo)
    assert asked(engine)[0].answers == []
    assert engine.history == []


def test_a_passing_fault_is_waited_out_and_only_what_failed_is_asked_again() -> None:
    engine = ScriptedEngine([transient(), "b", transient(), "a"])
    report, slept = asked(engine, question("x", place=0), question("y", place=1))
    assert [answer for _, answer in report.answers] == ["a", "b"]
    assert [len(batch) for batch in engine.history] == [2, 1, 1]
    assert len({prompt.seed for prompt in engine.prompts}) == 1
    assert len(slept) == 2
    assert all(0 <= seconds <= 5 for seconds in slept)


def test_a_passing_fault_that_does_not_pass_is_given_up_with_its_reason() -> None:
    engine = ScriptedEngine(lambda _: transient("the card is busy"))
    report, _ = asked(engine, question("x"))
    assert len(engine.history) == SETTINGS.attempts
    assert [given_up.reason for given_up in report.given_up] == ["the card is busy"]
    assert report.given_up[0].question.subject == "x"


def test_a_refusal_is_final() -> None:
    engine = ScriptedEngine(lambda _: rejected("no"))
    report, _ = asked(engine, question("x y"))
    assert len(engine.history) == 1
    assert [given_up.reason for given_up in report.given_up] == ["no"]


def test_a_prompt_that_does_not_fit_is_never_sent_as_it_is() -> None:
    engine = ScriptedEngine(echo, window=8)
    report, slept = asked(engine, question("a b c d e f"))
    assert [[prompt.user for prompt in batch] for batch in engine.history] == [["a b c", "d e f"]]
    assert [answer for _, answer in report.answers] == ["a b c", "d e f"]
    assert slept == []


def test_a_prompt_that_the_engine_finds_too_long_comes_back_in_pieces_only() -> None:
    def respond(prompt: Prompt) -> str | Failure:
        if len(prompt.user.split()) > 2:
            return Failure(reason=FailureReason.TOO_LONG, message="too long")
        return prompt.user

    engine = ScriptedEngine(respond)
    report, _ = asked(engine, question("a b c d", place=0), question("e", place=1))
    assert [answer for _, answer in report.answers] == ["a b", "c d", "e"]
    sent = [prompt.user for prompt in engine.prompts]
    assert len(sent) == len(set(sent))


def test_a_prompt_that_cannot_be_made_smaller_is_given_up() -> None:
    engine = ScriptedEngine(echo, window=5)
    report, _ = asked(engine, question("a"))
    assert engine.history == []
    assert "does not fit" in report.given_up[0].reason


def test_an_unusable_answer_is_asked_for_with_another_seed_then_with_less_input() -> None:
    def respond(prompt: Prompt) -> str:
        return "bad" if prompt.user == "a b" else prompt.user

    engine = ScriptedEngine(respond)
    report, slept = asked(engine, question("a b"))
    sent = [(prompt.user, prompt.seed) for prompt in engine.prompts]
    assert [user for user, _ in sent] == ["a b", "a b", "a", "b"]
    assert sent[0][1] != sent[1][1]
    assert [answer for _, answer in report.answers] == ["a", "b"]
    assert slept == []


def test_the_number_of_attempts_is_a_setting() -> None:
    engine = ScriptedEngine(lambda _: "bad")
    report, _ = asked(engine, question("a"), settings=config.Retry(attempts=1))
    assert len(engine.history) == 1
    assert "unparsable" in report.given_up[0].reason


@pytest.mark.parametrize(
    "respond",
    [
        lambda _: EngineDeadError("gone"),
        lambda _: Failure(reason=FailureReason.DEAD, message="gone"),
    ],
)
def test_a_dead_engine_ends_everything(respond: Callable[[Prompt], EngineDeadError]) -> None:
    with pytest.raises(EngineDeadError, match="gone"):
        asked(ScriptedEngine(respond), question("a"))
