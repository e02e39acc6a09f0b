"""A transcript's bytes, line by line, with bounded memory.

Lines end at the byte 0x0A alone: U+2028, U+2029 and U+0085 stand raw inside of records
(Arize-ai/coding-harness-tracing#148).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from journald.transcript.clean import clean
from journald.transcript.session import LineCounts

LINE_LIMIT = 64 * 1024 * 1024
_DRAIN = 1024 * 1024
BLOCK = 256 * 1024
_NAME_LENGTH = 80


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts what the lines were, over all files of a session."""

    total: int = 0
    broken: int = 0
    recovered: int = 0
    unknown: int = 0
    bytes: int = 0
    skipped_bytes: int = 0
    truncated: bool = False
    kinds: Counter[str] = field(default_factory=Counter)

    def not_known(self, version: str | None, kind: str, *subtypes: str | None) -> None:
        """Count one line in which something is not known: its type, or things of these subtypes."""
        self.unknown += 1
        for subtype in subtypes or (None,):
            name = "/".join(part for part in (version or "?", kind, subtype) if part)
            self.kinds[clean(name)[:_NAME_LENGTH]] += 1

    def counts(self) -> LineCounts:
        """Return the counts as they stand."""
        return LineCounts(
            total=self.total,
            broken=self.broken,
            recovered=self.recovered,
            unknown=self.unknown,
            bytes=self.bytes,
            skipped_bytes=self.skipped_bytes,
            unknown_kinds=dict(sorted(self.kinds.items())),
            truncated=self.truncated,
        )


class Line(NamedTuple):
    """One line that is not blank."""

    number: int
    """From 1."""
    data: bytes
    """Without the newline."""
    ended: bool
    """False for a last line without a newline, which may still be in writing."""


def read_lines(path: Path, tally: Tally, block: int = BLOCK) -> Iterator[Line]:
    """Yield the lines of `path` that are not blank, read in blocks of `block` bytes.

    A line over `LINE_LIMIT` bytes is left unread and counted in `skipped_bytes`. Raises OSError.
    """
    number = 0
    with path.open("rb", buffering=block) as stream:
        while data := stream.readline(LINE_LIMIT + 1):
            number += 1
            tally.total += 1
            tally.bytes += len(data)
            ended = data.endswith(b"\n")
            if not ended and len(data) > LINE_LIMIT:
                _drain(stream, len(data), tally)
                continue
            data = data.strip()
            if data:
                yield Line(number, data, ended)


def _drain(stream: BinaryIO, read: int, tally: Tally) -> None:
    """Read on to the end of a line that is too long, and forget it."""
    tally.skipped_bytes += read
    while part := stream.readline(_DRAIN):
        tally.bytes += len(part)
        tally.skipped_bytes += len(part)
        if part.endswith(b"\n"):
            return
    tally.truncated = True
