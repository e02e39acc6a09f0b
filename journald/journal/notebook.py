"""The notebook: the folder of entries, one file for each session.

Invariants:
- a session has one entry, found by what its file says, wherever in the folder the user keeps it;
- no file is ever half written, and none outside of the folder is touched;
- what a person wrote is never overwritten.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path, PurePath

from journald import files
from journald.config import Journal
from journald.errors import NotebookError
from journald.journal import frontmatter, inert, layout
from journald.journal.document import Conflict, is_told, merge
from journald.journal.entry import Entry, tag_of
from journald.journal.index import Index, Versions, walk
from journald.journal.markdown import Page, assemble, compose, render

# A person, or a sync tool, may save the file just when it is refreshed.
_TRIES = 3
_NO_FOLDER = "notes_dir must name a folder, or a place where one can be made."
_SAYINGS = {
    errno.EEXIST: "it is no folder, but something else of that name",
    errno.ENOTDIR: "a part of this path is no folder",
}
_HINTS = {
    errno.EACCES: "Give yourself the right to write there, or set notes_dir to another folder.",
    errno.EPERM: "Give yourself the right to write there, or set notes_dir to another folder.",
    errno.EROFS: "It is mounted read-only: mount it anew, or set notes_dir to another folder.",
    errno.ENOSPC: "Make room on that disk; the entry is written when there is some.",
    errno.EDQUOT: "Your disk quota is used up; the entry is written when there is room.",
    errno.ENOENT: _NO_FOLDER,
    errno.ENOTDIR: _NO_FOLDER,
    errno.EEXIST: _NO_FOLDER,
    errno.ELOOP: _NO_FOLDER,
}


class Outcome(StrEnum):
    """What became of an entry's file."""

    CREATED = "created"
    REFRESHED = "refreshed"
    UNCHANGED = "unchanged"
    BESIDE = "beside"  # the user had edited the generated part: the new one stands in its own file


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Where the newest version of an entry stands, and how it came there."""

    path: Path
    outcome: Outcome
    reason: str = ""
    """Why it could not be written into the entry itself; for `beside`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An entry as its front matter tells it; empty texts for what it does not tell."""

    session_id: str
    path: Path
    fingerprint: str
    """Of the newest version, which may stand beside `path`."""
    status: str


class Notebook:
    """The entries in `folder`, which is made when the first one is written."""

    def __init__(self, folder: Path, settings: Journal) -> None:
        self._folder = folder
        self._settings = settings
        self._index = Index(folder)

    def write(self, entry: Entry, redact: Callable[[str], str]) -> Written:
        """Write or refresh the entry of a session; durable when this returns.

        Raises NotebookError.
        """
        entry = self._tagged(entry)
        page = compose(entry, redact)
        with _translated(self._folder):
            files.make_private_folder(self._folder)
            versions = self._index.of(entry.session_id)
            if versions is None:
                return self._create(self._place(entry, page), page, Outcome.CREATED)
            path = versions.entry.path
            result = self._refresh(path, page)
            if isinstance(result, Written):
                return result
            if is_told(path.read_text(encoding="utf-8", errors="replace"), page):
                return Written(path=path, outcome=Outcome.UNCHANGED)
            noted = compose(entry, redact, note=_note(path, result))
            return self._write_beside(versions, noted, result.reason)

    def preview(self, entry: Entry, redact: Callable[[str], str]) -> str:
        """Return the text of the entry as `write` would first write it."""
        return render(self._tagged(entry), redact)

    def find(self, session_id: str) -> Path | None:
        """Return the entry of a session; None without one. Raises NotebookError."""
        with _translated(self._folder):
            versions = self._index.of(session_id)
        return versions.entry.path if versions else None

    def entries(self) -> Iterator[Known]:
        """Yield every session's entry, as the files tell it. Raises NotebookError."""
        with _translated(self._folder):
            everything = self._index.all()
        for versions in everything:
            latest = versions.latest.identity
            yield Known(
                session_id=latest.session_id,
                path=versions.entry.path,
                fingerprint=latest.fingerprint,
                status=latest.status,
            )

    def remove_temporaries(self) -> int:
        """Delete what a killed process left half written; return how many files."""
        with _translated(self._folder):
            # Entries go one folder deep, but the user may have moved them anywhere.
            return sum(files.remove_temporaries(folder) for folder, _ in walk(self._folder))

    def _tagged(self, entry: Entry) -> Entry:
        tags = (tag_of(tag) for tag in (*self._settings.tags, *entry.tags))
        return replace(entry, tags=tuple(dict.fromkeys(tag for tag in tags if tag)))

    def _place(self, entry: Entry, page: Page) -> PurePath:
        return layout.place(
            self._settings.folders,
            day=entry.day,
            project=str(page.front.get("project", "")),
            title=str(page.front.get("title", "")),
            session_id=entry.session_id,
        )

    def _create(self, name: PurePath, page: Page, outcome: Outcome, reason: str = "") -> Written:
        for candidate in layout.numbered(name):
            path = self._folder / candidate
            if not os.path.lexists(path):
                files.make_private_folder(path.parent)
                self._save(path, assemble(page), files.PRIVATE_FILE)
                return Written(path=path, outcome=outcome, reason=reason)
        raise AssertionError(name)

    def _refresh(self, path: Path, page: Page) -> Written | Conflict:
        """Refresh a file in place; a Conflict when something of the user's is in the way."""
        for _ in range(_TRIES):
            before = path.read_bytes()
            merged = _merged(before, page)
            if isinstance(merged, Conflict):
                return merged
            if merged == before:
                return Written(path=path, outcome=Outcome.UNCHANGED)
            if path.read_bytes() == before:
                mode = stat.S_IMODE(path.stat().st_mode)
                self._save(path, merged, mode)
                return Written(path=path, outcome=Outcome.REFRESHED)
        raise NotebookError(
            f"{path}: the file keeps changing while it is being refreshed.",
            hint="Another program writes it; it is tried again later.",
        )

    def _write_beside(self, versions: Versions, page: Page, reason: str) -> Written:
        """Write `page` beside an entry that cannot be refreshed."""
        path = versions.entry.path
        internal = {**page.front[frontmatter.INTERNAL], "beside": inert.one_line(path.name)}
        page = replace(page, front={**page.front, frontmatter.INTERNAL: internal})
        for one in versions.newer:
            result = self._refresh(one.path, page)
            if isinstance(result, Written):
                if result.outcome is Outcome.UNCHANGED:
                    return result
                return replace(result, outcome=Outcome.BESIDE, reason=reason)
        name = path.relative_to(self._folder)
        return self._create(layout.beside(name), page, Outcome.BESIDE, reason)

    def _save(self, path: Path, content: str | bytes, mode: int) -> None:
        """Write a file, unless a link leads out of the notes folder."""
        inside = path.parent.resolve().is_relative_to(self._folder.resolve())
        if not inside or path.is_symlink():
            raise NotebookError(
                f"{path}: a link leads out of the notes folder {self._folder}.",
                hint="Replace the link by a folder, or point notes_dir at the real place.",
            )
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        files.write_atomic(path, data, mode=mode)


def _merged(before: bytes, page: Page) -> bytes | Conflict:
    try:
        merged = merge(before.decode("utf-8"), page)
    except UnicodeDecodeError:
        return Conflict(reason="it is not UTF-8")
    return merged if isinstance(merged, Conflict) else merged.encode("utf-8")


def _note(path: Path, conflict: Conflict) -> str:
    name = inert.words(path.stem, literal=True)
    return (
        f"*A newer version of “{name}”, which was left as it is because {conflict.reason}."
        " Keep what you like of both, and delete one.*"
    )


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        where = error.filename or folder
        raise NotebookError(
            f"{where}: {_SAYINGS.get(error.errno or 0) or error.strerror or error}.",
            hint=_HINTS.get(error.errno or 0, "Look after that disk; it is tried again later."),
        ) from error
