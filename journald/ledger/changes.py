"""Files that the tools changed, each with the sum of its changes."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from journald.ledger.commands import Ran
from journald.ledger.facts import Change, FileChange
from journald.ledger.paths import Paths, is_absolute
from journald.ledger.removals import Fate, find_fates
from journald.ledger.timeline import Call, Timeline

_TOOLS = {
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "Write": "file_path",
    "NotebookEdit": "notebook_path",
}
_CREATED = re.compile(r"(?:New )?file created successfully|Created (?:new )?file", re.IGNORECASE)
# Comparing takes the square of the lines, and more where most of them are the same.
_COMPARABLE = 1_000_000


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


@dataclass(frozen=True, slots=True)
class _Delta:
    added: int
    removed: int
    exact: bool = True


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
        named = _TOOLS.get(call.name)
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
        first = _edits(call)[:1]
        # An edit that replaces nothing writes a new file.
        return bool(first) and first[0][0] == "" and path not in self._seen

    def _delta(self, call: Call, path: str) -> _Delta:
        patch = call.detail("structuredPatch")
        if isinstance(patch, list) and patch:
            return _patched(patch)
        added, removed = call.detail("patchAdded"), call.detail("patchRemoved")
        if isinstance(added, int) and isinstance(removed, int) and (added or removed):
            return _Delta(added, removed)
        if call.name == "Write":
            return self._written(call, path)
        if call.name == "NotebookEdit":
            return _notebook(call)
        return _Delta(0, 0, exact=False) if call.call.elided_chars else _edited(_edits(call))

    def _written(self, call: Call, path: str) -> _Delta:
        content = call.given("content")
        if call.detail("userModified") is True:
            return _Delta(_lines(content), 0, exact=False)
        before = self._bodies.get(path)
        if before is not None and not call.call.elided_chars:
            return _compared(before, content)
        # Claude Code may add lines of its own, as it does in its memory folder.
        stated = call.detail("contentLines")
        if isinstance(stated, int) and call.detail("type") == "create":
            return _Delta(stated, 0)
        if call.call.elided_chars:
            return _Delta(0, 0, exact=False)
        known = path in self._files and not self._files[path].deleted
        if known or not self._is_new(call, path):
            # A patch without hunks: the content was the same as before.
            same = call.detail("structuredPatch") == [] and call.detail("type") == "update"
            return _Delta(0, 0) if same else _Delta(_lines(content), 0, exact=False)
        return _Delta(_lines(content), 0)

    def _remember(self, call: Call, path: str) -> None:
        """Keep the content of a written file, so that the next write can be compared with it."""
        if call.call.elided_chars:
            self._bodies.pop(path, None)
            return
        if call.name == "Write":
            self._bodies[path] = call.given("content")
            return
        body = self._bodies.get(path)
        for old, new, everywhere in _edits(call):
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
        call.given(_TOOLS.get(call.name, "file_path"))
        for call in timeline.calls
        if call.name in _TOOLS or call.name == "Read"
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


def _edits(call: Call) -> list[tuple[str, str, bool]]:
    """Return old text, new text and whether every place is meant, edit by edit."""
    given = call.call.input.get("edits")
    several = given if isinstance(given, list) else [call.call.input]
    return [
        (one["old_string"], one["new_string"], bool(one.get("replace_all")))
        for one in several
        if isinstance(one, dict)
        and isinstance(one.get("old_string"), str)
        and isinstance(one.get("new_string"), str)
    ]


def _patched(patch: list[Any]) -> _Delta:
    lines = [
        line
        for hunk in patch
        if isinstance(hunk, dict) and isinstance(hunk.get("lines"), list)
        for line in hunk["lines"]
        if isinstance(line, str)
    ]
    return _Delta(
        sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)
    )


def _edited(edits: list[tuple[str, str, bool]]) -> _Delta:
    """Count an edit from its texts; in how many places it was made, these do not say."""
    deltas = [_compared(old, new) for old, new, _ in edits]
    return _Delta(
        sum(delta.added for delta in deltas),
        sum(delta.removed for delta in deltas),
        exact=bool(deltas) and all(delta.exact for delta in deltas),
    )


def _notebook(call: Call) -> _Delta:
    """Count the new source of a cell; the old one is not in the call."""
    mode = call.given("edit_mode") or "replace"
    added = 0 if mode == "delete" else _lines(call.given("new_source"))
    return _Delta(added, 0, exact=mode == "insert")


def _compared(old: str, new: str) -> _Delta:
    """Count what became of a text; a patch may pair its lines in another way."""
    if not old:
        return _Delta(_lines(new), 0)
    added = removed = 0
    before, after = _apart(old.split("\n"), new.split("\n"))
    if len(before) * len(after) > _COMPARABLE:
        gone, come = Counter(before), Counter(after)
        return _Delta((come - gone).total(), (gone - come).total(), exact=False)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_stop, new_start, new_stop in matcher.get_opcodes():
        if tag != "equal":
            removed += old_stop - old_start
            added += new_stop - new_start
    return _Delta(added, removed, exact=old == new)


def _apart(old: list[str], new: list[str]) -> tuple[list[str], list[str]]:
    """Return two texts without the lines that both begin and end with."""
    start = _same(old, new)
    old, new = old[start:], new[start:]
    stop = _same(old[::-1], new[::-1])
    return old[: len(old) - stop], new[: len(new) - stop]


def _same(one: list[str], other: list[str]) -> int:
    """Return how many lines are the same from the start on."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _lines(text: str) -> int:
    return text.count("\n") + (bool(text) and not text.endswith("\n"))
