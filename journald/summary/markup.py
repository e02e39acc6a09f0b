"""Text of a model made harmless in Markdown: it may say anything and do nothing.

What a statement could otherwise do: open raw HTML, load a picture from elsewhere, start a
heading or a fence that breaks the entry's sections, close the entry's own markers, hide what
follows as a comment (`%%`), or run as a query of a notes app (an inline code span that starts
with `=` or `$=`, a template tag).
"""

from __future__ import annotations

import re

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_COMMENT = re.compile(r"<!-{2,}|-{2,}>")
_IMAGE = re.compile(r"!+\[\[?([^\]\n]*)\]\]?(?:\([^)\n]*\)|\[[^\]\n]*\])?")
_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\n]*)\)")
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_QUERY = re.compile(r"\A\s*\$?=+\s*")
_OPENING = re.compile(
    r"\A\s*(?:#{1,6}(?=\s|\Z)|>+|[-*+](?=\s)|\|+|={3,}|-{3,}|~{3,}|\d+[.)](?=\s)|:::+)\s*"
)
_TAG = re.compile(r"(\\*)<(?=[A-Za-z/!?%$])")
_THINKING = re.compile(r"</?think(?:ing)?>", re.IGNORECASE)


def harmless(text: str) -> str:
    """Return `text` on one line, without anything that acts in Markdown, HTML or a notes app.

    Code spans stay code spans. Idempotent: what is taken away may bring something new together,
    so it is done until nothing changes.
    """
    previous = None
    while text != previous:
        previous = text
        text = _once(text)
    return text


def _once(text: str) -> str:
    line = " ".join(_CONTROL.sub(" ", _THINKING.sub(" ", text)).split())
    line = line.replace("```", "`").replace("~~~", "~").replace("%%", "%")
    line = _LINK.sub(_unlinked, _IMAGE.sub(r"\1", _COMMENT.sub(" ", line)))
    return " ".join(_escaped(_OPENING.sub("", line)).split())


def _unlinked(link: re.Match[str]) -> str:
    words, target = link[1].strip(), link[2].strip()
    return f"{words} {target}" if target.startswith("http") and target != words else words


def _escaped(line: str) -> str:
    """Escape what opens a tag, outside of code spans; disarm queries inside of them."""
    pieces: list[str] = []
    at = 0
    for span in _CODE.finditer(line):
        pieces.append(_plain(line[at : span.start()]))
        inner = _QUERY.sub("", span[2]).strip()
        pieces.append(f"{span[1]}{inner}{span[1]}" if inner else "")
        at = span.end()
    pieces.append(_plain(line[at:]))
    return "".join(pieces)


def _plain(text: str) -> str:
    # A backtick without its partner would swallow what the entry says after it.
    return _TAG.sub(_slashed, text.replace("`", ""))


def escaped_tags(text: str) -> str:
    """Return `text` with what opens a tag escaped, outside of code spans; nothing else changes."""
    pieces: list[str] = []
    at = 0
    for span in _CODE.finditer(text):
        pieces += [_TAG.sub(_slashed, text[at : span.start()]), span[0]]
        at = span.end()
    return "".join([*pieces, _TAG.sub(_slashed, text[at:])])


def _slashed(tag: re.Match[str]) -> str:
    """Escape `<` unless it is escaped: an even number of backslashes only escapes itself."""
    return tag[0] if len(tag[1]) % 2 else f"{tag[1]}\\<"


def title(text: str) -> str:
    """Return `text` as a title: one line of plain words, no markup at all."""
    plain = harmless(text).replace("\\<", "<")
    plain = re.sub(r"</?[A-Za-z][^>]*>", " ", plain)
    plain = re.sub(r"[`*<>\[\]{}|\\]|(?<!\w)_+|_+(?!\w)", "", plain)
    return " ".join(plain.split()).strip(" #>\"'“”")
