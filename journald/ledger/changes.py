"""Files that the tools changed, each with the sum of its changes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from journald.ledger.commands import Ran
from journald.ledger.deltas import (
    Delta,
    count_lines,
    delta_between,
    delta_of_cell,
    delta_of_edits,
    delta_of_patch,
    edits_of,
)
from journald.ledger.facts import Change, FileChange
from journald.ledger.paths import Paths, is_absolute
from journald.ledger.removals import Fate, find_fates
from journald.ledger.timeline import Call, Timeline

CHANGING_TOOLS = {
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "Write": "file_path",
    "NotebookEdit": "notebook_path",
}
_CREATED = re.compile(r"(?:New )?file created successfully|Created (?:new )?file", re.IGNORECASE)


@dataclass(slots=True)
class _File:
    born: bool
    """It did not exist before the session."""
    added: int = 0
    removed: int = 0
    exact: bool = True
    deleted: bool = False
    moved_to: str | None = None
    by_user: bool = False
    ids: list[str] = field(default_factory=list)


class _Changes:
    """Collects the changes in order of time."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._files: dict[str, _File] = {}
        self._seen: set[str] = set()
        self._bodies: dict[str, str] = {}
        self._places: set[str] = set()
        self._folders: set[str] = set()

    def add(self, call: Call) -> None:
        if call.name == "Read" and call.succeeded:
            self._seen.add(self._place(self._paths.whole(call.given("file_path"))))
        named = CHANGING_TOOLS.get(call.name)
        if named is None or not call.succeeded or call.detail("error"):
            return
        path = self._path(call, named)
        if not path:
            return
        delta = self._delta(call, self._place(path))
        file = self._files.get(path)
        if file is None:
            file = self._files[path] = _File(born=self._is_new(call, path))
        file.added += delta.added
        file.removed += delta.removed
        file.exact = file.exact and delta.exact
        file.deleted = False
        file.moved_to = None
        file.by_user = file.by_user or call.detail("userModified") is True
        file.ids.append(call.id)
        self._remember(call, path)

    def settle(self, event_id: str, fate: Fate) -> None:
        """Note what a command made of the files that are known."""
        key = self._paths.key(fate.path)
        if key not in self._places and not (fate.whole and key in self._folders):
            return
        # A path is that of a folder for certain where files in it are known.
        target = fate.moved_to
        into = fate.into or (target is not None and self._paths.key(target) in self._folders)
        for path, file in self._files.items():
            if file.deleted:
                continue
            here = file.moved_to or path
            inner = self._paths.within(here, fate.path) if fate.whole else None
            if inner is None and not self._paths.same(here, fate.path):
                continue
            file.ids.append(event_id)
            self._bodies.pop(path, None)
            if target is None:
                file.deleted = True
            else:
                file.moved_to = self._place(self._moved(fate.path, target, inner, into=into))

    def _moved(self, source: str, target: str, inner: str | None, *, into: bool) -> str:
        if into:
            target = self._paths.below(target, re.split(r"[/\\]", source)[-1])
        return target if inner is None else self._paths.below(target, inner)

    def _place(self, path: str) -> str:
        """Remember a file and the folders that it lies in; return its path."""
        key = self._paths.key(path)
        if key not in self._places:
            self._places.add(key)
            parts = key.split("/")
            self._folders.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
        return path

    def _path(self, call: Call, named: str) -> str:
        """Return the absolute path of the file that a call changed."""
        given, told = call.given(named), call.detail("filePath")
        if not is_absolute(given) and isinstance(told, str) and is_absolute(told):
            given = told
        return self._paths.whole(given)

    def changed(self) -> tuple[FileChange, ...]:
        return tuple(
            FileChange(
                path=path,
                change=_change(file),
                added=file.added,
                removed=file.removed,
                exact=file.exact,
                moved_to=file.moved_to,
                by_user=file.by_user,
                ids=tuple(file.ids),
            )
            for path, file in self._files.items()
        )

    def _is_new(self, call: Call, path: str) -> bool:
        if call.name == "Write":
            told = call.detail("type")
            if isinstance(told, str) and told in {"create", "update"}:
                return told == "create"
            if call.text:
                return _CREATED.match(call.text) is not None
            return path not in self._seen
        if call.name == "NotebookEdit":
            return False
        first = edits_of(call)[:1]
        # An edit that replaces nothing writes a new file.
        return bool(first) and first[0][0] == "" and path not in self._seen

    def _delta(self, call: Call, path: str) -> Delta:
        patch = call.detail("structuredPatch")
        if isinstance(patch, list) and patch:
            return delta_of_patch(patch)
        added, removed = call.detail("patchAdded"), call.detail("patchRemoved")
        if isinstance(added, int) and isinstance(removed, int) and (added or removed):
            return Delta(added, removed)
        if call.name == "Write":
            return self._written(call, path)
        if call.name == "NotebookEdit":
            return delta_of_cell(call)
        return (
            Delta(0, 0, exact=False) if call.call.elided_chars else delta_of_edits(edits_of(call))
        )

    def _written(self, call: Call, path: str) -> Delta:
        content = call.given("content")
        if call.detail("userModified") is True:
            return Delta(count_lines(content), 0, exact=False)
        before = self._bodies.get(path)
        if before is not None and not call.call.elided_chars:
            return delta_between(before, content)
        # Claude Code may add lines of its own, as it does in its memory folder.
        stated = call.detail("contentLines")
        if isinstance(stated, int) and call.detail("type") == "create":
            return Delta(stated, 0)
        if call.call.elided_chars:
            return Delta(0, 0, exact=False)
        known = path in self._files and not self._files[path].deleted
        if known or not self._is_new(call, path):
            # A patch without hunks: the content was the same as before.
            same = call.detail("structuredPatch") == [] and call.detail("type") == "update"
            return Delta(0, 0) if same else Delta(count_lines(content), 0, exact=False)
        return Delta(count_lines(content), 0)

    def _remember(self, call: Call, path: str) -> None:
        """Keep the content of a written file, so that the next write can be compared with it."""
        if call.call.elided_chars:
            self._bodies.pop(path, None)
            return
        if call.name == "Write":
            self._bodies[path] = call.given("content")
            return
        body = self._bodies.get(path)
        for old, new, everywhere in edits_of(call):
            if body is None or not old or old not in body:
                body = None
                break
            body = body.replace(old, new) if everywhere else body.replace(old, new, 1)
        if body is None:
            self._bodies.pop(path, None)
        else:
            self._bodies[path] = body


def known_paths(timeline: Timeline, folders: tuple[str, ...]) -> Paths:
    """Return how a session names its files; `folders` are its working directories."""
    named = (
        call.given(CHANGING_TOOLS.get(call.name, "file_path"))
        for call in timeline.calls
        if call.name in CHANGING_TOOLS or call.name == "Read"
    )
    return Paths(folders, tuple(named))


def find_changes(
    timeline: Timeline,
    commands: tuple[Ran, ...],
    paths: Paths,
    folders: Mapping[str, str | None],
) -> tuple[FileChange, ...]:
    """Return the files that tools changed, in the order of their first change.

    `folders` are those in which the commands began. A file counts as deleted, or as moved, only
    where plain words of a command that succeeded name it.
    """
    changes = _Changes(paths)
    calls = {call.id: call for call in timeline.calls}
    ran = {one.command.id: one for one in commands}
    for moment in timeline.moments:
        event_id = moment.event.id
        if event_id in calls:
            changes.add(calls[event_id])
        if event_id in ran:
            for fate in find_fates(ran[event_id], folders.get(event_id), paths):
                changes.settle(event_id, fate)
    return changes.changed()


def _change(file: _File) -> Change:
    if file.deleted:
        return Change.DELETED
    return Change.CREATED if file.born else Change.EDITED
