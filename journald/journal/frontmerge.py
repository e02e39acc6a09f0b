"""Front matter refreshed in place: what is ours and untouched is replaced, all else stays."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from journald.journal.frontmatter import INTERNAL, TAGS, digest, dump, load, recorded

_TRAILING = re.compile(r"(?:^[ \t]*(?:#[^\n]*?)?\r?(?:\n|\Z))+\Z", re.MULTILINE)
_TAG_BREAK = re.compile(r"[,\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Block:
    """One key with its value as it is written, and the comments and blank lines after it."""

    key: Any
    text: str
    after: str


def merge_front(text: str, new: Mapping[str, Any], newline: str) -> str | None:
    """Return the front matter `text` with our keys as in `new`.

    None when it cannot be done without a doubt: no YAML, no plain list of keys, a key twice, or
    a value that leans on another one.
    """
    present = load(text)
    cut = _cut(text, [*present]) if present is not None else None
    if present is None or cut is None:
        return None
    wanted = _wanted(present, new)
    lead, blocks = cut
    pieces = [lead]
    known = {block.key for block in blocks}
    added = {key: value for key, value in wanted.items() if key not in known}
    for block in blocks:
        if block.key == INTERNAL:
            pieces.append(_written(added, newline))
            added = {}
        pieces.append(_refreshed(block, present, wanted, newline))
    pieces.append(_written(added, newline))
    merged = "".join(_ended(piece, newline) for piece in pieces if piece)
    return merged if digest(load(merged)) == digest(wanted) else None


def _refreshed(
    block: _Block, present: Mapping[str, Any], wanted: Mapping[str, Any], newline: str
) -> str:
    if block.key not in wanted:
        return block.after if "#" in block.after else ""
    if digest(present[block.key]) == digest(wanted[block.key]):
        return block.text + block.after
    return _written({block.key: wanted[block.key]}, newline) + block.after


def _written(mapping: Mapping[str, Any], newline: str) -> str:
    return dump(mapping).replace("\n", newline)


def _ended(piece: str, newline: str) -> str:
    return piece if piece.endswith("\n") else f"{piece}{newline}"


def _wanted(present: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values to stand: ours where the user left ours alone, else theirs."""
    base = recorded(present.get(INTERNAL))
    wanted: dict[str, Any] = {}
    for key, value in present.items():
        if key == TAGS:
            wanted[key] = _tags(value, base.get(TAGS, "").split(","), new.get(TAGS, []))
        elif key not in base or base[key] != digest(value):
            wanted[key] = value
        elif key in new:
            wanted[key] = new[key]
    fresh = {key: new[key] for key in new if key not in present and key not in base}
    return {**wanted, **fresh, INTERNAL: new[INTERNAL]}


def _tags(present: Any, before: Sequence[str], ours: Sequence[str]) -> Any:
    """Return the user's tags and ours; one of ours that they took away stays away."""
    if isinstance(present, str):
        there = [tag.lstrip("#") for tag in _TAG_BREAK.split(present) if tag]
    elif isinstance(present, list):
        there = present
    elif present is None:
        there = []
    else:
        return present
    kept = [tag for tag in there if digest(tag) not in before or tag in ours]
    added = [tag for tag in ours if digest(tag) not in before and tag not in kept]
    return present if kept == there and not added else [*kept, *added]


def _cut(text: str, names: Sequence[Any]) -> tuple[str, list[_Block]] | None:
    """Cut the front matter at its keys, which were read as `names`.

    Returns what stands above the first key, and the keys; None when it is not one key below the
    other.
    """
    try:
        # The loader in Python: its marks count characters.
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError):
        return None
    if root is None:
        return text, []
    if not isinstance(root, yaml.MappingNode) or root.flow_style:
        return None
    marks = [key.start_mark for key, _ in root.value]
    if len(marks) != len(names) or any(mark.column for mark in marks):
        return None
    edges = [*(mark.index for mark in marks), len(text)]
    pieces = [text[start:stop] for start, stop in itertools.pairwise(edges)]
    blocks = [_block(name, piece) for name, piece in zip(names, pieces, strict=True)]
    return text[: edges[0]], blocks


def _block(name: Any, text: str) -> _Block:
    trailing = _TRAILING.search(text, text.find("\n") + 1)
    at = trailing.start() if trailing else len(text)
    return _Block(key=name, text=text[:at], after=text[at:])
