"""Counts of what the lines of a transcript were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from journald.transcript.clean import clean
from journald.transcript.session import LineCounts

_NAME_LENGTH = 80


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts what the lines of one file were."""

    total: int = 0
    broken: int = 0
    recovered: int = 0
    unknown: int = 0
    bytes: int = 0
    skipped_bytes: int = 0
    truncated: bool = False
    kinds: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)

    def line(self, size: int) -> None:
        """Count one line of `size` bytes."""
        self.total += 1
        self.bytes += size

    def record(self, kind: str) -> None:
        """Count one record of a type."""
        self.types[clean(kind)[:_NAME_LENGTH]] += 1

    def not_known(self, version: str | None, kind: str, *subtypes: str | None) -> None:
        """Count one line in which something is not known: its type, or things of these subtypes."""
        self.unknown += 1
        for subtype in subtypes or (None,):
            name = "/".join(part for part in (version or "?", kind, subtype) if part)
            self.kinds[clean(name)[:_NAME_LENGTH]] += 1


def counted(tallies: Iterable[Tally]) -> LineCounts:
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
        unknown_kinds=dict(sorted(kinds.items())),
        types=dict(sorted(types.items())),
        truncated=any(tally.truncated for tally in all_),
    )
