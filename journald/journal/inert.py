"""Words of a transcript made inert: they may look like anything in Markdown, and do nothing.

What they could do otherwise: open raw HTML or a comment that hides the rest, load a picture from
elsewhere, show a link that leads elsewhere, start a heading or a fence that breaks the entry's
sections, become a tag, a task, a wiki link or a query of a notes app, or run as a template.
Emphasis, lists and code stay, for they only make reading easier.
"""

from __future__ import annotations

import re

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
# Controls, and what is invisible or turns the direction of writing: text must be what it looks
# like. The joiners U+200C and U+200D are part of Persian words and of emoji.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BACKTICKS = re.compile(r"`+")
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]")
_LIST_MARKERS = re.compile(r"\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+")
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s|\Z)")
_HEADING = re.compile(r"#{1,6}(?=\s|\Z)")
# A rule, an underline that turns the line above into a heading, an empty item of a list.
_RULE = re.compile(r"([-=*_+])(?:[ \t]*\1)*[ \t]*\Z")
# In brackets, but neither link, picture, footnote, task nor wiki link.
_INERT_BRACKET = re.compile(r"\[[\w…][\w …:.,#+-]+\](?![(\[:])")
_TAG_START = re.compile(r"<(?=[A-Za-z/!?%$])")
_ENTITY = re.compile(r"&(?=#?\w{1,32};)")
_HASHTAG = re.compile(r"#(?!\d+\b)(?=\w)")
_RUNS = re.compile(r"_{2,}|~{3,}|`+")
_QUERY = re.compile(r"\s*\$?=")


def plain(text: str) -> str:
    """Return `text` without what cannot be seen, its line ends as newlines."""
    text = _ANSI.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _SURROGATE.sub("\ufffd", _UNSEEN.sub("", text))


def one_line(text: str) -> str:
    """Return `text` as `plain` does, on one line."""
    return " ".join(plain(text.replace("\u2028", " ").replace("\u2029", " ")).split())


def disarmed(text: str) -> str:
    """Break what would run, or end a generated part, wherever it stands, code included.

    Templater runs `<% %>` anywhere in a new note (silentvoid13.github.io/Templater); the
    markers of an entry are comments.
    """
    return text.replace("<%", "< %").replace("<!--", "< !--")


def words(text: str, *, literal: bool = False, within: bool = False) -> str:
    """Return `text` as one line of inert Markdown, fit for a paragraph, a heading or a list item.

    `literal` shows backslashes as such; without it they are taken for the escapes of Markdown.
    `within` is for a place within a line, where no heading and no list can begin.
    """
    line = _Line(one_line(text), text, literal=literal)
    return line.inert_within() if within else line.inert(lists=False)


def inert_line(line: str, whole: str, *, literal: bool) -> str:
    """Return one line out of the text `whole` as inert Markdown, its list markers kept."""
    return _Line(line, whole, literal=literal).inert(lists=True)


def code(text: str) -> str:
    """Return `text`, on one line, as inline code; empty for nothing."""
    line = one_line(text)
    if not line:
        return ""
    if _QUERY.match(line):
        # Notes apps run inline code that starts so (blacksmithgu.github.io/obsidian-dataview).
        return words(line, literal=True)
    longest = max((len(run) for run in _BACKTICKS.findall(line)), default=0)
    ticks = "`" * (longest + 1)
    gap = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{gap}{line}{gap}{ticks}"


class _Line:
    """One line on its way to inert Markdown, read from left to right."""

    def __init__(self, line: str, whole: str, *, literal: bool) -> None:
        self._line = line
        self._whole = whole
        self._literal = literal
        # One of a pair does nothing; escaping it would only make the source ugly.
        self._math = whole.count("$") > 1
        self._highlight = whole.count("==") > 1

    def inert(self, *, lists: bool) -> str:
        """Return the whole line; `lists` keeps the markers of list items at its start."""
        markers = _LIST_MARKERS.match(self._line) if lists else None
        start = markers.end() if markers else len(self._line) - len(self._line.lstrip())
        lead, rest = self._line[:start], self._line[start:]
        pieces = [lead]
        at = 0
        if _RULE.match(rest) or _HEADING.match(rest) or rest.startswith(">"):
            pieces.append(f"\\{rest[0]}")
            at = 1
        elif not lists:
            numbered = _NUMBERED.match(rest)
            if numbered:
                pieces.append(f"{numbered[1]}\\{numbered[2]}")
                at = numbered.end()
            elif _LIST_MARKERS.match(rest):
                pieces.append(f"\\{rest[0]}")
                at = 1
        return "".join([*pieces, *self._pieces(rest, at)])

    def inert_within(self) -> str:
        """Return the line for the middle of another one."""
        return "".join(self._pieces(self._line, 0))

    def _pieces(self, rest: str, at: int) -> list[str]:
        pieces: list[str] = []
        while at < len(rest):
            taken, piece = self._next(rest, at)
            pieces.append(piece)
            at += taken
        return pieces

    def _next(self, rest: str, at: int) -> tuple[int, str]:
        """Return how many characters are taken from `at` on, and what becomes of them."""
        char = rest[at]
        if char == "`":
            return self._ticks(rest, at)
        if char == "\\":
            if not self._literal and _ESCAPED.match(rest, at):
                return 2, rest[at : at + 2]
            return 1, "\\\\"
        run = _RUNS.match(rest, at)
        if run:
            return len(run[0]), "".join(f"\\{one}" for one in run[0])
        return 1, f"\\{char}" if self._acts(rest, at) else char

    def _acts(self, rest: str, at: int) -> bool:
        """Tell whether the character at `at` starts something that does more than look nice."""
        before = rest[at - 1] if at else " "
        acts = False
        match rest[at]:
            case "[":
                acts = before in "![" or _INERT_BRACKET.match(rest, at) is None
            case "#":
                hashtag = _HASHTAG.match(rest, at) is not None and before not in "&/\\#"
                acts = hashtag or not rest[at:].strip("#")
            case "<":
                acts = _TAG_START.match(rest, at) is not None
            case "&":
                acts = _ENTITY.match(rest, at) is not None
            case "$":
                acts = self._math
            case "=":
                acts = self._highlight and before == "="
            case "%":
                acts = before == "%"
            case _:
                pass
        return acts

    def _ticks(self, rest: str, at: int) -> tuple[int, str]:
        """Take a code span; backticks without a partner would swallow what comes after."""
        opening = _BACKTICKS.match(rest, at)
        ticks = opening[0] if opening else "`"
        for closing in _BACKTICKS.finditer(rest, at + len(ticks)):
            if len(closing[0]) == len(ticks):
                inner = rest[at + len(ticks) : closing.start()]
                taken = closing.end() - at
                if _QUERY.match(inner):
                    return taken, _Line(inner.strip(), self._whole, literal=True).inert_within()
                return taken, rest[at : closing.end()]
        return len(ticks), "\\`" * len(ticks)
