"""From files to the queue: finds transcripts, judges whether they are idle, queues them.

A file that changed is not read at once but when its session could be idle at the earliest,
counted from the file's own time; so a session at work costs one reading per `idle.after`,
however often it is appended to. What the reading shows decides.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from journald.config import Idle
from journald.errors import TranscriptError, TranscriptMissingError
from journald.files import is_file, is_folder, is_gone
from journald.logs import LogEvent, logger
from journald.store.database import transaction
from journald.store.queue import JobReason, Queue
from journald.store.sessions import Known, Sessions, Standing
from journald.transcript.discovery import find_transcripts
from journald.transcript.reader import Reader
from journald.watch.content import content_mark, last_event, last_subagent_event
from journald.watch.idle import Observation, Verdict, VerdictKind, judge
from journald.watch.state import FilesState, files_state


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """What a scan found."""

    transcripts: int
    queued: int
    missing_roots: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    mark: str
    last_event: datetime | None
    subagents: datetime | None
    pending: bool

    @property
    def last_activity(self) -> datetime | None:
        return max((at for at in (self.last_event, self.subagents) if at), default=None)


class Tracker:
    """Keeps the table of sessions true and the queue fed; used by one thread."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        queue: Queue,
        settings: Idle,
        roots: Sequence[Path],
        now: Callable[[], datetime],
        *,
        stopping: Callable[[], bool] = lambda: False,
    ) -> None:
        self._connection = connection
        self._sessions = Sessions(connection)
        self._queue = queue
        self._settings = settings
        self._roots = tuple(roots)
        self._now = now
        self._stopping = stopping
        self._reader = Reader()
        self._log = logger()
        self._longest = max(settings.after, settings.pending_after)
        self._named: set[Path] = set()
        self._history_before = self._sessions.history_before()

    def scan(self, progress: Callable[[], None] = lambda: None) -> Scan:
        """Look at every transcript of every root. `progress` is called for each.

        Raises StateError.
        """
        listed = {root: self._list(root) for root in self._roots}
        present = [root for root, paths in listed.items() if paths is not None]
        missing = tuple(root for root in self._roots if root not in present)
        found = self._without_copies(path for paths in listed.values() for path in paths or ())
        self._set_old_aside(found, progress)
        known = self._sessions.all()
        queued = 0
        for session_id, path in found.items():
            if self._stopping():
                break
            progress()
            queued += self._check(session_id, path, known.get(session_id))
        for session in known.values():
            if session.session_id not in found:
                self._check_vanished(session, present)
        self._log.debug(LogEvent.SCAN_FINISHED, transcripts=len(found), queued=queued)
        return Scan(transcripts=len(found), queued=queued, missing_roots=missing)

    def _set_old_aside(self, found: Mapping[str, Path], progress: Callable[[], None]) -> None:
        """Take files that are unknown and old for history, unread, in one transaction.

        No row can be younger than its file.
        """
        known = self._sessions.all()
        with transaction(self._connection):
            for session_id, path in found.items():
                if session_id in known or self._stopping():
                    continue
                progress()
                state = self._state(session_id, path)
                if state is not None and self._is_history(state.modified):
                    self._sessions.mark_history(session_id, path, state.signature, "")

    def _list(self, root: Path) -> tuple[Path, ...] | None:
        """Return the transcripts of a root; None when it is not there, or not ours to read."""
        try:
            if is_folder(root):
                return find_transcripts(root)
        except OSError as error:
            self._say_once(LogEvent.ROOT_MISSED, root, reason=error.strerror)
        else:
            self._say_once(LogEvent.ROOT_MISSED, root, reason="there is no such folder yet")
        return None

    def look(self, transcripts: Iterable[Path]) -> int:
        """Look at `transcripts`, of which a hint came; return how many were queued."""
        queued = 0
        for path in sorted(transcripts):
            known = self._sessions.get(path.stem)
            if known is None or known.path == path or not is_file(known.path):
                queued += self._check(path.stem, path, known)
        return queued

    def judge_due(self) -> int:
        """Judge the sessions whose time has come; return how many were queued."""
        queued = 0
        for known in self._sessions.due(self._now(), self._longest):
            # Should nothing be decided (its folder is away), it is not due again at once.
            self._sessions.look_again(known.session_id, self._now() + self._settings.scan_every)
            state = self._state(known.session_id, known.path)
            if state is None:
                self._check_vanished(known, self._roots)
            elif known.mark and state.signature == known.signature:
                queued += self._decide(known.session_id, known.path, state, _stored(known))
            else:
                queued += self._examine(known.session_id, known.path, state)
        return queued

    def next_look(self) -> datetime | None:
        """Return when the next session wants to be judged."""
        return self._sessions.next_look()

    def _check(self, session_id: str, path: Path, known: Known | None) -> int:
        state = self._state(session_id, path)
        if state is None:
            return 0
        if known is not None and known.signature == state.signature:
            if known.path != path:
                self._sessions.moved(session_id, path)
            # What could not be read may be readable now: rights are no part of a file's state.
            if known.standing not in {Standing.SOURCE_DELETED, Standing.UNREADABLE}:
                return 0
        now = self._now()
        soonest = min(state.modified, now) + self._settings.after
        if soonest > now:
            self._notice(session_id, path, soonest, known)
            return 0
        return self._examine(session_id, path, state)

    def _notice(self, session_id: str, path: Path, at: datetime, known: Known | None) -> None:
        # A session at work is noticed with every row; that is no reason to write every time.
        if known is None or known.look_at is None or known.look_at > at or known.path != path:
            self._sessions.notice(session_id, path, at)

    def _examine(self, session_id: str, path: Path, state: FilesState) -> int:
        try:
            session = self._reader.read(path)
        except TranscriptMissingError:
            return 0
        except TranscriptError as error:
            self._unreadable(session_id, path, state, str(error))
            return 0
        reading = _Reading(
            mark=content_mark(session),
            last_event=last_event(session),
            subagents=last_subagent_event(session),
            pending=bool(session.pending_calls),
        )
        return self._decide(session_id, path, state, reading)

    def _decide(self, session_id: str, path: Path, state: FilesState, reading: _Reading) -> int:
        now = self._now()
        with transaction(self._connection):
            known = self._sessions.get(session_id)
            if (known is None or not known.handled_mark) and self._is_history(
                reading.last_activity or state.modified
            ):
                self._sessions.mark_history(session_id, path, state.signature, reading.mark)
                return 0
            seen = _seen(known, reading.mark, now)
            self._sessions.observe(
                session_id,
                path,
                signature=state.signature,
                mark=reading.mark,
                seen_at=seen,
                last_activity=reading.last_activity,
                pending=reading.pending,
            )
            observation = Observation(
                changed=known is None or known.handled_mark != reading.mark,
                last_event=reading.last_event,
                subagents=reading.subagents,
                pending=reading.pending,
                modified=state.modified,
                seen=seen,
            )
            verdict = judge(observation, now, self._settings)
            return self._apply(session_id, path, known, reading.mark, verdict)

    def _apply(
        self, session_id: str, path: Path, known: Known | None, mark: str, verdict: Verdict
    ) -> int:
        if verdict.kind is not VerdictKind.IDLE:
            self._sessions.look_again(session_id, verdict.until)
            return 0
        grown = known is not None and known.entry_path is not None
        self._queue.enqueue(session_id, path, JobReason.GROWN if grown else JobReason.NEW)
        self._sessions.mark_queued(session_id, mark)
        self._log.info(LogEvent.SESSION_IDLE, session_id=session_id, grown=grown)
        return 1

    def _check_vanished(self, known: Known, roots: Sequence[Path]) -> None:
        open_ = known.standing in {Standing.OPEN, Standing.UNREADABLE}
        # A folder that is not mounted just now took nothing away.
        here = any(is_folder(root) and known.path.is_relative_to(root) for root in roots)
        if not here or not is_gone(known.path) or not (open_ or known.look_at):
            return
        if open_:
            self._sessions.mark_source_deleted(known.session_id)
        else:
            self._sessions.look_again(known.session_id, None)
        self._log.warning(
            LogEvent.TRANSCRIPT_VANISHED, session_id=known.session_id, standing=known.standing
        )

    def _state(self, session_id: str, path: Path) -> FilesState | None:
        try:
            return files_state(path)
        except OSError as error:
            reason = f"{path} cannot be looked at: {error.strerror}"
            self._unreadable(session_id, path, None, reason)
            return None

    def _unreadable(
        self, session_id: str, path: Path, state: FilesState | None, reason: str
    ) -> None:
        known = self._sessions.get(session_id)
        signature = state.signature if state else ""
        self._sessions.mark_unreadable(session_id, path, signature, reason)
        if known is None or (known.standing, known.reason) != (Standing.UNREADABLE, reason):
            self._log.warning(LogEvent.SESSION_UNREADABLE, session_id=session_id, reason=reason)

    def _is_history(self, moment: datetime) -> bool:
        return self._history_before is not None and moment < self._history_before

    def _without_copies(self, paths: Iterable[Path]) -> dict[str, Path]:
        """Keep one file per session: of copies the longest, which holds what the others do."""
        found: dict[str, Path] = {}
        for path in paths:
            other = found.setdefault(path.stem, path)
            if other != path:
                kept = max(other, path, key=_size)
                found[path.stem] = kept
                self._say_once(LogEvent.TRANSCRIPT_COPY_IGNORED, path if kept == other else other)
        return found

    def _say_once(self, event: LogEvent, path: Path, **fields: str | None) -> None:
        if path not in self._named:
            self._named.add(path)
            self._log.warning(event, path=str(path), **fields)


def _seen(known: Known | None, mark: str, now: datetime) -> datetime:
    """Return when this content was seen first; a time to come is from before a clock step."""
    if known is None or known.mark != mark or known.mark_seen_at is None:
        return now
    return min(known.mark_seen_at, now)


def _stored(known: Known) -> _Reading:
    return _Reading(
        mark=known.mark, last_event=known.last_activity, subagents=None, pending=known.pending
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
