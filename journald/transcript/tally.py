"""Counts of what the lines of a transcript were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from journald.transcript.clean import clean
from journald.transcript.session import LineCounts

NAME_LENGTH = 80
"""Characters that are kept of the name of a type."""
# A file with a new type in every row is not worth the memory of naming each.
_MOST_NAMES = 1000
_OTHERS = "?/(others)"
_MOST_DAMAGED = 5


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts what the lines of one file were."""

    file: str = ""
    """The file's name."""
    total: int = 0
    broken: int = 0
    recovered: int = 0
    unknown: int = 0
    bytes: int = 0
    skipped_bytes: int = 0
    elided: int = 0
    """Bytes left out of the long strings of long lines."""
    truncated: bool = False
    kinds: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    damaged: list[int] = field(default_factory=list)
    """Numbers of the first broken or skipped lines."""

    def damage(self, line: int) -> None:
        """Note where a line is of which something could not be read."""
        if len(self.damaged) < _MOST_DAMAGED:
            self.damaged.append(line)

    def line(self, size: int, elided: int) -> None:
        """Count one line of `size` bytes, `elided` of which were left out."""
        self.total += 1
        self.bytes += size
        self.elided += elided

    def record(self, kind: str) -> None:
        """Count one record of a type."""
        _count(self.types, kind)

    def not_known(self, version: str | None, kind: str, *subtypes: str | None) -> None:
        """Count one line in which something is not known: its type, or things of these subtypes."""
        self.unknown += 1
        for subtype in subtypes or (None,):
            name = "/".join(part for part in (version or "?", kind, subtype) if part)
            _count(self.kinds, name)


def _count(names: Counter[str], name: str) -> None:
    name = clean(name)[:NAME_LENGTH]
    names[name if name in names or len(names) < _MOST_NAMES else _OTHERS] += 1


def counted(tallies: Iterable[Tally], elided_chars: int = 0) -> LineCounts:
    """Return the sum over all files of a session."""
    all_ = [*tallies]
    kinds: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for tally in all_:
        kinds.update(tally.kinds)
        types.update(tally.types)
    return LineCounts(
        total=sum(tally.total for tally in all_),
        broken=sum(tally.broken for tally in all_),
        recovered=sum(tally.recovered for tally in all_),
        unknown=sum(tally.unknown for tally in all_),
        bytes=sum(tally.bytes for tally in all_),
        skipped_bytes=sum(tally.skipped_bytes for tally in all_),
        elided_chars=elided_chars + sum(tally.elided for tally in all_),
        unknown_kinds=dict(sorted(kinds.items())),
        types=dict(sorted(types.items())),
        damaged_at=tuple((tally.file, line) for tally in all_ for line in tally.damaged)[
            :_MOST_DAMAGED
        ],
        truncated=any(tally.truncated for tally in all_),
    )
