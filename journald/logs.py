"""The log: one line per event, with constant names and values as fields.

No line ever holds words of a transcript; names of kinds that are not known are cut and redacted.
structlog is imported inside functions, so that
importing this module costs a command line nothing.
"""

from __future__ import annotations

import io
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TextIO, cast

from journald import config

if TYPE_CHECKING:
    from structlog.typing import FilteringBoundLogger

_LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class LogEvent(StrEnum):
    """Every event name of the log; a name once published keeps its meaning."""

    DAEMON_STARTED = "daemon_started"
    DAEMON_STOPPING = "daemon_stopping"
    DAEMON_STOPPED = "daemon_stopped"
    DATABASE_MIGRATED = "database_migrated"
    DATABASE_SET_ASIDE = "database_set_aside"
    DATABASE_FAILED = "database_failed"
    ENTRIES_RECOVERED = "entries_recovered"
    ENGINE_CHOSEN = "engine_chosen"
    ENGINE_LOADED = "engine_loaded"
    ENGINE_CLOSED = "engine_closed"
    ENGINE_FAILED = "engine_failed"
    ENGINE_GIVEN_UP = "engine_given_up"
    JOB_CLAIMED = "job_claimed"
    JOB_DEAD = "job_dead"
    JOB_FAILED = "job_failed"
    JOB_FINISHED = "job_finished"
    JOB_POSTPONED = "job_postponed"
    JOB_RELEASED = "job_released"
    JOBS_REQUEUED = "jobs_requeued"
    KIND_UNKNOWN = "kind_unknown"
    NOTEBOOK_MISSED = "notebook_missed"
    ROOT_MISSED = "root_missed"
    SCAN_FINISHED = "scan_finished"
    SESSION_IDLE = "session_idle"
    SESSION_UNREADABLE = "session_unreadable"
    TEMPORARIES_REMOVED = "temporaries_removed"
    TRANSCRIPT_COPY_IGNORED = "transcript_copy_ignored"
    TRANSCRIPT_VANISHED = "transcript_vanished"
    WATCHER_DEGRADED = "watcher_degraded"
    WATCHER_STARTED = "watcher_started"
    WATCHER_WARNED = "watcher_warned"
    WORKER_FAILED = "worker_failed"


class _Patient(io.TextIOBase):
    """A stream that lets go what it cannot write: no log is worth the work it tells of."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if self._stream is not None:
            # A full disk, a reader that left, a stream that was closed.
            with suppress(OSError, ValueError):
                self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        if self._stream is not None:
            with suppress(OSError, ValueError):
                self._stream.flush()


def configure(settings: config.Log, stream: TextIO | None) -> None:
    """Send the log to `stream`, as `settings` say; call it once, before the first line.

    None, which is what a closed stderr is to Python, takes no line.
    """
    import structlog  # noqa: PLC0415 - a command line that logs nothing shall not pay for it

    terminal = stream is not None and stream.isatty()
    console = settings.format == "console" or (settings.format == "auto" and terminal)
    renderer: Any = (
        structlog.dev.ConsoleRenderer(colors=terminal)
        if console
        else structlog.processors.JSONRenderer(sort_keys=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[settings.level]),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _Patient(stream))),
        cache_logger_on_first_use=False,
    )


def logger(**bound: Any) -> FilteringBoundLogger:
    """Return the log with `bound` as fields of every line."""
    import structlog  # noqa: PLC0415 - as in `configure`

    made: FilteringBoundLogger = structlog.get_logger(**bound)
    return made
