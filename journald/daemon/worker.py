"""The worker: one job after the other, in a thread of its own.

What is at fault decides what becomes of a job. The session: the attempt counts, and a job that
has spent its attempts is dead. The engine, the notes folder or the database: the job waits, its
attempt given back, however long that takes; nothing is lost to a disk that was full for a day.
"""

from __future__ import annotations

import sqlite3
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from journald import files
from journald.config import Settings
from journald.daemon.scribe import SKIPPED, Result, Scribe
from journald.daemon.warm import Absence, EngineState, WarmEngine
from journald.errors import (
    EngineDeadError,
    JobLostError,
    JournaldError,
    NotebookError,
    StateError,
    StateUnavailableError,
    TranscriptMissingError,
)
from journald.logs import LogEvent, logger
from journald.store.database import transaction
from journald.store.gaps import Gaps, UnknownKind, write_gaps
from journald.store.queue import Job, JobReason, JobState, Queue
from journald.store.sessions import Sessions

SOURCE_DELETED = "source_deleted"
ENGINE_DEATHS_UNTIL_SPARED = 3
_LONGEST_NAP = timedelta(seconds=15)
AFTER_DATABASE_TROUBLE = timedelta(seconds=5)
_SLACK = timedelta(minutes=1)  # for what stands between two calls of `progress`


class Worker:
    """Carries out the queue's jobs; `run` is the thread's body."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        queue: Queue,
        scribe: Scribe,
        warm: WarmEngine,
        settings: Settings,
        *,
        now: Callable[[], datetime],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connection = connection
        self._queue = queue
        self._sessions = Sessions(connection)
        self._scribe = scribe
        self._warm = warm
        self._attempts = settings.queue.attempts
        self._deadline = settings.engine.vllm.batch_timeout + _SLACK
        self._now = now
        self._monotonic = monotonic
        self._log = logger()
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._moved = monotonic()
        self._unsettled = False
        self._obstacles = 0
        self._blocked_until: datetime | None = None
        self.job: Job | None = None
        """The job under way; read by other threads."""

    def run(self) -> None:
        """Work until `stop`; the engine is given back at the end."""
        try:
            while not self._stopping.is_set():
                nap = self._guarded_turn()
                if nap:
                    self._wake.wait(nap)
                    self._wake.clear()
        except StateError as error:
            # Whoever watches this thread sees it end, and ends the process to start afresh.
            self._log.error(LogEvent.DATABASE_FAILED, error=str(error))
        finally:
            self._warm.close()

    def stop(self) -> None:
        """Take no further job; the one under way goes on."""
        self._stopping.set()
        self._wake.set()

    def wake(self) -> None:
        """Say that there may be something to do."""
        self._wake.set()

    @property
    def moving(self) -> bool:
        """Whether it turns: no job is past its deadline, no pause longer than it should be."""
        return self._monotonic() - self._moved < self._deadline.total_seconds()

    def turn(self) -> bool:
        """Carry out the next job, if one may be; say whether there was one. Raises StateError."""
        self._progress()
        self._warm.close_if_idle()
        if self._unsettled:
            # The database failed under the last job, and only our jobs can be running.
            self._queue.requeue_orphans()
            self._unsettled = False
        if self._paused_until() is not None:
            return False
        job = self._queue.claim()
        if job is None:
            return False
        self.job, self._unsettled = job, True
        self._carry_out(job)
        self.job, self._unsettled = None, False
        return True

    def _guarded_turn(self) -> float:
        """Take a turn; return for how many seconds there is nothing to do."""
        try:
            return 0 if self.turn() else self._nap()
        except JobLostError:
            # Released by who shut us down, while we were at it.
            self.job, self._unsettled = None, False
            return 0
        except StateUnavailableError as error:
            self.job = None
            self._log.error(LogEvent.DATABASE_FAILED, error=str(error))
            return AFTER_DATABASE_TROUBLE.total_seconds()

    def _carry_out(self, job: Job) -> None:
        started = self._monotonic()
        job = self._located(job)
        self._log.info(
            LogEvent.JOB_CLAIMED,
            job_id=job.id,
            session_id=job.session_id,
            reason=job.reason,
            attempt=job.attempts,
        )
        if job.reason is JobReason.NARRATIVE and self._engine_is_down():
            self._postpone(job, self._warm.reason)
            return
        try:
            result = self._scribe.write(
                job.path, progress=self._progress, absence=self._spared(job)
            )
        except TranscriptMissingError:
            self._settle_deleted(job)
        except EngineDeadError as error:
            self._warm.died(error)
            self._postpone(job, str(error), engine_died=True)
        except NotebookError as error:
            self._obstacles += 1
            self._blocked_until = self._now() + self._queue.back_off(self._obstacles)
            self._postpone(job, str(error))
        except JournaldError as error:
            self._fail(job, str(error), retryable=error.retryable)
        except Exception as error:  # noqa: BLE001 - a defect met in one session is not to stop the others
            self._fail(job, _describe(error), retryable=True)
        else:
            self._settle(job, result, self._monotonic() - started)

    def _engine_is_down(self) -> bool:
        return self._warm.state is EngineState.DOWN and self._warm.retry_at is not None

    def _located(self, job: Job) -> Job:
        """Follow a transcript that was moved since it was queued."""
        if not files.is_gone(job.path):
            return job
        known = self._sessions.get(job.session_id)
        return replace(job, path=known.path) if known and files.is_file(known.path) else job

    def _spared(self, job: Job) -> Absence | None:
        """Keep a session away from the engine that it keeps killing."""
        if job.engine_deaths < ENGINE_DEATHS_UNTIL_SPARED:
            return None
        return Absence(
            reason=f"the engine died {job.engine_deaths} times over this session", pending=True
        )

    def _settle(self, job: Job, result: Result, seconds: float) -> None:
        self._warm.worked()
        self._obstacles, self._blocked_until = 0, None
        with transaction(self._connection):
            self._queue.finish(job, result.outcome)
            if result.entry is None or result.summary is None:
                self._sessions.mark_skipped(job.session_id, mark=result.mark, reason=result.reason)
            else:
                self._sessions.mark_journaled(
                    job.session_id,
                    mark=result.mark,
                    entry=result.entry,
                    status=result.summary.status,
                    at=self._now(),
                )
                self._ask_again_later(job, result)
            new = write_gaps(self._connection, job.session_id, result.gaps)
        self._report(job, result, seconds)
        self._name_kinds(job, new)

    def _ask_again_later(self, job: Job, result: Result) -> None:
        if not result.pending or job.engine_deaths >= ENGINE_DEATHS_UNTIL_SPARED:
            return
        redos = self._sessions.count_redo(job.session_id)
        # A run without an engine says nothing about the session, so only the others count.
        if redos > self._attempts and self._warm.retry_at is None:
            return
        due = self._now() + self._queue.back_off(redos)
        self._queue.enqueue(
            job.session_id,
            job.path,
            JobReason.NARRATIVE,
            not_before=max(due, self._warm.retry_at or due),
        )

    def _report(self, job: Job, result: Result, seconds: float) -> None:
        # An entry's name tells its title, so the log does without it.
        fields: dict[str, Any] = {
            "job_id": job.id,
            "session_id": job.session_id,
            "outcome": result.outcome,
            "duration_s": round(seconds, 2),
        }
        if result.outcome == SKIPPED:
            fields["intentional"] = True
        if result.reason:
            fields["reason"] = result.reason
        fields |= _lost(result.gaps)
        if summary := result.summary:
            fields |= {
                "status": summary.status.value,
                "engine": summary.generation.engine,
                "prompt_tokens": summary.prompt_tokens,
                "output_tokens": summary.output_tokens,
            }
        self._log.info(LogEvent.JOB_FINISHED, **fields)

    def _name_kinds(self, job: Job, kinds: tuple[UnknownKind, ...]) -> None:
        for kind in kinds:
            self._log.warning(
                LogEvent.KIND_UNKNOWN,
                session_id=job.session_id,
                version=kind.version,
                kind=kind.kind,
                count=kind.count,
            )

    def _settle_deleted(self, job: Job) -> None:
        with transaction(self._connection):
            self._queue.finish(job, SOURCE_DELETED)
            self._sessions.mark_source_deleted(job.session_id)
        self._log.warning(LogEvent.TRANSCRIPT_VANISHED, job_id=job.id, session_id=job.session_id)

    def _postpone(self, job: Job, reason: str, *, engine_died: bool = False) -> None:
        due = self._queue.postpone(job, reason, engine_died=engine_died)
        self._log.warning(
            LogEvent.JOB_POSTPONED,
            job_id=job.id,
            session_id=job.session_id,
            reason=reason,
            not_before=due.isoformat(),
        )

    def _fail(self, job: Job, reason: str, *, retryable: bool) -> None:
        state = self._queue.fail(job, reason, retryable=retryable)
        self._log.error(
            LogEvent.JOB_DEAD if state is JobState.DEAD else LogEvent.JOB_FAILED,
            job_id=job.id,
            session_id=job.session_id,
            attempt=job.attempts,
            reason=reason,
        )

    def _paused_until(self) -> datetime | None:
        """Return until when no job is to be claimed; None when one may be."""
        pauses = [
            until for until in (self._warm.paused_until, self._blocked_until) if until is not None
        ]
        latest = max(pauses, default=None)
        return latest if latest is not None and latest > self._now() else None

    def _nap(self) -> float:
        """Return for how many seconds there is nothing to do, as far as can be told."""
        due = self._paused_until() or self._queue.next_due()
        nap = _LONGEST_NAP if due is None else min(_LONGEST_NAP, due - self._now())
        return max(0.05, nap.total_seconds())

    def _progress(self) -> None:
        self._moved = self._monotonic()


def release(queue: Queue, job: Job) -> bool:
    """Put back the job of a worker that is being left; False when it just settled it itself."""
    try:
        queue.release(job)
    except JobLostError:
        return False
    logger().info(LogEvent.JOB_RELEASED, job_id=job.id, session_id=job.session_id)
    return True


def _lost(gaps: Gaps) -> dict[str, Any]:
    """Return what could not be read as fields of the log; none when all was."""
    fields: dict[str, Any] = {
        "broken_lines": gaps.broken,
        "recovered_lines": gaps.recovered,
        "unknown_lines": gaps.unknown,
        "skipped_bytes": gaps.skipped_bytes,
        "elided_chars": gaps.elided_chars,
        "truncated": gaps.truncated,
    }
    return {name: value for name, value in fields.items() if value}


def _describe(error: Exception) -> str:
    """Say what kind of defect and where; its message may hold words of the transcript."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{where}"
