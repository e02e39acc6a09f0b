"""Names of entries: safe on every file system, sorted by date, told apart at a glance."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import PurePath
from typing import Literal, TypeAlias

from journald.files import safe_name

Folders: TypeAlias = Literal["flat", "month", "project"]

SUFFIX = ".md"
_PROJECT_CHARS = 40
_TITLE_CHARS = 60
_ID_CHARS = 8
_UNDATED = "undated"
_NEWER = " (new version)"


def place(
    folders: Folders, *, day: date | None, project: str, title: str, session_id: str
) -> PurePath:
    """Return where a new entry goes, relative to the notes folder.

    Like `2026-03/2026-03-05 shop - add vat rounding.md`; a title without a Latin letter or a
    digit is replaced by the start of the session's id.
    """
    date_ = day.isoformat() if day else _UNDATED
    project_ = safe_name(project, limit=_PROJECT_CHARS)
    title_ = safe_name(title, limit=_TITLE_CHARS).replace("-", " ")
    title_ = title_ or safe_name(session_id, limit=_ID_CHARS) or "session"
    name = f"{date_}{f' {project_}' if project_ else ''} - {title_}{SUFFIX}"
    if folders == "month":
        return PurePath(date_[:7] if day else _UNDATED) / name
    if folders == "project":
        return PurePath(project_ or "no-project") / name
    return PurePath(name)


def numbered(name: PurePath) -> Iterator[PurePath]:
    """Yield `name`, then ` 2`, ` 3` … without end."""
    yield name
    number = 2
    while True:
        yield name.with_name(f"{name.stem} {number}{SUFFIX}")
        number += 1


def beside(name: PurePath) -> PurePath:
    """Return the name of a newer version that goes beside the entry `name`."""
    return name.with_name(f"{name.stem}{_NEWER}{SUFFIX}")
