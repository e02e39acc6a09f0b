"""How the work is, read from the database and the lock alone; true with the daemon dead."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from journald.config import Settings
from journald.daemon.lock import is_locked
from journald.store.database import database_path, is_set_up, open_database, rows
from journald.store.gaps import Coverage, read_coverage
from journald.store.heartbeat import Heartbeat, read_heartbeat
from journald.store.queue import JobState
from journald.store.sessions import Standing
from journald.store.times import from_microseconds

SCHEMA = 1
STALE_AFTER = timedelta(minutes=2)
OVERDUE_AFTER = timedelta(hours=6)
MOST_KINDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class LastEntry:
    """The entry written last."""

    session_id: str
    path: Path
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LastError:
    """What went wrong last."""

    session_id: str
    at: datetime
    state: str
    """What became of the job: waits again, or dead."""
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstruction:
    """Jobs that wait for something outside of them."""

    jobs: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of the work at one moment."""

    at: datetime
    running: bool
    """A daemon holds the state folder."""
    heartbeat: Heartbeat | None = None
    """None when no daemon ever ran."""
    jobs: Mapping[JobState, int] = field(default_factory=dict)
    oldest_waiting: datetime | None = None
    sessions: Mapping[Standing, int] = field(default_factory=dict)
    narratives_pending: int = 0
    last_entry: LastEntry | None = None
    last_error: LastError | None = None
    obstructed: Obstruction | None = None
    """What keeps jobs from being done that are not at fault themselves."""
    coverage: Coverage = field(default_factory=Coverage)
    """What could not be read of the transcripts.

    It is told and no problem: the entries are written and say it themselves, and nothing can be
    done about it here and now, so a daemon that is well would look ill for ever.
    """

    @property
    def problems(self) -> tuple[str, ...]:
        """What is not as it should be, a line each; empty when all is well."""
        return tuple(_problems(self))


def read_status(settings: Settings, now: datetime) -> Status:
    """Read the status; empty where no daemon ever ran.

    Raises StateError when the database is there but cannot be read.
    """
    running = is_locked(settings.state_dir)
    path = database_path(settings.state_dir)
    if not is_set_up(path):
        return Status(at=now, running=running)
    with closing(open_database(path, migrate=False, read_only=True)) as connection:
        return Status(
            at=now,
            running=running,
            heartbeat=read_heartbeat(connection),
            jobs=_counts(connection),
            oldest_waiting=_oldest_waiting(connection),
            sessions=_standings(connection),
            narratives_pending=_narratives_pending(connection),
            last_entry=_last_entry(connection),
            last_error=_last_error(connection),
            obstructed=_obstruction(connection),
            coverage=read_coverage(connection, MOST_KINDS),
        )


def to_json(status: Status) -> dict[str, Any]:
    """Return `status` as plain values; keys are only ever added."""
    beat = status.heartbeat
    return {
        "schema": SCHEMA,
        "at": status.at.isoformat(),
        "running": status.running,
        "healthy": status.running and not status.problems,
        "problems": list(status.problems),
        "daemon": _daemon(beat, status.at),
        "engine": {
            "name": beat.engine if beat else None,
            "state": beat.engine_state if beat and status.running else None,
            "reason": beat.engine_reason if beat else None,
        },
        "jobs": {state.value: status.jobs.get(state, 0) for state in JobState},
        "oldest_waiting_since": _iso(status.oldest_waiting),
        "oldest_waiting_seconds": _age(status.oldest_waiting, status.at),
        "sessions": {standing.value: status.sessions.get(standing, 0) for standing in Standing},
        "narratives_pending": status.narratives_pending,
        "last_entry": _entry(status.last_entry),
        "last_error": _error(status.last_error),
        "not_read": _not_read(status.coverage),
    }


def _daemon(beat: Heartbeat | None, now: datetime) -> dict[str, Any] | None:
    if beat is None:
        return None
    return {
        "pid": beat.pid,
        "version": beat.version,
        "phase": beat.phase.value,
        "watcher": beat.watcher,
        "started": beat.started.isoformat(),
        "beat": beat.beat.isoformat(),
        "beat_age_seconds": _age(beat.beat, now),
    }


def _entry(entry: LastEntry | None) -> dict[str, Any] | None:
    if entry is None:
        return None
    return {
        "session_id": entry.session_id,
        "path": str(entry.path),
        "at": entry.at.isoformat(),
    }


def _error(error: LastError | None) -> dict[str, Any] | None:
    if error is None:
        return None
    return {
        "session_id": error.session_id,
        "at": error.at.isoformat(),
        "state": error.state,
        "error": error.error,
    }


def _not_read(coverage: Coverage) -> dict[str, Any]:
    return {
        "unknown_kinds": [
            {
                "version": kind.version,
                "kind": kind.kind,
                "count": kind.count,
                "sessions": kind.sessions,
            }
            for kind in coverage.kinds
        ],
        "unknown_kinds_left_out": coverage.kinds_left_out,
        "sessions": {
            "unknown": coverage.unknown,
            "broken": coverage.broken,
            "recovered": coverage.recovered,
            "skipped": coverage.skipped,
            "elided": coverage.elided,
            "truncated": coverage.truncated,
            "damaged": coverage.damaged,
        },
    }


def _problems(status: Status) -> list[str]:
    found = []
    beat = status.heartbeat
    if status.running and beat is not None and status.at - beat.beat > STALE_AFTER:
        found.append(f"the daemon has not been heard of since {beat.beat.isoformat()}")
    if dead := status.jobs.get(JobState.DEAD, 0):
        found.append(f"{dead} sessions were given up")
    if status.oldest_waiting and status.at - status.oldest_waiting > OVERDUE_AFTER:
        found.append(f"a session waits since {status.oldest_waiting.isoformat()}")
    if status.running and beat is not None and beat.engine_state == "down":
        found.append(f"the engine is down: {beat.engine_reason}")
    if status.obstructed:
        found.append(f"{status.obstructed.jobs} sessions wait: {status.obstructed.reason}")
    if unreadable := status.sessions.get(Standing.UNREADABLE, 0):
        found.append(f"{unreadable} transcripts cannot be read")
    return found


def _counts(connection: sqlite3.Connection) -> dict[JobState, int]:
    found = rows(connection, "SELECT state, count(*) AS jobs FROM jobs GROUP BY state")
    return {JobState(row["state"]): row["jobs"] for row in found}


def _oldest_waiting(connection: sqlite3.Connection) -> datetime | None:
    """Return since when the oldest session waits for an entry; narratives may take their time."""
    found = rows(
        connection,
        "SELECT min(queued_us) AS since FROM jobs"
        " WHERE state IN ('pending', 'running') AND reason <> 'narrative'",
    )[0]["since"]
    return None if found is None else from_microseconds(found)


def _standings(connection: sqlite3.Connection) -> dict[Standing, int]:
    found = rows(connection, "SELECT standing, count(*) AS held FROM sessions GROUP BY standing")
    return {Standing(row["standing"]): row["held"] for row in found}


def _narratives_pending(connection: sqlite3.Connection) -> int:
    found = rows(
        connection,
        "SELECT count(*) AS pending FROM sessions WHERE entry_status = 'narrative-pending'",
    )
    return int(found[0]["pending"])


def _last_entry(connection: sqlite3.Connection) -> LastEntry | None:
    found = rows(
        connection,
        "SELECT session_id, entry_path, entry_us FROM sessions WHERE entry_us IS NOT NULL"
        " ORDER BY entry_us DESC LIMIT 1",
    )
    if not found:
        return None
    return LastEntry(
        session_id=found[0]["session_id"],
        path=Path(found[0]["entry_path"]),
        at=from_microseconds(found[0]["entry_us"]),
    )


def _obstruction(connection: sqlite3.Connection) -> Obstruction | None:
    found = rows(
        connection,
        "SELECT count(*) AS jobs, max(error) AS reason FROM jobs"
        " WHERE state = 'pending' AND cause = 'postponed' AND reason <> 'narrative'",
    )[0]
    return Obstruction(jobs=found["jobs"], reason=found["reason"]) if found["jobs"] else None


def _last_error(connection: sqlite3.Connection) -> LastError | None:
    found = rows(
        connection,
        "SELECT jobs.session_id, jobs.state, job_events.at_us, job_events.error"
        " FROM job_events JOIN jobs ON jobs.id = job_events.job_id"
        " WHERE job_events.cause IN ('failed', 'postponed', 'orphaned')"
        " ORDER BY job_events.id DESC LIMIT 1",
    )
    if not found:
        return None
    return LastError(
        session_id=found[0]["session_id"],
        at=from_microseconds(found[0]["at_us"]),
        state=found[0]["state"],
        error=found[0]["error"],
    )


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _age(moment: datetime | None, now: datetime) -> float | None:
    return None if moment is None else round((now - moment).total_seconds(), 1)
