"""Names of files as tools and commands give them, folded into one."""

from __future__ import annotations

import ntpath
import posixpath
import re

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
# How Git Bash, Cygwin and WSL name a drive of Windows.
_DRIVE = re.compile(r"/(?:mnt/|cygdrive/)?([A-Za-z])(/.*)?")
# macOS keeps these folders elsewhere, and names them both ways.
_PRIVATE = re.compile(r"/private(/(?:tmp|var|etc)(?:/|\Z))")


class Paths:
    """Folds the ways in which one file is named."""

    def __init__(self, folders: tuple[str, ...], named: tuple[str, ...]) -> None:
        self._folders = folders
        self._windows = any(_WINDOWS.match(path) for path in (*folders, *named))
        self._names: dict[str, str] = {}
        self._keys: dict[str, str] = {}
        for path in named:
            if is_absolute(path):
                self._names.setdefault(self.key(path), _normal(path))

    def whole(self, path: str) -> str:
        """Return the absolute path of a file; as it is where no working directory is known.

        One file has one path, whichever way it is named: the one under which a tool was given
        it first.
        """
        if not path or is_absolute(path) or not self._folders:
            return self._named(path) if path else ""
        joined = [_join(folder, path) for folder in self._folders]
        known = (one for one in joined if self.key(one) in self._names)
        return self._named(next(known, joined[0]))

    def key(self, path: str) -> str:
        """Return what all names of one file have in common, `/` between its parts."""
        known = self._keys.get(path)
        if known is None:
            known = self._keys[path] = self._folded(path)
        return known

    def certain(self, path: str, folder: str | None) -> str | None:
        """Return the absolute path of a file that a command names; None when it is not certain."""
        if is_absolute(path):
            return self._named(path)
        if folder is None or not is_absolute(folder):
            return None
        return self._named(_join(folder, path))

    def same(self, first: str, second: str) -> bool:
        """Tell whether two absolute paths name one file."""
        return self.key(first) == self.key(second)

    def within(self, path: str, folder: str) -> str | None:
        """Return the part of an absolute `path` below `folder`; None where it lies elsewhere."""
        inner, outer = self.key(path), self.key(folder).rstrip("/")
        if not inner.startswith(f"{outer}/"):
            return None
        depth = inner.count("/") - outer.count("/")
        return "/".join(re.split(r"[\\/]", path)[-depth:])

    def below(self, folder: str, name: str) -> str:
        """Return the absolute path of a file in an absolute folder."""
        return self._named(_join(folder, name))

    def _named(self, path: str) -> str:
        return self._names.get(self.key(path), _normal(path))

    def _folded(self, path: str) -> str:
        drive = _DRIVE.fullmatch(path) if self._windows else None
        if drive:
            path = f"{drive[1]}:{drive[2] or '/'}"
        if _WINDOWS.match(path):
            return ntpath.normpath(path).replace("\\", "/").lower()
        return _PRIVATE.sub(r"\1", posixpath.normpath(path))


def is_absolute(path: str) -> bool:
    """Tell whether a path, POSIX or Windows, is absolute."""
    return path.startswith("/") or _WINDOWS.match(path) is not None


def _normal(path: str) -> str:
    if _WINDOWS.match(path):
        return path if _is_plain(path.replace("\\", "/")) else ntpath.normpath(path)
    return posixpath.normpath(path)


def _is_plain(path: str) -> bool:
    return "//" not in path[2:] and not {".", ".."} & set(path.split("/"))


def _join(folder: str, path: str) -> str:
    if not _WINDOWS.match(folder):
        return posixpath.normpath(posixpath.join(folder, path))
    return ntpath.normpath(ntpath.join(folder, path))
