"""The engine: prompts in, one outcome per prompt out, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, Protocol, TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request to the model."""

    system: str
    user: str
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    """JSON schema that the answer must follow; None asks for plain text."""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What the model wrote."""

    text: str
    prompt_tokens: int
    output_tokens: int
    finish: Literal["stop", "length"]
    """`length`: the answer was cut off at `max_tokens`."""


class FailureReason(StrEnum):
    """Why a prompt got no answer; each says what can help."""

    TRANSIENT = "transient"  # the same again, later
    TOO_LONG = "too_long"  # only a smaller input
    REJECTED = "rejected"  # nothing: the engine will not take this prompt
    DEAD = "dead"  # a new engine


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why the model wrote nothing. `message` holds no transcript text."""

    reason: FailureReason
    message: str


Outcome: TypeAlias = Completion | Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """What the loaded engine can hold, in tokens."""

    window: int
    kv_tokens: int | None
    concurrency: int


class Engine(Protocol):
    """A model that is loaded and stays loaded until `close`.

    Used by one thread at a time. Prompts of one call run as one batch; the engine queues what
    does not fit at once.
    """

    @property
    def name(self) -> str:
        """The engine's kind as the settings call it, such as `vllm`."""

    @property
    def model(self) -> str:
        """The model's name, as it is written into an entry."""

    @property
    def capacity(self) -> Capacity:
        """What the engine reports after loading."""

    @property
    def count(self) -> Callable[[str], int]:
        """Exact number of tokens of a text for this model; cheap enough for whole digests."""

    def prompt_tokens(self, prompt: Prompt) -> int:
        """Return the exact length of `prompt` in tokens, chat template included."""

    def generate(
        self, prompts: Sequence[Prompt], *, progress: Callable[[], None] = lambda: None
    ) -> tuple[Outcome, ...]:
        """Return one outcome per prompt, in order; never raises for a prompt's own fault.

        `progress` is called whenever the batch moved on. Raises EngineDeadError when the
        engine is gone and has to be built anew; then no prompt has an outcome.
        """

    def close(self) -> None:
        """Give the model's memory back; idempotent."""
