"""What an entry shows of one session."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from journald.ledger.facts import Ledger
from journald.summary.narrative import Generation, Narrative, Scores, Status, Summary
from journald.transcript.session import LineCounts, Session, Usage

# A clock that was a little ahead is no reason to doubt a time.
_AHEAD = timedelta(days=1)
_NOT_IN_A_TAG = re.compile(r"[^\w/-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Everything that a journal entry shows; nothing in it is redacted yet."""

    session_id: str
    source: str
    """The transcript, absolute."""
    fingerprint: str
    """The state of the transcript that the entry tells."""
    title: str
    day: date | None
    """Local day on which the session began; None when its transcript has no valid time."""
    started: datetime | None
    """Local, with its offset, like every time of an entry."""
    ended: datetime | None
    zone: tzinfo
    project: str
    branch: str | None
    branches: tuple[str, ...]
    cwd: str | None
    wall: timedelta
    active: timedelta
    models: Mapping[str, int]
    """Messages of each model, the busiest first; what no model wrote is left out."""
    usage: Usage
    tags: tuple[str, ...]
    versions: tuple[str, ...]
    lines: LineCounts
    parent: str | None
    inherited: int
    pending_calls: int
    """Tool calls that had no result when the transcript was read."""
    ledger: Ledger
    narrative: Narrative
    generation: Generation
    status: Status
    reason: str
    written_at: datetime

    @property
    def scores(self) -> Scores:
        """What grounding found."""
        return self.narrative.scores


def build_entry(
    session: Session,
    ledger: Ledger,
    summary: Summary,
    *,
    fingerprint: str,
    zone: tzinfo,
    now: datetime,
) -> Entry:
    """Put together the entry of `session`, its times in `zone`.

    The day is that of the session's own first time, never that of `now`; a time further ahead
    of `now` than a day counts only when there is no other (a session whose clock was wrong).
    """
    started, ended = _span(session, ledger, now)
    return Entry(
        session_id=session.session_id,
        source=session.path,
        fingerprint=fingerprint,
        title=summary.narrative.title.strip() or session.title or f"Session in {session.project}",
        day=started.astimezone(zone).date() if started else None,
        started=started.astimezone(zone) if started else None,
        ended=ended.astimezone(zone) if ended else None,
        zone=zone,
        project=session.project,
        branch=session.branch,
        branches=session.branches,
        cwd=session.cwd,
        wall=ledger.wall,
        active=ledger.active,
        models=_models(ledger.models),
        usage=ledger.usage,
        tags=tuple(dict.fromkeys(tag for word in session.tags if (tag := tag_of(word)))),
        versions=session.versions,
        lines=session.lines,
        parent=session.parent,
        inherited=session.inherited,
        pending_calls=len(session.pending_calls),
        ledger=ledger,
        narrative=summary.narrative,
        generation=summary.generation,
        status=summary.status,
        reason=summary.reason,
        written_at=now.astimezone(zone),
    )


def tag_of(text: str) -> str:
    """Return `text` as a tag that notes apps take; empty when nothing is left of it.

    Letters, digits, `_`, `-` and `/`, and not digits alone (help.obsidian.md/tags).
    """
    tag = _NOT_IN_A_TAG.sub("-", text.strip().lstrip("#")).strip("-/")
    return f"t{tag}" if tag.isdigit() else tag


def _span(
    session: Session, ledger: Ledger, now: datetime
) -> tuple[datetime | None, datetime | None]:
    latest = now + _AHEAD
    started, ended = ledger.started, ledger.ended
    if started is None or (started <= latest and (ended is None or ended <= latest)):
        return started, ended
    times = [event.at for event in session.events if event.at is not None and event.at <= latest]
    return (min(times), max(times)) if times else (started, ended)


def _models(models: Mapping[str, int]) -> Mapping[str, int]:
    named = {name: count for name, count in models.items() if name and not name.startswith("<")}
    return dict(sorted(named.items(), key=lambda pair: (-pair[1], pair[0])))
