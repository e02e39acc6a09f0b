"""How much of what tools were given and gave back is kept whole.

A session that people work in holds a few megabytes of it. Transcripts of hundreds of megabytes
exist (anthropics/claude-code#22365), and whoever reads one must not run out of memory: from a
bound on, of each longer text only its start and its end are kept, and what is left out is counted.
The bound is used up in file order, so a file that grew keeps what was kept before.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from journald.transcript.session import ToolCall, ToolResult

MOST = 12 * 1024 * 1024
MOST_OF_AN_AGENT = 2 * 1024 * 1024
_SHORT = 128
_HALF = _SHORT // 2
_PATCH = "structuredPatch"
# Texts that a session says over and over; each is held once.
_REPEATED = frozenset({"file_path", "filePath", "notebook_path", "path", "description"})


class Bulk:
    """Keeps texts whole as long as there is room, then their ends."""

    def __init__(self, room: int) -> None:
        self.elided = 0
        """Characters that were left out."""
        self._room = room

    def text(self, text: str) -> str:
        """Return what is kept of a text."""
        # A text with one character beyond Latin-1 takes twice the memory, so characters
        # are no measure.
        size = sys.getsizeof(text)
        if len(text) <= _SHORT or size <= self._room:
            self._room -= min(size, self._room)
            return text
        left_out = len(text) - _SHORT
        self.elided += left_out
        return f"{text[:_HALF]}\n[elided {left_out} chars]\n{text[-_HALF:]}"

    def call(self, call: ToolCall) -> ToolCall:
        """Return what is kept of a call."""
        before = self.elided
        kept = self._value(call.input)
        if kept is call.input:
            return call
        return replace(call, input=kept, elided_chars=self.elided - before)

    def result(self, result: ToolResult) -> ToolResult:
        """Return what is kept of a result's facts; of a patch that is left out, its size."""
        details = result.details
        if _PATCH in details and not self._has_room(details[_PATCH]):
            details = {key: value for key, value in details.items() if key != _PATCH}
            details |= _patch_size(result.details[_PATCH])
            self.elided += sum(
                len(str(line)) for hunk in _hunks(result.details[_PATCH]) for line in hunk
            )
        kept = {
            key: item if key == _PATCH else self._item(key, item) for key, item in details.items()
        }
        same = all(kept.get(key) is item for key, item in result.details.items())
        return result if same else replace(result, details=kept)

    def _has_room(self, patch: Any) -> bool:
        """Take room for a patch; tell whether there was enough."""
        size = sum(sys.getsizeof(line) for hunk in _hunks(patch) for line in hunk)
        if size > self._room:
            return False
        self._room -= size
        return True

    def _value(self, value: Any) -> Any:
        """Return what is kept of decoded JSON: the very same where that is all of it."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            changed = {key: self._item(key, item) for key, item in value.items()}
            return changed if any(changed[key] is not value[key] for key in value) else value
        if isinstance(value, list):
            items = [self._value(item) for item in value]
            same = all(one is other for one, other in zip(items, value, strict=True))
            return value if same else items
        return value

    def _item(self, key: Any, value: Any) -> Any:
        """Return what is kept of a value under `key`."""
        kept = self._value(value)
        return sys.intern(kept) if key in _REPEATED and type(kept) is str else kept


def _hunks(patch: Any) -> list[list[Any]]:
    hunks = patch if isinstance(patch, list) else []
    found = (hunk.get("lines") for hunk in hunks if isinstance(hunk, dict))
    return [lines for lines in found if isinstance(lines, list)]


def _patch_size(patch: Any) -> dict[str, int]:
    lines = [str(line) for hunk in _hunks(patch) for line in hunk]
    return {
        "patchAdded": sum(line.startswith("+") for line in lines),
        "patchRemoved": sum(line.startswith("-") for line in lines),
    }
