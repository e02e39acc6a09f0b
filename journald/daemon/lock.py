"""One daemon per state folder, by a lock that the kernel drops when its holder dies."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from journald.errors import AlreadyRunningError, StateError, StateUnavailableError
from journald.files import PRIVATE_FILE, make_private_folder

LOCK_NAME = "journald.lock"
# A restart later may find it well.
_PASSING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO})
_TRIES = 4
_PAUSE_SECONDS = 0.05


def lock_path(state_dir: Path) -> Path:
    """Return where the lock of a state folder lies."""
    return state_dir / LOCK_NAME


class InstanceLock:
    """The lock of a state folder, held while the context lasts.

    Raises AlreadyRunningError when another process holds it, StateError when the folder cannot
    be written.
    """

    def __init__(self, state_dir: Path) -> None:
        self._path = lock_path(state_dir)
        self._descriptor = -1

    def __enter__(self) -> Self:
        try:
            make_private_folder(self._path.parent)
            self._descriptor = os.open(
                self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE
            )
        except OSError as error:
            passing = error.errno in _PASSING
            raise (StateUnavailableError if passing else StateError)(
                f"{self._path} cannot be written: {error.strerror}",
                hint="make room on that disk"
                if passing
                else "look at the rights of the state folder, or set `state_dir` to another one",
            ) from error
        if not self._acquire():
            holder = os.pread(self._descriptor, 32, 0).decode(errors="replace").strip()
            self._close()
            raise AlreadyRunningError(
                f"another journald (process {holder or 'unknown'}) holds {self._path.parent}",
                hint="`journald status` shows how it is; stop it first, or set another `state_dir`",
            )
        # For people only: what counts is the lock, since a process id is soon another's.
        with suppress(OSError):  # a full disk
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._close()

    def _acquire(self) -> bool:
        # `is_locked` holds the lock for an instant; that is not another daemon.
        for attempt in range(_TRIES):
            if attempt:
                time.sleep(_PAUSE_SECONDS)
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            return True
        return False

    def _close(self) -> None:
        os.close(self._descriptor)
        self._descriptor = -1


def is_locked(state_dir: Path) -> bool:
    """Say whether a daemon holds the state folder. Changes nothing."""
    try:
        descriptor = os.open(lock_path(state_dir), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StateError(
            f"{lock_path(state_dir)} cannot be read: {error.strerror}",
            hint="look at the rights of the state folder",
        ) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
