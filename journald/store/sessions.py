"""What is known of each transcript: seen when, with which content, and what came of it.

Two threads write here. Each writes columns of its own: the tracker what it observes, the worker
what it settles. Queueing, which joins both, happens in one transaction.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from journald.store.database import execute, rows, transaction
from journald.store.times import (
    from_microseconds,
    optional_from_microseconds,
    optional_to_microseconds,
    to_microseconds,
)


class Standing(StrEnum):
    """What became of a session so far; the words are persisted."""

    OPEN = "open"  # not idle yet, or idle and not queued yet
    QUEUED = "queued"  # has a job
    JOURNALED = "journaled"  # has an entry of all that was in it
    SKIPPED = "skipped"  # too trivial for an entry, until it grows
    HISTORY = "history"  # was over before the first start looked back
    SOURCE_DELETED = "source_deleted"  # gone before it could be journaled
    UNREADABLE = "unreadable"  # cannot be read, until its file changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of one session."""

    session_id: str
    path: Path
    signature: str
    """State of its files when they were last read; empty when they never were."""
    mark: str
    """Its content then."""
    mark_seen_at: datetime | None
    """When that content was seen first."""
    last_activity: datetime | None
    pending: bool
    look_at: datetime | None
    """When to judge again; None: not before its files change."""
    standing: Standing
    reason: str
    handled_mark: str
    """The content that was queued or settled last."""
    entry_path: Path | None
    entry_status: str | None
    redos: int
    """Narratives asked for anew without success."""


class Sessions:
    """The table of sessions, seen through one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, session_id: str) -> Known | None:
        """Return what is known of a session."""
        found = rows(
            self._connection,
            "SELECT * FROM sessions WHERE session_id = :id",
            {"id": session_id},
        )
        return _known(found[0]) if found else None

    def all(self) -> Mapping[str, Known]:
        """Return what is known of every session, by session id."""
        return {
            row["session_id"]: _known(row)
            for row in rows(self._connection, "SELECT * FROM sessions")
        }

    def due(self, now: datetime, longest: timedelta) -> tuple[Known, ...]:
        """Return the sessions whose time to be judged has come.

        A time further off than the `longest` wait there is comes from a clock that has been
        set back since.
        """
        found = rows(
            self._connection,
            "SELECT * FROM sessions WHERE look_at_us <= :now OR look_at_us > :horizon"
            " ORDER BY look_at_us",
            {"now": to_microseconds(now), "horizon": to_microseconds(now + longest)},
        )
        return tuple(_known(row) for row in found)

    def next_look(self) -> datetime | None:
        """Return when the next session wants to be judged."""
        found = rows(self._connection, "SELECT min(look_at_us) AS due FROM sessions")
        return optional_from_microseconds(found[0]["due"])

    def observe(
        self,
        session_id: str,
        path: Path,
        *,
        signature: str,
        mark: str,
        seen_at: datetime,
        last_activity: datetime | None,
        pending: bool,
    ) -> None:
        """Record what a reading of the transcript showed."""
        execute(
            self._connection,
            "INSERT INTO sessions (session_id, path, signature, mark, mark_seen_us,"
            " last_activity_us, pending, standing)"
            " VALUES (:id, :path, :signature, :mark, :seen, :activity, :pending, 'open')"
            " ON CONFLICT (session_id) DO UPDATE SET path = :path, signature = :signature,"
            " mark = :mark, mark_seen_us = :seen, last_activity_us = :activity,"
            " pending = :pending,"
            " standing = CASE WHEN standing IN ('unreadable', 'source_deleted') THEN 'open'"
            "  ELSE standing END",
            {
                "id": session_id,
                "path": str(path),
                "signature": signature,
                "mark": mark,
                "seen": to_microseconds(seen_at),
                "activity": optional_to_microseconds(last_activity),
                "pending": int(pending),
            },
        )

    def notice(self, session_id: str, path: Path, look_at: datetime) -> None:
        """Record that the transcript is there, or changed, and wants a look at `look_at`.

        A look that is due earlier stays.
        """
        execute(
            self._connection,
            "INSERT INTO sessions (session_id, path, look_at_us, standing)"
            " VALUES (:id, :path, :at, 'open')"
            " ON CONFLICT (session_id) DO UPDATE SET path = :path,"
            " look_at_us = min(coalesce(look_at_us, :at), :at)",
            {"id": session_id, "path": str(path), "at": to_microseconds(look_at)},
        )

    def look_again(self, session_id: str, at: datetime | None) -> None:
        """Set when to judge the session again; None: not before its files change."""
        self._set(session_id, "look_at_us = :at", {"at": optional_to_microseconds(at)})

    def moved(self, session_id: str, path: Path) -> None:
        """Record that the transcript lies elsewhere now."""
        self._set(session_id, "path = :path", {"path": str(path)})

    def mark_unreadable(self, session_id: str, path: Path, signature: str, reason: str) -> None:
        """Record that the transcript, as it is now, cannot be read."""
        execute(
            self._connection,
            "INSERT INTO sessions (session_id, path, signature, standing, reason)"
            " VALUES (:id, :path, :signature, 'unreadable', :reason)"
            " ON CONFLICT (session_id) DO UPDATE SET path = :path, signature = :signature,"
            " standing = 'unreadable', reason = :reason, look_at_us = NULL",
            {"id": session_id, "path": str(path), "signature": signature, "reason": reason},
        )

    def mark_history(self, session_id: str, path: Path, signature: str, mark: str) -> None:
        """Record that the session was over before the first start looked back.

        `mark` is empty when the file was not read.
        """
        execute(
            self._connection,
            "INSERT INTO sessions (session_id, path, signature, mark, handled_mark, standing)"
            " VALUES (:id, :path, :signature, :mark, :mark, 'history')"
            " ON CONFLICT (session_id) DO UPDATE SET path = :path, signature = :signature,"
            " mark = :mark, handled_mark = :mark, standing = 'history', look_at_us = NULL",
            {"id": session_id, "path": str(path), "signature": signature, "mark": mark},
        )

    def mark_queued(self, session_id: str, mark: str) -> None:
        """Record that a job was made for this content."""
        self._set(
            session_id,
            "standing = 'queued', handled_mark = :mark, look_at_us = NULL, reason = '', redos = 0",
            {"mark": mark},
        )

    def mark_journaled(
        self, session_id: str, *, mark: str, entry: Path, status: str, at: datetime
    ) -> None:
        """Record that the entry of this content is durable."""
        self._set(
            session_id,
            "standing = 'journaled', handled_mark = :mark, entry_path = :entry,"
            " entry_status = :status, entry_us = :at, reason = ''",
            {
                "mark": mark,
                "entry": str(entry),
                "status": status,
                "at": to_microseconds(at),
            },
        )

    def mark_skipped(self, session_id: str, *, mark: str, reason: str) -> None:
        """Record that this content is too trivial for an entry."""
        self._set(
            session_id,
            "standing = 'skipped', handled_mark = :mark, reason = :reason",
            {"mark": mark, "reason": reason},
        )

    def mark_source_deleted(self, session_id: str) -> None:
        """Record that the transcript was gone before it could be journaled.

        Its content counts as unhandled, should it come back.
        """
        self._set(
            session_id, "standing = 'source_deleted', handled_mark = '', look_at_us = NULL", {}
        )

    def count_redo(self, session_id: str) -> int:
        """Count one more narrative asked for in vain; return how many."""
        with transaction(self._connection):
            self._set(session_id, "redos = redos + 1", {})
            known = self.get(session_id)
        return known.redos if known else 0

    def adopt(self, session_id: str, *, mark: str, entry: Path, status: str) -> bool:
        """Record an entry that an earlier database knew of; False when it is known already.

        The transcript's place is learnt when it is seen.
        """
        made = execute(
            self._connection,
            "INSERT INTO sessions (session_id, path, standing, handled_mark, entry_path,"
            " entry_status) VALUES (:id, '', 'journaled', :mark, :entry, :status)"
            " ON CONFLICT (session_id) DO NOTHING",
            {"id": session_id, "mark": mark, "entry": str(entry), "status": status},
        )
        return made == 1

    def history_before(self) -> datetime | None:
        """Return the time before which everything is history; None before the first start."""
        found = rows(self._connection, "SELECT history_before_us FROM origin")
        return from_microseconds(found[0]["history_before_us"]) if found else None

    def set_origin(self, first_start: datetime, history_before: datetime) -> None:
        """Fix, at the first start, how far back journald looks."""
        execute(
            self._connection,
            "INSERT INTO origin (id, first_start_us, history_before_us)"
            " VALUES (1, :first, :before)",
            {"first": to_microseconds(first_start), "before": to_microseconds(history_before)},
        )

    def _set(self, session_id: str, assignments: str, values: Mapping[str, Any]) -> None:
        execute(
            self._connection,
            f"UPDATE sessions SET {assignments} WHERE session_id = :id",  # noqa: S608 - the assignments are literals of this file
            {**values, "id": session_id},
        )


def _known(row: sqlite3.Row) -> Known:
    return Known(
        session_id=row["session_id"],
        path=Path(row["path"]),
        signature=row["signature"],
        mark=row["mark"],
        mark_seen_at=optional_from_microseconds(row["mark_seen_us"]),
        last_activity=optional_from_microseconds(row["last_activity_us"]),
        pending=bool(row["pending"]),
        look_at=optional_from_microseconds(row["look_at_us"]),
        standing=Standing(row["standing"]),
        reason=row["reason"],
        handled_mark=row["handled_mark"],
        entry_path=Path(row["entry_path"]) if row["entry_path"] else None,
        entry_status=row["entry_status"],
        redos=row["redos"],
    )
