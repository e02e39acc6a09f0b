"""How many lines a tool's call added to a file and removed from it."""

from __future__ import annotations

import difflib
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from journald.ledger.timeline import Call

# Comparing takes the square of the lines, and more where most of them are the same.
_COMPARABLE = 1_000_000


@dataclass(frozen=True, slots=True)
class Delta:
    """Lines added and removed."""

    added: int
    removed: int
    exact: bool = True
    """False when the transcript holds no whole account of them."""


def edits_of(call: Call) -> list[tuple[str, str, bool]]:
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


def delta_of_patch(patch: list[Any]) -> Delta:
    """Count the hunks of a `structuredPatch`."""
    lines = [
        line
        for hunk in patch
        if isinstance(hunk, dict) and isinstance(hunk.get("lines"), list)
        for line in hunk["lines"]
        if isinstance(line, str)
    ]
    return Delta(
        sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)
    )


def delta_of_edits(edits: list[tuple[str, str, bool]]) -> Delta:
    """Count an edit from its texts; in how many places it was made, these do not say."""
    deltas = [delta_between(old, new) for old, new, _ in edits]
    return Delta(
        sum(delta.added for delta in deltas),
        sum(delta.removed for delta in deltas),
        exact=bool(deltas) and all(delta.exact for delta in deltas),
    )


def delta_of_cell(call: Call) -> Delta:
    """Count the new source of a cell; the old one is not in the call."""
    mode = call.given("edit_mode") or "replace"
    added = 0 if mode == "delete" else count_lines(call.given("new_source"))
    return Delta(added, 0, exact=mode == "insert")


def delta_between(old: str, new: str) -> Delta:
    """Count what became of a text; a patch may pair its lines in another way."""
    if not old:
        return Delta(count_lines(new), 0)
    added = removed = 0
    before, after = _apart(old.split("\n"), new.split("\n"))
    if len(before) * len(after) > _COMPARABLE:
        gone, come = Counter(before), Counter(after)
        return Delta((come - gone).total(), (gone - come).total(), exact=False)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_stop, new_start, new_stop in matcher.get_opcodes():
        if tag != "equal":
            removed += old_stop - old_start
            added += new_stop - new_start
    return Delta(added, removed, exact=old == new)


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


def count_lines(text: str) -> int:
    """Return how many lines a text has; the last one may lack its end."""
    return text.count("\n") + (bool(text) and not text.endswith("\n"))
