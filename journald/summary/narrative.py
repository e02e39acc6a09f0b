"""The narrative: what a model, or the session's own words, say about a session."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """How far a statement can be trusted."""

    GROUNDED = "grounded"  # held against the transcript, and it holds
    QUOTED = "quoted"  # verbatim from the transcript
    UNVERIFIED = "unverified"  # kept, but the transcript does not bear it out


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing said, and the events it rests on."""

    text: str
    evidence: tuple[str, ...]
    standing: Standing = Standing.GROUNDED
    about: str = ""
    """Opening words of the request that a quoted answer answers, on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Something that was decided."""

    decision: Statement
    reason: str = ""
    alternatives: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that went wrong, and what came of it."""

    symptom: Statement
    cause: str = ""
    fix: str = ""
    solved: bool | None = None


class Source(StrEnum):
    """Who wrote a narrative."""

    MODEL = "model"
    EXTRACTIVE = "extractive"
    MIXED = "mixed"  # a model, with extractive text where it failed


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What grounding found."""

    statements: int = 0
    """Statements that the model made."""
    kept: int = 0
    dropped: int = 0
    unverified: int = 0
    asked_again: int = 0
    unknown_ids: int = 0
    """Cited events that do not exist."""
    unfounded_spans: int = 0
    """Paths, names, numbers, hashes, addresses and quotes that the session does not hold."""
    contradicted: int = 0
    """Claims of outcome that the ledger contradicts."""
    notes_dropped: int = 0
    """Notes on single parts that did not hold and were kept from the narrative's writer."""
    notes_left_out: int = 0
    """Notes that there was no room for beside weightier ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrative:
    """The part of an entry that code alone cannot write."""

    source: Source
    title: str
    summary: tuple[Statement, ...]
    story: tuple[Statement, ...] = ()
    decisions: tuple[Decision, ...] = ()
    problems: tuple[Problem, ...] = ()
    lessons: tuple[Statement, ...] = ()
    open_threads: tuple[Statement, ...] = ()
    scores: Scores = Scores()


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """How a narrative came to be: two entries with the same generation are comparable."""

    engine: str
    """`vllm` or `extractive`."""
    model: str
    """Empty without a model."""
    prompts: str
    """Version of the prompts."""
    plan: str
    """`single`, `chunks`, or `none` without a model."""
    chunks: int = 0
    rounds: int = 0
    """Rounds of merging before the synthesis."""


class Status(StrEnum):
    """State of an entry; persisted in its front matter."""

    COMPLETE = "complete"
    NARRATIVE_PENDING = "narrative-pending"  # a model was meant to write it and could not yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The outcome of summarising one session."""

    narrative: Narrative
    generation: Generation
    status: Status
    reason: str = ""
    """Why the narrative is pending; empty when it is complete. No transcript text."""
    seconds: float = 0.0
    prompt_tokens: int = 0
    output_tokens: int = 0
