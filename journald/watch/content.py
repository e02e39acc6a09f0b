"""What a session holds, as one short mark: two readings with the same mark hold the same.

The mark covers events alone. Rows that only change titles, modes or pointers, replayed rows
and a touched file leave it as it is (anthropics/claude-code#92089, #90954), so nothing is
written twice for them. It is also the fingerprint in an entry's front matter: with the
database gone, it tells which entries are up to date.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime

from journald.transcript.session import Event, Session


def content_mark(session: Session) -> str:
    """Return the mark of what `session` holds, as `EVENTS-HASH`."""
    digest = hashlib.sha256()
    count = 0
    for event in _events(session):
        count += 1
        at = event.at.isoformat() if event.at else ""
        digest.update(f"{event.id}\0{event.uuid or ''}\0{event.kind}\0{at}\n".encode())
    return f"{count}-{digest.hexdigest()[:16]}"


def last_event(session: Session) -> datetime | None:
    """Return the latest time in the main transcript; None when no row has one."""
    return max((event.at for event in session.events if event.at), default=None)


def last_subagent_event(session: Session) -> datetime | None:
    """Return the latest time in the transcripts of sub-agents; None when no row has one."""
    return max(
        (event.at for agent in session.subagents for event in agent.events if event.at),
        default=None,
    )


def _events(session: Session) -> Iterator[Event]:
    yield from session.events
    for agent in sorted(session.subagents, key=lambda agent: agent.agent_id):
        yield from agent.events
