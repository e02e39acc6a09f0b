"""The rows of a transcript file, damaged lines mended where they can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from journald.transcript.lines import BLOCK, Line, Tally, read_lines
from journald.transcript.records import Row, decode_row, is_json
from journald.transcript.repair import recover, valid_text, whole_characters

_T = TypeVar("_T")
_SHORT = 4096


def read_rows(path: Path, tally: Tally) -> Iterator[tuple[int, Row]]:
    """Yield line number and row of every record in `path`. Raises OSError."""
    yield from read_records(path, tally, decode_row)


def read_records(
    path: Path, tally: Tally, decode: Callable[[bytes], _T | None], block: int = BLOCK
) -> Iterator[tuple[int, _T]]:
    """Yield line number and record, decoded by `decode`, which returns None for no object.

    `block` is how many bytes are read at once. Raises OSError.
    """
    for line in read_lines(path, tally, block):
        data = valid_text(line.data)
        record = decode(data)
        if record is None:
            # No decoder takes a lone surrogate, so they need no look at the lines that are right.
            data = whole_characters(data)
            record = decode(data)
        if record is not None:
            yield line.number, record
        else:
            yield from _mend(line, data, tally, decode)


def _mend(
    line: Line, data: bytes, tally: Tally, decode: Callable[[bytes], _T | None]
) -> Iterator[tuple[int, _T]]:
    if line.ended and _is_other_json(data):
        tally.not_known(None, "not-an-object")
        return
    recovery = recover(data, search=line.ended)
    found = (decode(record) for record in recovery.records)
    records = [record for record in found if record is not None]
    if not line.ended and not recovery.complete:
        # Still in writing, or cut by a crash: what is whole is taken, the rest is waited for.
        tally.truncated = True
    elif records:
        tally.recovered += 1
    else:
        tally.broken += 1
    for record in records:
        yield line.number, record


def _is_other_json(data: bytes) -> bool:
    # Short only: a number, a string or a small list, as a person or a foreign tool leaves it.
    return len(data) <= _SHORT and not data.startswith(b"{") and is_json(data)
