"""The daemon's heartbeat: what it last said of itself, readable when it is dead."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from journald.store.database import execute, rows
from journald.store.times import from_microseconds, to_microseconds


class Phase(StrEnum):
    """What the daemon is doing; the words are persisted."""

    STARTING = "starting"
    WATCHING = "watching"
    STOPPING = "stopping"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """One beat."""

    pid: int
    version: str
    started: datetime
    beat: datetime
    phase: Phase
    engine: str
    """What writes the narrative, as the settings call it."""
    engine_state: str
    engine_reason: str
    """Why this engine, or why it is down."""
    watcher: str
    """How changes are noticed: `inotify`, `polling`, `scan`."""


def write_heartbeat(connection: sqlite3.Connection, beat: Heartbeat) -> None:
    """Replace the last beat. Raises StateError."""
    execute(
        connection,
        "INSERT OR REPLACE INTO heartbeat (id, pid, version, started_us, beat_us, phase, engine,"
        " engine_state, engine_reason, watcher) VALUES (1, :pid, :version, :started, :beat,"
        " :phase, :engine, :engine_state, :engine_reason, :watcher)",
        {
            "pid": beat.pid,
            "version": beat.version,
            "started": to_microseconds(beat.started),
            "beat": to_microseconds(beat.beat),
            "phase": beat.phase,
            "engine": beat.engine,
            "engine_state": beat.engine_state,
            "engine_reason": beat.engine_reason,
            "watcher": beat.watcher,
        },
    )


def read_heartbeat(connection: sqlite3.Connection) -> Heartbeat | None:
    """Return the last beat; None when no daemon ever ran. Raises StateError."""
    found = rows(connection, "SELECT * FROM heartbeat")
    if not found:
        return None
    row = found[0]
    return Heartbeat(
        pid=row["pid"],
        version=row["version"],
        started=from_microseconds(row["started_us"]),
        beat=from_microseconds(row["beat_us"]),
        phase=Phase(row["phase"]),
        engine=row["engine"],
        engine_state=row["engine_state"],
        engine_reason=row["engine_reason"],
        watcher=row["watcher"],
    )
