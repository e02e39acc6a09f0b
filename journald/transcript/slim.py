"""Long strings taken out of a line of JSON while it is read.

The longest lines hold one string of many megabytes: a picture, or what a tool printed
(anthropics/claude-code#20367). Nothing that is made of a transcript needs all of it, so of a
string that is too long only the ends are kept, and the line never stands in memory as a whole.
"""

from __future__ import annotations

import re

# From the inside of a string up to its closing quote, or to an escape cut in two.
_INSIDE = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
# After six bytes without a backslash no escape is open, as the longest has six.
_PLAIN = re.compile(rb"[^\\]{6}(?=[^\x80-\xbf])", re.DOTALL)
_LONGEST_ESCAPE = 6
END = 512 * 1024
"""Bytes that are kept of each end of a string."""


class Slimmer:
    """Takes a line piece by piece; keeps all but the middle of its long strings."""

    def __init__(self, end: int = END) -> None:
        """Make one that keeps `end` bytes of each end of a string."""
        self.elided = 0
        """Bytes that were left out."""
        self.size = 0
        """Bytes that are kept so far, but for a string that has not ended."""
        self._end = end
        self._parts: list[bytes] = []
        self._inside = False
        self._held = b""
        self._begin_string()

    def feed(self, piece: bytes) -> None:
        """Take the next piece of the line."""
        piece, self._held = self._held + piece, b""
        at = 0
        while at < len(piece):
            at = self._in_string(piece, at) if self._inside else self._between(piece, at)

    def finish(self) -> bytes:
        """Return what is kept of the line."""
        self._grow(self._held)
        self._end_string()
        return b"".join(self._parts)

    def _between(self, piece: bytes, at: int) -> int:
        quote = piece.find(b'"', at)
        end = len(piece) if quote < 0 else quote + 1
        self._keep(piece[at:end])
        self._inside = quote >= 0
        return end

    def _in_string(self, piece: bytes, at: int) -> int:
        found = _INSIDE.match(piece, at)
        end = found.end() if found else at
        self._grow(piece[at:end])
        if piece[end : end + 1] == b'"':
            self._end_string()
            self._inside = False
            self._keep(b'"')
            return end + 1
        self._held = piece[end:]
        return len(piece)

    def _begin_string(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._dropped = 0

    def _grow(self, part: bytes) -> None:
        room = self._end - len(self._head)
        self._head += part[:room]
        self._tail += part[room:]
        if len(self._tail) > 2 * self._end:
            over = len(self._tail) - self._end
            del self._tail[:over]
            self._dropped += over

    def _end_string(self) -> None:
        head, tail = bytes(self._head), bytes(self._tail)
        if self._dropped:
            kept, rest = _whole_start(head), _whole_end(tail)
            elided = self._dropped + len(head) - len(kept) + len(tail) - len(rest)
            self.elided += elided
            head, tail = kept + b"[elided %d bytes]" % elided, rest
        self._keep(head + tail)
        self._begin_string()

    def _keep(self, part: bytes) -> None:
        self._parts.append(part)
        self.size += len(part)


def _whole_start(head: bytes) -> bytes:
    """Return `head` without an escape or a character at its end that may be cut."""
    for at in range(len(head) - 1, _LONGEST_ESCAPE - 1, -1):
        if _PLAIN.match(head, at - _LONGEST_ESCAPE):
            return head[:at]
    return b""


def _whole_end(tail: bytes) -> bytes:
    """Return `tail` without an escape or a character at its start that may be cut."""
    found = _PLAIN.search(tail)
    return tail[found.end() :] if found else b""
