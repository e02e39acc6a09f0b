"""Engines for tests: scripted ones, and an oracle that notes what its prompt holds.

One token is one word, so that a test can count in its head.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from journald.engine.base import Capacity, Completion, Failure, FailureReason, Outcome, Prompt
from journald.errors import EngineDeadError

Answer: TypeAlias = str | Outcome | EngineDeadError
Respond: TypeAlias = Callable[[Prompt], Answer]

_ID = r"(?:e\d+|[0-9_-]*[A-Za-z][A-Za-z0-9_-]*\.\d+)"
_ITEM = re.compile(rf"\[(?P<ids>{_ID})\] (?P<text>.+)")
_NOTE = re.compile(rf"(?:- )?(?P<text>.+) \[(?P<ids>{_ID}(?:, {_ID})*)\]")


def words(text: str) -> int:
    return len(text.split())


class ScriptedEngine:
    """Answers from a queue, prompt by prompt, or by a function of the prompt.

    An answer is a text, a Completion, a Failure, or an EngineDeadError that is raised. A prompt
    that does not fit the window fails as TOO_LONG before the script is asked. `history` holds
    every batch. An answer longer than the prompt's `max_tokens` is cut, with finish `length`.
    """

    def __init__(
        self,
        respond: Respond | Iterable[Answer],
        *,
        window: int = 8192,
        concurrency: int = 6,
        name: str = "vllm",
        model: str = "scripted-1",
    ) -> None:
        if callable(respond):
            self._respond: Respond = respond
        else:
            queue = iter(respond)
            self._respond = lambda _prompt: next(queue)
        self.capacity = Capacity(window=window, kv_tokens=None, concurrency=concurrency)
        self.name = name
        self.model = model
        self.history: list[tuple[Prompt, ...]] = []
        self.closed = 0

    @property
    def count(self) -> Callable[[str], int]:
        return words

    @property
    def prompts(self) -> list[Prompt]:
        """Every prompt of every batch."""
        return [prompt for batch in self.history for prompt in batch]

    def prompt_tokens(self, prompt: Prompt) -> int:
        return words(prompt.system) + words(prompt.user)

    def generate(
        self, prompts: Sequence[Prompt], *, progress: Callable[[], None] = lambda: None
    ) -> tuple[Outcome, ...]:
        self.history.append(tuple(prompts))
        outcomes = []
        for prompt in prompts:
            outcomes.append(self._outcome(prompt))
            progress()
        return tuple(outcomes)

    def _outcome(self, prompt: Prompt) -> Outcome:
        size = self.prompt_tokens(prompt)
        if size + prompt.max_tokens > self.capacity.window:
            return Failure(
                reason=FailureReason.TOO_LONG,
                message=f"{size} + {prompt.max_tokens} tokens, window {self.capacity.window}",
            )
        answer = self._respond(prompt)
        if isinstance(answer, EngineDeadError):
            raise answer
        if not isinstance(answer, str):
            return answer
        length = words(answer)
        if length > prompt.max_tokens:
            return Completion(
                text=" ".join(answer.split()[: prompt.max_tokens]),
                prompt_tokens=size,
                output_tokens=prompt.max_tokens,
                finish="length",
            )
        return Completion(text=answer, prompt_tokens=size, output_tokens=length, finish="stop")

    def close(self) -> None:
        self.closed += 1


def transient(message: str = "out of luck") -> Failure:
    return Failure(reason=FailureReason.TRANSIENT, message=message)


def rejected(message: str = "not taken") -> Failure:
    return Failure(reason=FailureReason.REJECTED, message=message)


def is_narrative(prompt: Prompt) -> bool:
    """Whether the prompt asks for the narrative; otherwise it asks for notes."""
    return prompt.schema is not None and "title" in prompt.schema["properties"]


def told(prompt: Prompt) -> list[tuple[str, list[str]]]:
    """Return each line of the prompt that names events: its words without them, and the ids."""
    lines = []
    for line in prompt.user.splitlines():
        match = _ITEM.fullmatch(line) or _NOTE.fullmatch(line)
        if match:
            lines.append((match["text"], match["ids"].split(", ")))
    return lines


def oracle(prompt: Prompt) -> str:
    """Answer as a faithful model would: what the prompt tells, in its own words, cited."""
    share = max(1, (prompt.max_tokens - 60) // 24)
    claims: list[dict[str, Any]] = [
        {"text": " ".join(text.split()[:12]), "evidence": ids[:4]} for text, ids in told(prompt)
    ]
    step = max(1, -(-len(claims) // share))
    chosen = claims[::step]
    rest: dict[str, Any] = {"decisions": [], "problems": [], "lessons": [], "open_threads": []}
    if is_narrative(prompt):
        title = chosen[0]["text"] if chosen else "Nothing"
        return json.dumps({"title": title, "summary": chosen[:1], "story": chosen, **rest})
    events = [
        {"what": claim["text"], "why": "", "outcome": "", "evidence": claim["evidence"]}
        for claim in chosen
    ]
    return json.dumps({"events": events, **rest})


def oracle_engine(**more: Any) -> ScriptedEngine:
    return ScriptedEngine(oracle, **more)
