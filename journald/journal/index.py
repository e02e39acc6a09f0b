"""Which file of the notes folder is whose entry, by what the files themselves say."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from journald.journal.document import Identity, front_of, identify, same_session
from journald.journal.layout import SUFFIX

_HEAD_BYTES = 16 * 1024
_FRONT_BYTES = 512 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An entry, or a newer version beside one, and its file."""

    path: Path
    identity: Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """The entry of one session, and the newer versions beside it."""

    entry: Found
    newer: tuple[Found, ...]

    @property
    def latest(self) -> Found:
        """The version that was written last."""
        return max((self.entry, *self.newer), key=lambda one: one.identity.written)


class Index:
    """Looks through a notes folder; a file that did not change is read once.

    Folders whose name starts with a dot belong to other programs. Links are not followed: what
    they lead to lies outside of the notes folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._seen: dict[Path, tuple[tuple[int, int], Identity | None]] = {}

    def found(self) -> Iterator[Found]:
        """Yield every entry in the folder, by path; none when there is no folder.

        Raises OSError when the folder cannot be read.
        """
        seen: dict[Path, tuple[tuple[int, int], Identity | None]] = {}
        for path in sorted(self._files()):
            state = _state(path)
            if state is None:
                continue
            known = self._seen.get(path)
            identity = known[1] if known and known[0] == state else _read(path)
            seen[path] = (state, identity)
            if identity is not None:
                yield Found(path=path, identity=identity)
        self._seen = seen

    def of(self, session_id: str) -> Versions | None:
        """Return the entry of a session; None when it has none. Raises OSError."""
        found = [one for one in self.found() if same_session(session_id, one.identity)]
        return _versions(found) if found else None

    def all(self) -> tuple[Versions, ...]:
        """Return the entries of all sessions. Raises OSError."""
        sessions: dict[str, list[Found]] = {}
        for one in self.found():
            sessions.setdefault(one.identity.session_id, []).append(one)
        return tuple(_versions(found) for found in sessions.values())

    def _files(self) -> Iterator[Path]:
        if not self._folder.is_dir():
            return
        for root, names in walk(self._folder):
            for name in names:
                if name.endswith(SUFFIX) and not name.startswith("."):
                    yield root / name


def walk(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield every folder from `folder` down, with its files' names. Raises OSError."""
    for root, folders, names in os.walk(folder, onerror=_raise):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield Path(root), names


def _raise(error: OSError) -> None:
    # A folder that went away in the meantime holds no entry; one that cannot be read might.
    if not isinstance(error, FileNotFoundError):
        raise error


def _state(path: Path) -> tuple[int, int] | None:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return (status.st_mtime_ns, status.st_size) if stat.S_ISREG(status.st_mode) else None


def _read(path: Path) -> Identity | None:
    try:
        with path.open("rb") as stream:
            text = stream.read(_HEAD_BYTES).decode(errors="replace")
            if text.startswith(("---", "\ufeff---")) and front_of(text) is None:
                text += stream.read(_FRONT_BYTES).decode(errors="replace")
    except FileNotFoundError:
        return None
    return identify(text) if "journald" in text else None


def _versions(found: Sequence[Found]) -> Versions:
    """Tell a session's entry from newer versions, and from copies.

    Of several copies the one with the plainest name is the entry, for copies made by people and
    by sync tools add to it. A newer version whose entry is gone is the entry.
    """
    proper = [one for one in found if not one.identity.beside]
    newer = sorted(
        (one for one in found if one.identity.beside), key=lambda one: one.identity.written
    )
    if not proper:
        return Versions(entry=newer[-1], newer=tuple(newer[:-1]))
    entry = min(proper, key=lambda one: (len(one.path.name), str(one.path)))
    return Versions(entry=entry, newer=tuple(newer))
