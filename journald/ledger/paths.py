"""Names of files as tools and commands give them, folded into one."""

from __future__ import annotations

import ntpath
import posixpath
import re

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")


class Paths:
    """Folds the ways in which one file is named."""

    def __init__(self, folders: tuple[str, ...], named: frozenset[str]) -> None:
        self._folders = folders
        self._known = frozenset(_normal(path) for path in named if is_absolute(path))

    def whole(self, path: str) -> str:
        """Return the absolute path of a file; as it is where no working directory is known."""
        if not path or is_absolute(path) or not self._folders:
            return _normal(path) if path else ""
        joined = [_normal(_join(folder, path)) for folder in self._folders]
        return next((one for one in joined if one in self._known), joined[0])

    def certain(self, path: str, folder: str | None = None) -> str | None:
        """Return the absolute path of a file that a command names; None when it is not certain."""
        if is_absolute(path):
            return _normal(path)
        if folder is not None:
            return _normal(_join(folder, path)) if is_absolute(folder) else None
        return _normal(_join(self._folders[0], path)) if len(self._folders) == 1 else None


def is_absolute(path: str) -> bool:
    """Tell whether a path, POSIX or Windows, is absolute."""
    return path.startswith("/") or _WINDOWS.match(path) is not None


def _normal(path: str) -> str:
    return ntpath.normpath(path) if _WINDOWS.match(path) else posixpath.normpath(path)


def _join(folder: str, path: str) -> str:
    return ntpath.join(folder, path) if _WINDOWS.match(folder) else posixpath.join(folder, path)
