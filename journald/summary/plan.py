"""The plan: whether a session is read in one pass, and if not, in which chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from journald import config
from journald.digest.evidence import Digest, Item
from journald.digest.tokens import estimate
from journald.errors import EngineUnavailableError
from journald.summary.chunks import Bounds, Chunk, cut, fit

PROMPT_TOKENS = 1400
"""Room for the system prompt, the chat template and the facts, where no engine can count it."""

_LEAST_ROOM = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How the engine's window is shared out, in tokens."""

    window: int
    prompt_tokens: int
    """Everything in a prompt but the evidence."""
    note_tokens: int
    narrative_tokens: int

    @property
    def note_room(self) -> int:
        """Room for evidence where notes are asked for."""
        return self.window - self.prompt_tokens - self.note_tokens

    @property
    def narrative_room(self) -> int:
        """Room for evidence or notes where the narrative is asked for."""
        return self.window - self.prompt_tokens - self.narrative_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a session is read."""

    kind: Literal["single", "chunks"]
    chunks: tuple[Chunk, ...]
    """One chunk with everything where `kind` is `single`; none for an empty digest."""
    items: tuple[Item, ...]
    """What the chunks index: the digest's items, those too large for a chunk in parts."""
    budget: Budget
    split: int = 0
    """Items that were split into parts."""
    cut: int = 0
    """Words of the user too long for the window, of which the middle was left out."""

    def texts(self, chunk: Chunk) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
        """Return what `chunk` tells again, and its new content."""
        return self.items[chunk.start : chunk.fresh], self.items[chunk.fresh : chunk.stop]


def make_budget(
    settings: config.Plan, window: int, *, prompt_tokens: int = PROMPT_TOKENS
) -> Budget:
    """Share out `window`; in a small one the answers get less room.

    Raises EngineUnavailableError when the window leaves no room for evidence.
    """
    budget = Budget(
        window=window,
        prompt_tokens=min(prompt_tokens, window),
        note_tokens=min(settings.note_tokens, window // 5),
        narrative_tokens=min(settings.narrative_tokens, window * 3 // 10),
    )
    if min(budget.note_room, budget.narrative_room) < _LEAST_ROOM:
        raise EngineUnavailableError(
            f"a window of {window} tokens leaves no room for evidence beside a prompt of "
            f"{prompt_tokens}",
            hint="load a model with a larger window (engine.vllm.max_model_len)",
        )
    return budget


def make_plan(
    digest: Digest,
    settings: config.Plan,
    window: int,
    *,
    prompt_tokens: int = PROMPT_TOKENS,
    count: Callable[[str], int] = estimate,
    chunks_only: bool = False,
) -> Plan:
    """Decide how `digest` is read by a model with a window of `window` tokens.

    `prompt_tokens` is what a prompt takes beside the evidence; `count` counts as the digest's
    own numbers were counted. `chunks_only` rules the single pass out, for a model that failed
    at it. Raises EngineUnavailableError when the window leaves no room for evidence.
    """
    budget = make_budget(settings, window, prompt_tokens=prompt_tokens)
    single_room = min(settings.single_pass_tokens, window) - budget.prompt_tokens
    if not chunks_only and digest.tokens <= single_room - budget.narrative_tokens:
        size = sum(item.tokens for item in digest.items)
        whole = Bounds(most=size, least=size, overlap=0)
        return Plan(
            kind="single", chunks=cut(digest.items, whole), items=digest.items, budget=budget
        )
    bounds = _bounds(settings, budget)
    if chunks_only:
        half = min(bounds.most, max(_LEAST_ROOM, digest.tokens * 2 // 3))
        bounds = _scaled(settings, half)
    fitted = fit(digest.items, bounds, budget.note_room, count)
    return Plan(
        kind="chunks",
        chunks=cut(fitted.items, bounds),
        items=fitted.items,
        budget=budget,
        split=fitted.split,
        cut=fitted.cut,
    )


def _bounds(settings: config.Plan, budget: Budget) -> Bounds:
    return _scaled(settings, min(settings.chunk_tokens, budget.note_room))


def _scaled(settings: config.Plan, most: int) -> Bounds:
    """Return the bounds of chunks of at most `most` tokens, in the settings' proportions."""
    overlap = int(most * settings.overlap)
    share = min(1.0, settings.chunk_tokens_least / settings.chunk_tokens)
    return Bounds(most=most, least=min(int(most * share), most - overlap), overlap=overlap)
