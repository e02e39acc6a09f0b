"""A transcript's bytes, line by line, with bounded memory.

Lines end at the byte 0x0A alone: U+2028, U+2029 and U+0085 stand raw inside of records
(Arize-ai/coding-harness-tracing#148).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

LINE_LIMIT = 64 * 1024 * 1024
_DRAIN = 1024 * 1024


class Line(NamedTuple):
    """One line."""

    number: int
    """From 1."""
    data: bytes
    """With the newline; empty for a line over the limit."""
    size: int
    """Bytes, the newline included."""
    ended: bool
    """False for a last line without a newline, which may still be in writing."""


def read_lines(stream: BinaryIO, number: int = 0) -> Iterator[Line]:
    """Yield the lines of `stream` from where it stands; `number` lines were read before.

    A line over `LINE_LIMIT` bytes is left unread: its data is empty. Raises OSError.
    """
    while data := stream.readline(LINE_LIMIT + 1):
        number += 1
        ended = data.endswith(b"\n")
        if not ended and len(data) > LINE_LIMIT:
            rest, ended = _drain(stream)
            yield Line(number, b"", len(data) + rest, ended)
        else:
            yield Line(number, data, len(data), ended)


def _drain(stream: BinaryIO) -> tuple[int, bool]:
    """Read on to the end of a line; return how many bytes that were, and whether it has one."""
    size = 0
    while part := stream.readline(_DRAIN):
        size += len(part)
        if part.endswith(b"\n"):
            return size, True
    return size, False
