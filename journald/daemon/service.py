"""The daemon, put together: lock, database, observer, tracker, worker, engine, heartbeat.

Three threads: the watcher's own, the worker's, and this one, which scans, judges, beats and
tells systemd that all of them turn.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TextIO

from journald import __version__, files, logs
from journald.config import Settings
from journald.daemon.lock import InstanceLock
from journald.daemon.scribe import Scribe
from journald.daemon.signals import StopRequest, stop_on_signals
from journald.daemon.systemd import Notifier
from journald.daemon.tracker import Tracker
from journald.daemon.warm import WarmEngine, warm_engine
from journald.daemon.worker import AFTER_DATABASE_TROUBLE, Worker, release
from journald.daemon.zone import local_zone
from journald.errors import (
    ExitCode,
    NotebookError,
    StateCorruptError,
    StateError,
    StateUnavailableError,
)
from journald.journal.notebook import Notebook
from journald.logs import LogEvent, logger
from journald.store.database import database_path, open_database, set_aside, transaction
from journald.store.heartbeat import Heartbeat, Phase, write_heartbeat
from journald.store.queue import Queue
from journald.store.sessions import Sessions
from journald.summary.narrative import Status
from journald.watch.observer import Observer

_BEAT_EVERY = timedelta(seconds=30)
_TO_START = timedelta(minutes=2)  # asked of systemd anew with every transcript of the first scan
_SOONEST_RESCAN = timedelta(seconds=10)
_CALM = timedelta(seconds=1)  # hints of one burst are taken together
_SHORTEST_WAIT = 0.05


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def utc_now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def run(
    settings: Settings,
    environment: Mapping[str, str],
    *,
    now: Callable[[], datetime] = utc_now,
    monotonic: Callable[[], float] = time.monotonic,
    stop: StopRequest | None = None,
    warm: WarmEngine | None = None,
    stream: TextIO | None = None,
) -> ExitCode:
    """Run the daemon until it is asked to stop.

    Without `stop`, SIGTERM and SIGINT ask; that needs the main thread. Raises
    AlreadyRunningError, and StateError when the database cannot be used from the start.
    """
    logs.configure(settings.log, stream or sys.stderr)
    request = stop or StopRequest()
    signals: AbstractContextManager[None] = (
        nullcontext() if stop is not None else stop_on_signals(request)
    )
    with InstanceLock(settings.state_dir), signals:
        engine = warm or warm_engine(settings.engine, environment, now)
        service = Service(settings, environment, engine, request, now=now, monotonic=monotonic)
        return service.run()


class Service:
    """One life of the daemon; whoever makes it holds the lock."""

    def __init__(
        self,
        settings: Settings,
        environment: Mapping[str, str],
        warm: WarmEngine,
        request: StopRequest,
        *,
        now: Callable[[], datetime],
        monotonic: Callable[[], float],
    ) -> None:
        self._settings = settings
        self._environment = environment
        self._warm = warm
        self._request = request
        self._now = now
        self._monotonic = monotonic
        self._log = logger()
        self._notifier = Notifier(environment)
        self._notebook = Notebook(settings.notes_dir, settings.journal)
        self._observer = Observer(settings.projects, request.wake)
        self._started = now()
        self._last_scan = self._last_beat = self._last_ping = -float("inf")
        self._rescan = False
        self._trouble = ""
        self._database: tuple[int, int] | None = None

    def run(self) -> ExitCode:
        """Start, work until asked to stop, and leave everything in order."""
        self._notifier.status("starting")
        with ExitStack() as stack:
            connection = stack.enter_context(closing(self._open()))
            worker, thread = self._worker(stack)
            queue = Queue(connection, self._settings.queue, self._now)
            self._check_database()
            self._beat(connection, Phase.STARTING)
            self._prepare(connection, queue)
            tracker = Tracker(
                connection,
                queue,
                self._settings.idle,
                self._settings.projects,
                self._now,
                stopping=lambda: self._request.asked,
            )
            stack.callback(self._observer.stop)
            self._observer.start()
            # What a first scan of thousands finds need not wait for its end.
            stack.callback(worker.stop)
            thread.start()
            if self._scan(tracker, lambda: self._notifier.extend(_TO_START)):
                worker.wake()
            self._beat(connection, Phase.WATCHING)
            self._notifier.ready("watching")
            self._log.info(LogEvent.DAEMON_STARTED, version=__version__, pid=os.getpid())
            code = self._loop(connection, tracker, worker, thread)
            self._stop(connection, queue, worker, thread)
            return code

    def _open(self) -> sqlite3.Connection:
        path = database_path(self._settings.state_dir)
        try:
            return open_database(path, migrate=True)
        except StateCorruptError as error:
            aside = set_aside(path, self._now())
            self._log.error(LogEvent.DATABASE_SET_ASIDE, path=str(aside), reason=str(error))
            return open_database(path, migrate=True)

    def _prepare(self, connection: sqlite3.Connection, queue: Queue) -> None:
        """Clear up after a process that was killed; at the first start, learn what is there."""
        removed = files.remove_temporaries(self._settings.state_dir)
        try:
            removed += self._notebook.remove_temporaries()
        except NotebookError as error:
            # Away just now: jobs wait until it is back.
            self._log.warning(LogEvent.NOTEBOOK_MISSED, reason=str(error))
        if removed:
            self._log.info(LogEvent.TEMPORARIES_REMOVED, files=removed)
        requeued = queue.requeue_orphans()
        if requeued:
            self._log.warning(LogEvent.JOBS_REQUEUED, jobs=requeued)
        sessions = Sessions(connection)
        if sessions.history_before() is None:
            with transaction(connection):
                self._adopt_entries(sessions)
                now = self._now()
                sessions.set_origin(now, now - self._settings.backlog)

    def _adopt_entries(self, sessions: Sessions) -> None:
        """Learn from the entries themselves which sessions were journaled already."""
        adopted = 0
        for entry in self._notebook.entries():
            whole = entry.status == Status.COMPLETE
            adopted += sessions.adopt(
                entry.session_id,
                mark=entry.fingerprint if whole else "",
                entry=entry.path,
                status=str(entry.status),
            )
        if adopted:
            self._log.info(LogEvent.ENTRIES_RECOVERED, entries=adopted)

    def _worker(self, stack: ExitStack) -> tuple[Worker, threading.Thread]:
        connection = open_database(
            database_path(self._settings.state_dir), migrate=False, any_thread=True
        )
        scribe = Scribe(
            self._settings,
            self._notebook,
            self._warm.obtain,
            zone=local_zone(self._environment),
            now=self._now,
        )
        worker = Worker(
            connection,
            Queue(connection, self._settings.queue, self._now),
            scribe,
            self._warm,
            self._settings,
            now=self._now,
            monotonic=self._monotonic,
        )
        thread = threading.Thread(target=worker.run, name="worker", daemon=True)

        def close() -> None:
            # A worker that outlived the grace still uses it; it goes down with the process.
            if not thread.is_alive():
                connection.close()

        stack.callback(close)
        return worker, thread

    def _loop(
        self,
        connection: sqlite3.Connection,
        tracker: Tracker,
        worker: Worker,
        thread: threading.Thread,
    ) -> ExitCode:
        while not self._request.asked:
            if not thread.is_alive():
                self._log.error(LogEvent.WORKER_FAILED)
                return ExitCode.UNEXPECTED
            try:
                if self._turn(tracker):
                    worker.wake()
                self._beat_when_due(connection)
                self._trouble = ""
            except StateUnavailableError as error:
                self._wait_for_database(error)
            except StateError as error:
                # The next start sets a damaged database aside; this process cannot.
                self._log.error(LogEvent.DATABASE_FAILED, error=str(error))
                return ExitCode.UNEXPECTED
            if worker.moving:
                self._ping_when_due()
            self._wait(tracker)
        return ExitCode.OK

    def _wait_for_database(self, error: StateUnavailableError) -> None:
        """Say it once, and give the disk time: what is due stays due while nothing is stored."""
        if str(error) != self._trouble:
            self._trouble = str(error)
            self._log.error(LogEvent.DATABASE_FAILED, error=self._trouble)
        self._request.wait(AFTER_DATABASE_TROUBLE.total_seconds())

    def _turn(self, tracker: Tracker) -> int:
        hinted, lost = self._observer.take()
        self._rescan = self._rescan or lost
        queued = 0
        age = self._monotonic() - self._last_scan
        every = self._settings.idle.scan_every.total_seconds()
        if age >= every or (self._rescan and age >= min(every, _SOONEST_RESCAN.total_seconds())):
            self._observer.refresh()
            queued += self._scan(tracker, self._ping_when_due)
        elif hinted:
            queued += tracker.look(hinted)
        return queued + tracker.judge_due()

    def _scan(self, tracker: Tracker, progress: Callable[[], None]) -> int:
        self._rescan = False
        found = tracker.scan(progress)
        self._last_scan = self._monotonic()
        return found.queued

    def _wait(self, tracker: Tracker) -> None:
        """Sleep until something is due, hinted or asked."""
        if self._request.wake.wait(self._until_due(tracker)):
            self._request.wake.clear()
            calm = min(_CALM, self._settings.idle.after / 10)
            self._request.wait(calm.total_seconds())

    def _until_due(self, tracker: Tracker) -> float:
        waits = [
            _BEAT_EVERY.total_seconds(),
            self._settings.idle.scan_every.total_seconds() - (self._monotonic() - self._last_scan),
        ]
        if self._notifier.ping_every is not None:
            waits.append(self._notifier.ping_every.total_seconds())
        try:
            look = tracker.next_look()
        except StateError:
            # The next turn meets the same fault and reports it.
            look = None
        if look is not None:
            waits.append((look - self._now()).total_seconds())
        return max(_SHORTEST_WAIT, min(waits))

    def _beat_when_due(self, connection: sqlite3.Connection) -> None:
        if self._monotonic() - self._last_beat >= _BEAT_EVERY.total_seconds():
            self._check_database()
            self._beat(connection, Phase.WATCHING)

    def _check_database(self) -> None:
        """Notice that the file in use is no longer the one that everybody else sees.

        Raises StateError.
        """
        path = database_path(self._settings.state_dir)
        found = _identity(path)
        if self._database is None:
            self._database = found
        if found is None or found != self._database:
            raise StateError(f"{path} was removed or replaced while it was in use")

    def _beat(self, connection: sqlite3.Connection, phase: Phase) -> None:
        write_heartbeat(
            connection,
            Heartbeat(
                pid=os.getpid(),
                version=__version__,
                started=self._started,
                beat=self._now(),
                phase=phase,
                engine=self._warm.name,
                engine_state=self._warm.state,
                engine_reason=self._warm.reason,
                watcher=self._observer.mode,
            ),
        )
        self._last_beat = self._monotonic()

    def _ping_when_due(self) -> None:
        every = self._notifier.ping_every
        if every is not None and self._monotonic() - self._last_ping >= every.total_seconds() / 2:
            self._notifier.alive()
            self._last_ping = self._monotonic()

    def _stop(
        self,
        connection: sqlite3.Connection,
        queue: Queue,
        worker: Worker,
        thread: threading.Thread,
    ) -> None:
        grace = self._settings.queue.grace
        self._notifier.stopping()
        self._notifier.extend(grace + _TO_START)
        self._log.info(LogEvent.DAEMON_STOPPING, grace_s=grace.total_seconds())
        worker.stop()
        self._observer.stop()
        try:
            self._beat(connection, Phase.STOPPING)
            thread.join(grace.total_seconds())
            job = worker.job
            if thread.is_alive() and job is not None:
                release(queue, job)
            self._beat(connection, Phase.STOPPED)
        except StateError as error:
            # What is left running is requeued at the next start.
            self._log.error(LogEvent.DATABASE_FAILED, error=str(error))
        self._log.info(LogEvent.DAEMON_STOPPED)
