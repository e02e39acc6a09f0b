"""Compact diffs: the lines that changed, with the least around them."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# difflib's time grows with the product of the lengths.
_MOST_LINES = 1500


def _is_text(lines: object) -> bool:
    return isinstance(lines, Sequence) and all(isinstance(line, str) for line in lines)


def _hunk(hunk: Mapping[str, Any]) -> Iterator[str]:
    """Yield a hunk's changed lines, each run of them with the context line before it."""
    yield f"@@ {hunk.get('oldStart', '?')} @@"
    before: str | None = None
    for line in hunk["lines"]:
        if line.startswith(("+", "-")):
            if before is not None and before.strip():
                yield before
            before = None
            yield line.rstrip()
        elif not line.startswith("\\"):
            before = line.rstrip()


def from_patch(patch: object) -> str:
    """Return Claude Code's `structuredPatch` as a compact diff; empty when it is none."""
    hunks = patch if isinstance(patch, Sequence) and not isinstance(patch, str) else ()
    lines = [
        line
        for hunk in hunks
        if isinstance(hunk, Mapping) and _is_text(hunk.get("lines"))
        for line in _hunk(hunk)
    ]
    return "\n".join(lines)


def between(old: str, new: str) -> str:
    """Return a compact diff from `old` to `new`."""
    before, after = old.splitlines(), new.splitlines()
    if len(before) + len(after) > _MOST_LINES:
        return "\n".join([*(f"-{line}" for line in before), *(f"+{line}" for line in after)])
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def counts(diff: str) -> tuple[int, int]:
    """Return how many lines a compact diff adds and removes."""
    lines = diff.split("\n")
    added = sum(line.startswith("+") for line in lines)
    return added, sum(line.startswith("-") for line in lines)
