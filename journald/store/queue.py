"""The queue of sessions that want an entry.

    pending ──claim──▶ running ──finish──▶ done
       ▲                  ├──fail────────▶ dead      attempts spent, or trying again cannot help
       ├──fail────────────┤                          attempt kept, waits its back-off
       ├──postpone────────┤                          attempt given back, waits its back-off
       ├──release─────────┤                          attempt given back
       ├──orphaned────────┘                          attempt kept: the process died under it
       └──retry────────── dead

Invariants, kept by the schema: one pending and one running job per session; a running job has
an owner, no other has; every transition stands in `job_events`. An attempt is counted when it
is claimed, so a job that kills the process is counted too. A job that has to go back while
another for its session waits already is done as `superseded`, and that other inherits its count.
"""

from __future__ import annotations

import random as randomness
import secrets
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from journald import config
from journald.errors import JobLostError
from journald.store.database import execute, rows, transaction
from journald.store.times import from_microseconds, to_microseconds


class JobState(StrEnum):
    """States of a job; the words are persisted."""

    PENDING = "pending"  # → running
    RUNNING = "running"  # → pending, done, dead
    DONE = "done"
    DEAD = "dead"  # → pending


class JobReason(StrEnum):
    """Why a session was queued; the words are persisted."""

    NEW = "new"  # idle for the first time
    GROWN = "grown"  # idle again, with more in it than its entry tells
    NARRATIVE = "narrative"  # its entry still waits for a narrative by the model


SUPERSEDED = "superseded"
_DOUBLINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A claimed job."""

    id: int
    session_id: str
    path: Path
    reason: JobReason
    attempts: int
    """Runs, this one included."""
    postponed: int
    """Times it was put back for a reason outside of it."""
    engine_deaths: int
    """Times the engine died under it."""
    queued_at: datetime
    owner: str


class Queue:
    """The queue, seen through one connection; used by the thread that the connection is for."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        settings: config.Queue,
        now: Callable[[], datetime],
        *,
        random: Callable[[], float] = randomness.random,
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._now = now
        self._random = random

    def enqueue(
        self,
        session_id: str,
        path: Path,
        reason: JobReason,
        *,
        not_before: datetime | None = None,
    ) -> bool:
        """Queue a session, due at `not_before` or after the longest pause; False when it waits.

        A job that waits for a narrative only is turned into one for what is new.
        """
        now = self._now()
        values = {
            "session_id": session_id,
            "path": str(path),
            "reason": reason,
            "now": to_microseconds(now),
            "not_before": to_microseconds(
                min(not_before or now, now + self._settings.wait_at_most)
            ),
        }
        with transaction(self._connection):
            made = execute(
                self._connection,
                "INSERT INTO jobs (session_id, path, reason, state, cause, queued_us,"
                " not_before_us, changed_us) VALUES (:session_id, :path, :reason, 'pending',"
                " 'queued', :now, :not_before, :now)"
                " ON CONFLICT (session_id) WHERE state = 'pending' DO NOTHING",
                values,
            )
            if not made and reason is not JobReason.NARRATIVE:
                execute(
                    self._connection,
                    "UPDATE jobs SET reason = :reason, path = :path,"
                    " not_before_us = min(not_before_us, :not_before)"
                    " WHERE session_id = :session_id AND state = 'pending'"
                    " AND reason = 'narrative'",
                    values,
                )
        return made == 1

    def claim(self) -> Job | None:
        """Take the next job that is due, and count the attempt; None when there is none.

        Those that failed come after those that did not, so that no session holds up the others;
        entries that only wait for their narrative come last.
        """
        owner, now = secrets.token_hex(8), self._now()
        with transaction(self._connection):
            claimed = rows(
                self._connection,
                "UPDATE jobs SET state = 'running', cause = 'claimed', owner = :owner,"
                " attempts = attempts + 1, claimed_us = :now, changed_us = :now"
                " WHERE id = (SELECT id FROM jobs AS waiting WHERE state = 'pending'"
                "  AND (not_before_us <= :now OR not_before_us > :horizon)"
                "  AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE"
                "   other.session_id = waiting.session_id AND other.state = 'running')"
                "  ORDER BY reason = 'narrative', attempts + engine_deaths, queued_us, id LIMIT 1)"
                " RETURNING *",
                {
                    "owner": owner,
                    "now": to_microseconds(now),
                    # No pause is longer: the clock was set back since it began.
                    "horizon": to_microseconds(now + self._settings.wait_at_most),
                },
            )
        return _job(claimed[0]) if claimed else None

    def finish(self, job: Job, outcome: str) -> None:
        """Settle `job`; its entry, if there is to be one, is durable. Raises JobLostError."""
        self._settle(job, JobState.DONE, cause="finished", outcome=outcome)

    def fail(self, job: Job, error: str, *, retryable: bool) -> JobState:
        """Put `job` back with a back-off, or give it up; return which. Raises JobLostError."""
        if not retryable or job.attempts >= self._settings.attempts:
            self._settle(job, JobState.DEAD, cause="failed", error=error)
            return JobState.DEAD
        wait = self.back_off(job.attempts)
        return self._put_back(job, cause="failed", error=error, not_before=self._now() + wait)

    def postpone(self, job: Job, error: str, *, engine_died: bool = False) -> datetime:
        """Put `job` back uncounted for a reason outside of it; return when it is due.

        Raises JobLostError.
        """
        due = self._now() + self.back_off(job.postponed + 1)
        self._put_back(
            job,
            cause="postponed",
            error=error,
            not_before=due,
            uncount=True,
            postponed=1,
            engine_deaths=int(engine_died),
        )
        return due

    def release(self, job: Job) -> None:
        """Put `job` back uncounted, due at once: the daemon is leaving. Raises JobLostError."""
        self._put_back(job, cause="released", not_before=self._now(), uncount=True)

    def requeue_orphans(self) -> int:
        """Put back what a process left running that is gone; return how many jobs.

        Only for who holds the state folder's lock and runs no job. Attempts stay counted;
        a job that has spent them is given up.
        """
        error = "the process ended while the job ran"
        with transaction(self._connection):
            orphans = [
                _job(row)
                for row in rows(self._connection, "SELECT * FROM jobs WHERE state = 'running'")
            ]
            for job in orphans:
                if job.attempts >= self._settings.attempts:
                    self._settle(job, JobState.DEAD, cause="orphaned", error=error)
                else:
                    due = self._now() + self.back_off(job.attempts - 1)
                    self._put_back(job, cause="orphaned", error=error, not_before=due)
        return len(orphans)

    def retry(self, job_id: int) -> bool:
        """Queue a dead job anew, attempts forgotten.

        False when there is no such dead job, or its session waits already.
        """
        with transaction(self._connection):
            return (
                execute(
                    self._connection,
                    "UPDATE jobs SET state = 'pending', cause = 'retried', attempts = 0,"
                    " not_before_us = :now, changed_us = :now"
                    " WHERE id = :id AND state = 'dead' AND NOT EXISTS (SELECT 1 FROM jobs AS other"
                    "  WHERE other.session_id = jobs.session_id AND other.state = 'pending')",
                    {"id": job_id, "now": to_microseconds(self._now())},
                )
                == 1
            )

    def next_due(self) -> datetime | None:
        """Return when the next waiting job may be claimed; None when nothing waits."""
        found = rows(
            self._connection,
            "SELECT min(not_before_us) AS due FROM jobs WHERE state = 'pending'",
        )[0]["due"]
        return None if found is None else from_microseconds(found)

    def back_off(self, times: int) -> timedelta:
        """Return the pause after the `times`-th failure in a row: doubling, capped, jittered."""
        if times < 1:
            return timedelta()
        # The exponent is bounded: 2 ** 64 pauses would not fit a timedelta.
        doubled = self._settings.wait * (1 << min(times - 1, _DOUBLINGS))
        pause = min(self._settings.wait_at_most, doubled)
        return pause * (0.5 + 0.5 * self._random())

    def _settle(
        self, job: Job, state: JobState, *, cause: str, outcome: str | None = None, error: str = ""
    ) -> None:
        self._move(
            job,
            "state = :state, cause = :cause, owner = NULL, outcome = :outcome, error = :error,"
            " changed_us = :now",
            {"state": state, "cause": cause, "outcome": outcome, "error": error},
        )

    def _put_back(
        self,
        job: Job,
        *,
        cause: str,
        not_before: datetime,
        error: str = "",
        uncount: bool = False,
        postponed: int = 0,
        engine_deaths: int = 0,
    ) -> JobState:
        values = {
            "cause": cause,
            "error": error,
            "due": to_microseconds(not_before),
            "attempts": job.attempts - int(uncount),
            "postponed": job.postponed + postponed,
            "deaths": job.engine_deaths + engine_deaths,
        }
        with transaction(self._connection):
            if self._inherit(job, values):
                self._settle(job, JobState.DONE, cause=cause, outcome=SUPERSEDED, error=error)
                return JobState.DONE
            self._move(
                job,
                "state = 'pending', cause = :cause, owner = NULL, error = :error,"
                " not_before_us = :due, attempts = :attempts, postponed = :postponed,"
                " engine_deaths = :deaths, changed_us = :now",
                values,
            )
        return JobState.PENDING

    def _inherit(self, job: Job, values: Mapping[str, Any]) -> bool:
        """Hand the counts to the job that waits for the same session, if there is one."""
        return (
            execute(
                self._connection,
                "UPDATE jobs SET attempts = max(attempts, :attempts),"
                " postponed = max(postponed, :postponed),"
                " engine_deaths = max(engine_deaths, :deaths),"
                " not_before_us = max(not_before_us, :due)"
                " WHERE session_id = :session_id AND state = 'pending'",
                {**values, "session_id": job.session_id},
            )
            == 1
        )

    def _move(self, job: Job, assignments: str, values: Mapping[str, Any]) -> None:
        with transaction(self._connection):
            moved = execute(
                self._connection,
                f"UPDATE jobs SET {assignments}"  # noqa: S608 - the assignments are literals of this file
                " WHERE id = :id AND owner = :owner AND state = 'running'",
                {
                    **values,
                    "id": job.id,
                    "owner": job.owner,
                    "now": to_microseconds(self._now()),
                },
            )
            if not moved:
                raise JobLostError(f"job {job.id} is no longer held by this worker")


def _job(row: sqlite3.Row) -> Job:
    return Job(
        id=row["id"],
        session_id=row["session_id"],
        path=Path(row["path"]),
        reason=JobReason(row["reason"]),
        attempts=row["attempts"],
        postponed=row["postponed"],
        engine_deaths=row["engine_deaths"],
        queued_at=from_microseconds(row["queued_us"]),
        owner=row["owner"],
    )
