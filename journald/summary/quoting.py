"""Verbatim words made fit for an entry: cut where something ends, shaped so that they stay inside.

Only the form changes: a heading becomes bold, so that it opens no section of the entry; HTML
shows as what it is.
"""

from __future__ import annotations

import re

from journald.summary.markup import escaped_tags
from journald.summary.words import ELLIPSIS, beginning

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,}).*?^ {0,3}\1`*~*[ \t]*$", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"^ {0,3}(?:-[ -]*-[ -]*-|\*[ *]*\*[ *]*\*|_[ _]*_[ _]*_)[ \t-]*$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2060-\u2069\ufeff]")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_MARKUP = re.compile(r"\A(?:#{1,6}\s+|>+\s*|[-*+]\s+)|[`*]|(?<!\w)_+|_+(?!\w)")
_REPEATED_ELLIPSIS = re.compile(r"…(?:\s*…)+")
_QUESTION_CHARS = 240
_LINE_WORDS = 3


def closing(text: str, limit: int, *, code_lines: int) -> str:
    """Return what a last message says, at most about `limit` characters, verbatim.

    A long message is cut after its start, which tells what was done; a question at its very end
    is kept, for that is what it leaves open. Code of more than `code_lines` lines is left out.
    """
    whole = shaped(text)
    text = _FENCED.sub(lambda block: _short_code(block, code_lines), whole)
    text = _REPEATED_ELLIPSIS.sub(ELLIPSIS, _BLANK_LINES.sub("\n\n", text)).strip()
    if not any(char.isalnum() for char in text):
        text = whole
    shown = beginning(text, limit)
    asked = last_question(text)
    if shown != text and asked and asked not in shown:
        return f"{shown}\n\n{asked}"
    return shown


def _short_code(block: re.Match[str], lines: int) -> str:
    return block[0] if block[0].count("\n") - 1 <= lines else ELLIPSIS


def last_question(text: str) -> str:
    """Return the question that `text` ends with; empty when it ends otherwise."""
    last = text.rstrip().rsplit("\n", 1)[-1].strip().lstrip("#>-* ").rstrip("*_ ")
    if not last.endswith("?"):
        return ""
    if len(last) > _QUESTION_CHARS:
        last = re.split(r"(?<=[.!?])\s+", last)[-1]
    # What starts in lower case is the end of a sentence that the split took apart.
    return "" if len(last) > _QUESTION_CHARS or last[:1].islower() else last


def shaped(text: str) -> str:
    """Return `text` with headings as bold lines and without rules, comments and controls.

    What stands in fenced code stays as it is, but for what could end a comment of the entry.
    """
    text = _COMMENT.sub("", _CONTROL.sub("", text.replace("\r\n", "\n")))
    pieces: list[str] = []
    at = 0
    for block in _FENCED.finditer(text):
        pieces += [_prose(text[at : block.start()]), block[0]]
        at = block.end()
    pieces.append(_prose(text[at:]))
    return _BLANK_LINES.sub("\n\n", "".join(pieces)).strip()


def _prose(text: str) -> str:
    return escaped_tags(_RULE.sub("", _HEADING.sub(_bold, text)))


def _bold(heading: re.Match[str]) -> str:
    words = heading[1].strip().replace("**", "")
    return f"**{words}**" if words else ""


def plain_line(text: str) -> str:
    """Return the first words of `text` that say something, without any markup.

    That is its first line; a line of a few words, or one that announces what follows, goes on.
    """
    text = _TAG.sub(" ", _COMMENT.sub(" ", _CONTROL.sub(" ", text)))
    said = ""
    for line in text.splitlines():
        words = " ".join(_MARKUP.sub("", line.strip()).split())
        if any(char.isalnum() for char in words):
            said = f"{said} {words}".strip()
            if len(said.split()) >= _LINE_WORDS and not words.endswith(":"):
                break
    return said


def gist(text: str, limit: int) -> str:
    """Return the start of `text` on one line, for a list."""
    shown = beginning(shaped(text), limit)
    return " ".join(shown.split()).removesuffix(f" {ELLIPSIS}") + (
        f" {ELLIPSIS}" if shown.endswith(ELLIPSIS) else ""
    )
