"""Files that the tools changed, each with the sum of its changes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from journald.ledger.commands import Ran
from journald.ledger.facts import Change, FileChange
from journald.ledger.paths import Paths
from journald.ledger.shell import Step, split
from journald.ledger.timeline import Call, Timeline

_TOOLS = {
    "Edit": "file_path",
    "MultiEdit": "file_path",
    "Write": "file_path",
    "NotebookEdit": "notebook_path",
}
_CREATED = re.compile(r"(?:New )?file created successfully|Created (?:new )?file", re.IGNORECASE)
_PATTERN = re.compile(r"[*?\[\]{}$`~]")
_REMOVE_FLAGS = frozenset({"-f", "-r", "-rf", "-fr", "-v", "-i", "-q", "--", "--force"})


@dataclass(slots=True)
class _File:
    born: bool
    """It did not exist before the session."""
    added: int = 0
    removed: int = 0
    exact: bool = True
    deleted: bool = False
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

    def add(self, call: Call) -> None:
        if call.name == "Read" and call.succeeded:
            self._seen.add(self._paths.whole(call.given("file_path")))
        named = _TOOLS.get(call.name)
        if named is None or not call.succeeded or call.detail("error"):
            return
        path = self._paths.whole(call.given(named))
        if not path:
            return
        delta = self._delta(call, path)
        file = self._files.get(path)
        if file is None:
            file = self._files[path] = _File(born=self._is_new(call, path))
        file.added += delta.added
        file.removed += delta.removed
        file.exact = file.exact and delta.exact
        file.deleted = False
        file.ids.append(call.id)
        self._remember(call, path)

    def remove(self, event_id: str, path: str) -> None:
        file = self._files.get(path)
        if file is not None and not file.deleted:
            file.deleted = True
            file.ids.append(event_id)
            self._bodies.pop(path, None)

    def changed(self) -> tuple[FileChange, ...]:
        return tuple(
            FileChange(
                path=path,
                change=_change(file),
                added=file.added,
                removed=file.removed,
                exact=file.exact,
                ids=tuple(file.ids),
            )
            for path, file in self._files.items()
        )

    def _is_new(self, call: Call, path: str) -> bool:
        if call.name == "Write":
            told = call.detail("type")
            if told in {"create", "update"}:
                return bool(told == "create")
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
        if call.name == "Write":
            return self._written(call, path)
        if call.name == "NotebookEdit":
            return _notebook(call)
        return _edited(_edits(call))

    def _written(self, call: Call, path: str) -> _Delta:
        content = call.given("content")
        before = self._bodies.get(path)
        if before is not None:
            return _compared(before, content)
        known = path in self._files and not self._files[path].deleted
        if known or not self._is_new(call, path):
            # A patch without hunks: the content was the same as before.
            same = call.detail("structuredPatch") == [] and call.detail("type") == "update"
            return _Delta(0, 0) if same else _Delta(_lines(content), 0, exact=False)
        return _Delta(_lines(content), 0)

    def _remember(self, call: Call, path: str) -> None:
        """Keep the content of a written file, so that the next write can be compared with it."""
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
    return Paths(folders, frozenset(named))


def find_changes(
    timeline: Timeline, commands: tuple[Ran, ...], paths: Paths
) -> tuple[FileChange, ...]:
    """Return the changed files in the order of their first change.

    A file counts as deleted only where a plain
    `rm` names it in a command that succeeded.
    """
    changes = _Changes(paths)
    calls = {call.id: call for call in timeline.calls}
    ran = {one.command.id: one.command for one in commands}
    for moment in timeline.moments:
        event_id = moment.event.id
        if event_id in calls:
            changes.add(calls[event_id])
        command = ran.get(event_id)
        if command is not None and command.ok:
            for path in _deleted(command.command, paths):
                changes.remove(event_id, path)
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
        exact=bool(edits) and not any(everywhere for _, _, everywhere in edits),
    )


def _notebook(call: Call) -> _Delta:
    """Count the new source of a cell; the old one is not in the call."""
    mode = call.given("edit_mode") or "replace"
    added = 0 if mode == "delete" else _lines(call.given("new_source"))
    return _Delta(added, 0, exact=mode == "insert")


def _compared(old: str, new: str) -> _Delta:
    if not old:
        return _Delta(_lines(new), 0)
    added = removed = 0
    matcher = difflib.SequenceMatcher(None, old.split("\n"), new.split("\n"), autojunk=False)
    for tag, old_start, old_stop, new_start, new_stop in matcher.get_opcodes():
        if tag != "equal":
            removed += old_stop - old_start
            added += new_stop - new_start
    return _Delta(added, removed)


def _lines(text: str) -> int:
    return text.count("\n") + (bool(text) and not text.endswith("\n"))


def _deleted(command: str, paths: Paths) -> Iterator[str]:
    """Yield the files that a command deletes for certain: every part of it ran and succeeded."""
    steps = split(command)
    if "rm" not in command or any(step.joint not in {"", "&&"} for step in steps):
        return
    folder: str | None = None
    for step in steps:
        if step.program == "cd":
            folder = step.words[1] if len(step.words) > 1 else "~"
        for name in _removed(step):
            path = paths.certain(name, folder)
            if path is not None:
                yield path


def _removed(step: Step) -> tuple[str, ...]:
    words = step.words
    if step.program == "git" and words[1:2] == ("rm",):
        words = words[1:]
    elif step.program != "rm":
        return ()
    flags = {word for word in words[1:] if word.startswith("-")}
    names = tuple(word for word in words[1:] if not word.startswith("-"))
    plain = flags <= _REMOVE_FLAGS and not any(_PATTERN.search(name) for name in names)
    return names if plain else ()
