"""Cutting long text down to its head and its tail, the cut always marked."""

from __future__ import annotations

from dataclasses import dataclass

# A cut moves to a line border when one lies within this share of the budget.
_BORDER_SHARE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A text that fits, and how many characters of it were left out."""

    text: str
    elided: int = 0


def marker(elided: int) -> str:
    """Return the mark that stands where `elided` characters were left out."""
    return f"[elided {elided} chars]"


def _head(text: str, size: int) -> str:
    """Return at most `size` characters from the start, up to a line's end if one is near."""
    border = text.rfind("\n", size - size // _BORDER_SHARE, size + 1)
    return text[: border if border > 0 else size]


def _tail(text: str, size: int) -> str:
    """Return at most `size` characters from the end, from a line's start if one is near."""
    if size == 0:
        return ""
    start = len(text) - size
    border = text.find("\n", start - 1, start + size // _BORDER_SHARE)
    return text[border + 1 if border >= 0 else start :]


def cut(text: str, head: int, tail: int) -> Cut:
    """Keep about `head` characters of the start and `tail` of the end of `text`.

    Text that the mark would not make shorter comes back whole. `Cut.elided` counts the
    characters of `text` that are gone, line breaks at the borders included.
    """
    if len(text) <= head + tail:
        return Cut(text=text)
    first, last = _head(text, head), _tail(text, tail)
    elided = len(text) - len(first) - len(last)
    parts = [part for part in (first, marker(elided), last.removesuffix("\n")) if part]
    shorter = "\n".join(parts)
    if len(shorter) >= len(text):
        return Cut(text=text)
    return Cut(text=shorter, elided=elided)


def cut_line(text: str, size: int) -> Cut:
    """Keep about `size` characters of one line, two thirds of them from its start."""
    if len(text) <= size:
        return Cut(text=text)
    head = size * 2 // 3
    tail = size - head
    last = text[len(text) - tail :] if tail else ""
    elided = len(text) - head - len(last)
    shorter = f"{text[:head]} {marker(elided)} {last}".rstrip()
    if len(shorter) >= len(text):
        return Cut(text=text)
    return Cut(text=shorter, elided=elided)
