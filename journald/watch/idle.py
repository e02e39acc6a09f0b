"""The idle rule: when a session counts as finished for now. Pure.

Events of the file system are no evidence: files are touched in bulk (anthropics/claude-code
#90954, #83203), rewritten, and appended to with rows that say nothing. What counts is content,
and the times that its rows carry.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from journald import config


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What is known of a session at one moment."""

    changed: bool
    """It holds something that was neither queued nor settled yet."""
    last_event: datetime | None
    """Latest time of the rows of its main transcript; None when no row has one."""
    subagents: datetime | None
    """Latest time of the rows of its sub-agents."""
    pending: bool
    """A tool call, a sub-agent or a permission is still waiting."""
    modified: datetime
    """The file's own time; counts only where no row has one."""
    seen: datetime
    """When this content was first seen: nothing in it can be later."""


class VerdictKind(StrEnum):
    """What to do."""

    NOTHING_NEW = "nothing_new"  # wait for content
    WAIT = "wait"  # judge again at `until`
    IDLE = "idle"  # journal it


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What to do, and when."""

    kind: VerdictKind
    until: datetime | None = None
    """WAIT only."""


def judge(observation: Observation, now: datetime, settings: config.Idle) -> Verdict:
    """Say whether a session is idle at `now`.

    Times after the moment at which the content was first seen (a clock that was wrong when the
    row was written) are taken for that moment, so they delay a session but never for ever.
    """
    if not observation.changed:
        return Verdict(kind=VerdictKind.NOTHING_NEW)
    until = min(_last(observation), now) + _silence(observation, settings)
    if now >= until:
        return Verdict(kind=VerdictKind.IDLE)
    return Verdict(kind=VerdictKind.WAIT, until=until)


def _last(observation: Observation) -> datetime:
    own = [at for at in (observation.last_event, observation.subagents) if at is not None]
    return min(max(own, default=observation.modified), observation.seen)


def _silence(observation: Observation, settings: config.Idle) -> timedelta:
    return max(settings.after, settings.pending_after) if observation.pending else settings.after
