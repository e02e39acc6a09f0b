"""A transcript's bytes, line by line, with bounded memory.

Lines end at the byte 0x0A alone: U+2028, U+2029 and U+0085 stand raw inside of records
(Arize-ai/coding-harness-tracing#148).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from journald.transcript.slim import Slimmer

LONG = 4 * 1024 * 1024
"""A line with more bytes than this is read without the middle of its long strings."""
LINE_LIMIT = 8 * 1024 * 1024
"""Bytes that may be left of a long line then."""
_PIECE = 1024 * 1024


class Line(NamedTuple):
    """One line."""

    number: int
    """From 1."""
    data: bytes
    """With the newline; empty for a line over the limit."""
    size: int
    """Bytes in the file, the newline included."""
    ended: bool
    """False for a last line without a newline, which may still be in writing."""
    elided: int = 0
    """Bytes of it that `data` leaves out of long strings."""


def read_lines(stream: BinaryIO, number: int = 0) -> Iterator[Line]:
    """Yield the lines of `stream` from where it stands; `number` lines were read before.

    Raises OSError.
    """
    while data := stream.readline(LONG):
        number += 1
        if data.endswith(b"\n"):
            yield Line(number, data, len(data), ended=True)
        elif len(data) < LONG:
            yield Line(number, data, len(data), ended=False)
        else:
            yield _long_line(stream, number, data)


def _long_line(stream: BinaryIO, number: int, piece: bytes) -> Line:
    """Read the rest of a long line whose start is `piece`."""
    slimmer = Slimmer()
    size, ended = 0, False
    while piece and not ended:
        size += len(piece)
        ended = piece.endswith(b"\n")
        if slimmer.size <= LINE_LIMIT:
            slimmer.feed(piece)
        piece = b"" if ended else stream.readline(_PIECE)
    if slimmer.size > LINE_LIMIT:
        return Line(number, b"", size, ended)
    return Line(number, slimmer.finish(), size, ended, slimmer.elided)
