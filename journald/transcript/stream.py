"""The records of a transcript file, damaged lines mended where they can be.

A file is followed by a `Cursor`, which knows where the last reading ended. Claude Code appends
to a transcript, but not always: it cuts a line off in place, writes a file anew under its name,
or moves another file there. So before it reads on, a cursor makes sure that what it has read is
still what the file holds: the same inode, at least as long, with the same bytes at the start and
at the end of the part that was read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Generic, NamedTuple, TypeVar

from journald.transcript.lines import Line, read_lines
from journald.transcript.records import is_json
from journald.transcript.repair import recover, valid_text, whole_characters
from journald.transcript.tally import Tally

_T = TypeVar("_T")
_SHORT = 4096
# As much of both ends of what was read as is held against the file before it is read on.
_ENDS = 4096
BLOCK = 256 * 1024


class RewrittenError(Exception):
    """What was read of a file is not what it holds now; it must be read from its start."""


class _End(NamedTuple):
    """Some bytes of a file and where they stand in it."""

    start: int
    data: bytes

    def stands_in(self, stream: BinaryIO) -> bool:
        stream.seek(self.start)
        return stream.read(len(self.data)) == self.data


class Cursor(Generic[_T]):
    """Reads the records of one file, and later those that were added."""

    def __init__(
        self, path: Path, decode: Callable[[bytes], _T | None], block: int = BLOCK
    ) -> None:
        """Make a cursor at the start of `path`.

        `decode` returns None for what is no object; `block` is how many bytes are read at once.
        """
        self.tally = Tally(file=path.name)
        """Of the lines that were read for good."""
        self.tail = Tally(file=path.name)
        """Of a last line that is still in writing."""
        self._path = path
        self._decode = decode
        self._block = block
        self._offset = 0
        self._lines = 0
        self._size = 0
        self._state: tuple[int, ...] = ()
        self._ends: tuple[_End, ...] = ()
        self._in_line = False
        """A record was read whose line has no end yet."""
        self._torn = False
        """Records were read out of a last line whose rest was not there yet."""

    def read_on(self) -> Iterator[tuple[int, _T]]:
        """Yield line number and record of all that was added since the last call.

        Raises OSError, and RewrittenError when the file has to be read anew: then this cursor is
        of no use any more.
        """
        with self._path.open("rb", buffering=self._block) as stream:
            status = os.fstat(stream.fileno())
            state = _state(status)
            if state == self._state:
                return
            self._check(stream, state)
            self._state = state
            stream.seek(self._offset)
            self._end_line(stream)
            self.tail = Tally(file=self._path.name)
            for line in read_lines(stream, self._lines):
                yield from self._take(line)

    def _check(self, stream: BinaryIO, state: tuple[int, ...]) -> None:
        """Make sure that the file still begins with what was read of it."""
        if not self._state:
            return
        size = state[2]
        if state[:2] != self._state[:2] or size < self._size:
            raise RewrittenError
        if self._torn and size > self._size:
            raise RewrittenError
        if not all(end.stands_in(stream) for end in self._ends):
            raise RewrittenError

    def _end_line(self, stream: BinaryIO) -> None:
        """Step over the end of a line whose record was read before the line had one."""
        if not self._in_line:
            return
        end = stream.read(1)
        if end == b"\n":
            self._in_line = False
            self._offset += 1
            self._size = max(self._size, self._offset)
            self.tally.bytes += 1
        elif end:
            # The writer was killed, and the next one wrote on in the same line.
            raise RewrittenError

    def _take(self, line: Line) -> Iterator[tuple[int, _T]]:
        self._size = self._offset + line.size
        if not line.ended:
            yield from self._take_last(line)
            return
        self._pass(line)
        if not line.data:
            self.tally.skipped_bytes += line.size
            self.tally.damage(line.number)
            return
        data = line.data.strip()
        if data:
            for record in self._records(data, line.number):
                yield line.number, record

    def _take_last(self, line: Line) -> Iterator[tuple[int, _T]]:
        """Take what is whole of a last line without an end; wait for the rest."""
        data = line.data.strip()
        data, record = self._decoded(data) if data else (data, None)
        if record is not None:
            self._pass(line)
            self._in_line = True
            yield line.number, record
            return
        self.tail.line(line.size, line.elided)
        self.tail.truncated = bool(data) or not line.data
        if not line.data:
            self.tail.skipped_bytes += line.size
            return
        recovery = recover(data, search=False) if data else None
        records = self._whole(recovery.records) if recovery else []
        if records and recovery and recovery.complete:
            self.tail.truncated = False
            self.tail.recovered += 1
        self._torn = bool(records)
        for one in records:
            yield line.number, one

    def _pass(self, line: Line) -> None:
        """Count a line that was read for good."""
        start, self._offset = self._offset, self._offset + line.size
        self._lines = line.number
        self.tally.line(line.size, line.elided)
        if not line.data:
            return
        last = _End(max(start, self._offset - _ENDS), line.data[-_ENDS:])
        first = self._ends[0] if self._ends else _End(start, line.data[:_ENDS])
        self._ends = (first, last)

    def _decoded(self, data: bytes) -> tuple[bytes, _T | None]:
        data = valid_text(data)
        record = self._decode(data)
        if record is None:
            # No decoder takes a lone surrogate, so they need no look at the lines that are right.
            data = whole_characters(data)
            record = self._decode(data)
        return data, record

    def _records(self, data: bytes, line: int) -> list[_T]:
        """Return the records in a line that has an end."""
        data, record = self._decoded(data)
        if record is not None:
            return [record]
        if _is_other_json(data):
            self.tally.not_known(None, "not-an-object")
            return []
        recovery = recover(data, search=True)
        records = self._whole(recovery.records)
        if records:
            self.tally.recovered += 1
        else:
            self.tally.broken += 1
        if not recovery.complete:
            self.tally.damage(line)
        return records

    def _whole(self, found: tuple[bytes, ...]) -> list[_T]:
        records = (self._decode(record) for record in found)
        return [record for record in records if record is not None]


def read_records(
    path: Path, decode: Callable[[bytes], _T | None], block: int = BLOCK
) -> Iterator[tuple[int, _T]]:
    """Yield line number and record of every record in `path`, as `Cursor` does. Raises OSError."""
    yield from Cursor(path, decode, block).read_on()


def _state(status: os.stat_result) -> tuple[int, ...]:
    """Return the identity, then the size, then the times of a file."""
    return (
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )


def _is_other_json(data: bytes) -> bool:
    # Short only: a number, a string or a small list, as a person or a foreign tool leaves it.
    return len(data) <= _SHORT and not data.startswith(b"{") and is_json(data)
