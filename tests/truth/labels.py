"""What a careful reader of the raw lines says happened in a transcript.

A label file in `labels/` holds ids, counts and hashes of one transcript of $JOURNALD_CORPUS, none
of its text. Both sides of a comparison are items with a key: what has the same key is the same.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

FOLDER = Path(__file__).parent / "labels"
_HASH_LENGTH = 16
# What git prints of a hash at the least.
_SHORTEST = 7

Key: TypeAlias = tuple[str | int | bool | None, ...]


class Kind(StrEnum):
    """What is labelled."""

    REQUESTS = "requests"
    COMMANDS = "commands"
    TESTS = "tests"
    FILES = "files"
    COMMITS = "commits"
    SUBAGENTS = "subagents"


class LabelError(Exception):
    """A label file that cannot be used, or does not fit its transcript."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that happened."""

    key: Key
    place: str
    """Where to look for it: a line, a call, an agent or a path's hash."""
    text: str = ""
    """The first words of it, for a person; never stored."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What happened in one transcript."""

    name: str
    transcript: str
    """Path below the corpus."""
    versions: tuple[str, ...]
    items: Mapping[Kind, tuple[Item, ...]]

    def path(self, corpus: Path) -> Path:
        """Return the transcript's path."""
        return corpus / self.transcript


def words_hash(text: str) -> str:
    """Return the hash of words, or of a path; runs of white space count as one space."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:_HASH_LENGTH]


def commit_key(sha: str) -> Key:
    """Return the key of a commit, the same for every length of its hash."""
    return (sha[:_SHORTEST],)


def read_labels(corpus: Path, folder: Path = FOLDER) -> list[Label]:
    """Return all labels, by name. Raises LabelError, also where one does not fit the corpus."""
    return [_read(file, corpus) for file in sorted(folder.glob("*.json"))]


def _read(file: Path, corpus: Path) -> Label:
    try:
        given = json.loads(file.read_bytes())
        label = Label(
            name=file.stem,
            transcript=given["transcript"],
            versions=tuple(given["versions"]),
            items={
                kind: tuple(Item(key=_KEYS[kind](one), place=_place(one)) for one in given[kind])
                for kind in Kind
            },
        )
        size = int(given["bytes"])
    except (ValueError, KeyError, TypeError) as error:
        raise LabelError(f"{file} is no label: {type(error).__name__} {error}") from error
    path = label.path(corpus)
    if not path.is_file():
        raise LabelError(f"{file} is of {label.transcript}, which is not in {corpus}.")
    if path.stat().st_size != size:
        there = path.stat().st_size
        raise LabelError(f"{file} is of {size} bytes, {label.transcript} has {there}.")
    return label


def _called(one: Mapping[str, Any]) -> str:
    """Return the call of a label, or the line where no call stands."""
    return str(one["call"]) if "call" in one else f"line {one['line']}"


def _place(one: Mapping[str, Any]) -> str:
    for name in ("call", "agent"):
        if name in one:
            return str(one[name])
    return f"line {one['line']}" if "line" in one else f"path {one['path']}"


_KEYS: Mapping[Kind, Callable[[Mapping[str, Any]], Key]] = {
    Kind.REQUESTS: lambda one: (str(one["words"]),),
    Kind.COMMANDS: lambda one: (_called(one), one["exit"]),
    Kind.TESTS: lambda one: (_called(one), one["passed"], one["failed"], one["ok"]),
    Kind.FILES: lambda one: (one["path"], one["change"], one["added"], one["removed"]),
    Kind.COMMITS: lambda one: commit_key(one["hash"]),
    Kind.SUBAGENTS: lambda one: (str(one["call"] if "call" in one else one["agent"]),),
}
