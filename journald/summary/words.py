"""Words cut short where a reader would: at a paragraph, a sentence, a word."""

from __future__ import annotations

import re

ELLIPSIS = "…"

_SENTENCE_END = re.compile(r"(?<=[^\s*_.]{3})[.!?…]['\"”»)\]*_`]*(?=\s|\Z)|[\u3002\uff01\uff1f]")
_ANNOUNCES = re.compile(r":\**\Z|\A\*\*[^*]+\*\*\Z|\A(?:[-*+]|\d+[.)])\Z|\A…\Z")
_TABLE_HEAD = re.compile(r"^\|.*\n\|[-| :]+\|?\Z|^\|[^\n]*\Z(?<!\|)", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.MULTILINE)


def opening(text: str, limit: int) -> str:
    """Return the start of `text` on one line, at most `limit` characters, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    cut = line[: limit - 1]
    at = cut.rfind(" ")
    return (cut[:at] if at > limit // 2 else cut).rstrip(" ,;:\u2013\u2014-") + ELLIPSIS


def beginning(text: str, limit: int) -> str:
    """Return the start of `text`, at most `limit` characters, cut where something ends.

    A paragraph's end is preferred, then a line's, a sentence's, a word's. A code block that
    would be left open is closed. A cut shows as an ellipsis.
    """
    text = text.strip()
    if len(text) <= limit:
        return text
    head = text[:limit]
    kept = head[: _end(head, limit)].rstrip()
    kept = _without_announcement(kept)
    fences = _FENCE.findall(kept)
    if len(fences) % 2:
        return f"{kept}\n{ELLIPSIS}\n{fences[-1]}"
    return f"{kept}\n\n{ELLIPSIS}" if "\n" in kept else f"{kept} {ELLIPSIS}"


def _without_announcement(text: str) -> str:
    """Return `text` without last lines that only announce what was cut off.

    Those are headings, in bold since they are quoted, lines that end with a colon, the head of a
    table without its rows; unless nothing else is left.
    """
    lines = text.splitlines()
    while len(lines) > 1 and (not lines[-1].strip() or _ANNOUNCES.search(lines[-1].strip())):
        lines.pop()
    left = "\n".join(lines)
    head = _TABLE_HEAD.search(left)
    if head is not None and head.start() > 0:
        return _without_announcement(left[: head.start()].rstrip())
    return left


def _end(head: str, limit: int) -> int:
    paragraph = head.rfind("\n\n")
    if paragraph > limit // 2:
        return paragraph
    line = head.rfind("\n")
    sentence = max((match.end() for match in _SENTENCE_END.finditer(head)), default=-1)
    best = max(line, sentence)
    if best > limit // 3:
        return best
    word = head.rfind(" ")
    return word if word > limit // 2 else limit
