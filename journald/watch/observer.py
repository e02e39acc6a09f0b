"""Hints that transcripts changed, from the file system's own events.

A hint says "look here", never "this happened": events are lost on overflow, absent on network
mounts and limited in number. Whoever takes the hints also scans now and then.
"""

from __future__ import annotations

import errno
import logging
import os
import re
import threading
import warnings
from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from watchdog.events import (
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer as NativeObserver
from watchdog.observers.polling import PollingObserver

from journald.files import is_folder
from journald.logs import LogEvent, logger

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver, ObservedWatch

POLLING_INTERVAL = timedelta(seconds=30)

# Reading a transcript opens and closes it; hearing of that would be talking to ourselves.
_HEARD: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileDeletedEvent,
    DirMovedEvent,
    DirDeletedEvent,
]
_LIMITS = frozenset({errno.ENOSPC, errno.EMFILE, errno.ENFILE})
_ENDING = ".jsonl"
_PARTS_OF_A_TRANSCRIPT = 2  # project/session.jsonl
_SUBAGENTS = "subagents"
_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class WatchMode(StrEnum):
    """How changes are noticed."""

    NATIVE = "inotify"
    POLLING = "polling"  # the system's limit on watches is reached
    SCAN = "scan"  # by the periodic scan alone


def transcript_of(root: Path, path: Path) -> Path | None:
    """Return the main transcript that `path`, a file below `root`, belongs to; None for others.

    A sub-agent's transcript belongs to its parent. Pure: nothing is looked up.
    """
    if path.suffix != _ENDING or not path.is_relative_to(root):
        return None
    parts = path.relative_to(root).parts
    session = parts[1].removesuffix(_ENDING) if len(parts) >= _PARTS_OF_A_TRANSCRIPT else ""
    if not _SESSION.fullmatch(session):
        return None
    nested = len(parts) > _PARTS_OF_A_TRANSCRIPT
    return None if nested and parts[2] != _SUBAGENTS else root / parts[0] / f"{session}{_ENDING}"


class Observer:
    """Watches several roots and collects hints; thread-safe."""

    def __init__(self, roots: Sequence[Path], wake: threading.Event) -> None:
        self._roots = tuple(roots)
        self._wake = wake
        self._log = logger()
        self._lock = threading.Lock()
        self._dirty: set[Path] = set()
        self._rescan = False
        self._observer: BaseObserver | None = None
        self._watches: dict[Path, ObservedWatch] = {}
        self._warnings = _Warnings(self)
        self.mode = WatchMode.SCAN

    def start(self) -> None:
        """Watch the roots that exist; the others are taken up by `refresh` once they do."""
        # An overflow reaches us only as a warning that the library logs.
        library = logging.getLogger("watchdog")
        library.addHandler(self._warnings)
        library.propagate = False
        # A folder that is found twice, by its event and by a walk, is no concern of ours; where
        # warnings are errors, that one would end the watcher's thread.
        warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)
        self._begin(NativeObserver(), WatchMode.NATIVE)
        self.refresh()

    def refresh(self) -> None:
        """Watch roots that appeared since, and those whose watch died."""
        if self._observer is None:
            return
        if not self._observer.is_alive():
            self._degrade("the watcher's thread ended")
            return
        alive = {emitter.watch for emitter in self._observer.emitters if emitter.is_alive()}
        for root in self._roots:
            if is_folder(root) and self._watches.get(root) not in alive:
                self._watch(root)

    def take(self) -> tuple[frozenset[Path], bool]:
        """Return and forget the transcripts to look at, and whether everything should be."""
        with self._lock:
            taken = frozenset(self._dirty), self._rescan
            self._dirty.clear()
            self._rescan = False
        return taken

    def stop(self) -> None:
        """Stop watching; idempotent."""
        logging.getLogger("watchdog").removeHandler(self._warnings)
        observer, self._observer = self._observer, None
        if observer is not None and observer.is_alive():
            observer.stop()
            observer.join()

    def changed(self, path: Path) -> None:
        """Note a change of any file below a root."""
        for root in self._roots:
            transcript = transcript_of(root, path)
            if transcript is not None:
                with self._lock:
                    self._dirty.add(transcript)
                self._wake.set()
                return

    def lost(self) -> None:
        """Note that hints may have been lost."""
        with self._lock:
            self._rescan = True
        self._wake.set()

    def _begin(self, observer: BaseObserver, mode: WatchMode) -> None:
        self._watches.clear()
        self._observer = observer
        self.mode = mode
        try:
            observer.start()
        except (OSError, RuntimeError) as error:
            self._degrade(_reason(error))
        else:
            self._log.info(LogEvent.WATCHER_STARTED, mode=mode)

    def _watch(self, root: Path) -> None:
        if self._observer is None:
            return
        stale = self._watches.pop(root, None)
        if stale is not None:
            self._observer.unschedule(stale)
        try:
            self._watches[root] = self._observer.schedule(
                _Handler(self), str(root), recursive=True, event_filter=_HEARD
            )
        except OSError as error:
            if error.errno in _LIMITS:
                self._degrade(_reason(error))
            else:
                # Gone again, or not ours to read: the scan says so, and the next refresh tries.
                self._log.debug(LogEvent.WATCHER_WARNED, root=str(root), reason=_reason(error))

    def _degrade(self, reason: str) -> None:
        """Fall back from native events to polling, and from polling to the scan alone."""
        failed, previous = self._observer, self.mode
        self._observer = None
        if failed is not None and failed.is_alive():
            failed.stop()
            failed.join()
        to = WatchMode.POLLING if previous is WatchMode.NATIVE else WatchMode.SCAN
        self._log.warning(LogEvent.WATCHER_DEGRADED, mode=to, reason=reason)
        self.mode = to
        if to is WatchMode.POLLING:
            self._begin(PollingObserver(timeout=POLLING_INTERVAL.total_seconds()), to)
            self.refresh()
        self.lost()


class _Handler(FileSystemEventHandler):
    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.is_directory:
            self._observer.lost()
            return
        for name in (event.src_path, event.dest_path):
            if name:
                self._observer.changed(Path(os.fsdecode(name)))


class _Warnings(logging.Handler):
    """Turns what the library warns of into a scan."""

    def __init__(self, observer: Observer) -> None:
        super().__init__(logging.WARNING)
        self._observer = observer

    def emit(self, record: logging.LogRecord) -> None:
        logger().warning(LogEvent.WATCHER_WARNED, reason=record.getMessage())
        self._observer.lost()


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
