"""Code-like spans: what in a statement can be looked up in the session, word for word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias


class SpanKind(StrEnum):
    """What a span looks like."""

    URL = "address"
    CODE = "code"
    QUOTE = "quotation"
    PATH = "path"
    HASH = "hash"
    NAME = "name"
    OPTION = "option"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Part of a statement."""

    kind: SpanKind
    text: str


_Reader: TypeAlias = Callable[[re.Match[str]], list[Span]]


_REDACTED = re.compile(r"\[REDACTED(?::[^\]\s]*)?\]|\[elided[^\]]*\]|\[image\]")
_URL = re.compile(r"\b(?:https?|ssh|git|ftp)://[^\s<>\"'`)\]]+", re.IGNORECASE)
_BACKTICKED = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_QUOTED = re.compile(r"\"([^\"\n]{3,}?)\"|“([^”\n]{3,}?)”|„([^“”\n]{3,}?)[“”]|«([^»\n]{3,}?)»")
_SEGMENT = r"[\w.@+$~-]+"
_PATH = re.compile(
    rf"(?<![\w/\\.~-])(?:~/|\.{{1,2}}/|/)?{_SEGMENT}(?:/{_SEGMENT})+/?|(?<![\w/\\.~-])/{_SEGMENT}/?"
)
_WINDOWS_PATH = re.compile(r"(?<!\w)[A-Za-z]:\\[\w.\\@+$~-]+")
_FILE = re.compile(r"(?<![\w./\\-])\.?\w[\w-]*(?:\.[\w-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}(?![\w/\\])")
_HASH = re.compile(r"(?<![\w-])(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?![\w-])")
_NAME = re.compile(
    r"(?<![\w./-])(?:"
    r"[A-Za-z]\w*(?:\.\w+)*\(\)"  # call()
    r"|_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*"  # snake_case
    r"|__\w+__"
    r"|(?:[A-Z][a-z0-9]+){2,}[A-Z]?"  # CamelCase
    r"|[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+"  # camelCase
    r")(?![\w/])"
)
_OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]+")
_NUMBER = re.compile(r"(?<![\w.,])[#v]?(\d[\d.,_\u202f\u00a0']*\d)(?![\d])")

# Names that a writer spells in camel case or with a dot, whatever the session says.
_PROPER = frozenset(
    {
        "github",
        "gitlab",
        "javascript",
        "typescript",
        "postgresql",
        "mysql",
        "sqlite",
        "graphql",
        "openai",
        "macos",
        "ios",
        "webkit",
        "nodejs",
        "npm",
        "iphone",
        "youtube",
        "devops",
        "fastapi",
        "numpy",
        "pytorch",
        "tensorflow",
        "mongodb",
        "dynamodb",
        "latex",
        "powershell",
        "vscode",
        "jetbrains",
        "intellij",
        "wordpress",
        "coffeescript",
        "openapi",
        "websocket",
        "readme",
        "stackoverflow",
        "linkedin",
        "bitbucket",
        "duckdb",
        "redis",
        "json",
        "yaml",
        "ci/cd",
        "node.js",
        "vue.js",
        "next.js",
    }
)
# A stop between two words of prose is no file name: `e.g.`, `i.e.`, `etc.Then`.
_ABBREVIATIONS = frozenset({"e.g", "i.e", "a.m", "p.m", "z.b", "d.h", "u.a", "vs.the"})


def spans(text: str) -> tuple[Span, ...]:
    """Return the code-like spans of `text`, each once, what stands inside another left out."""
    return tuple(dict.fromkeys(_found(_REDACTED.sub(" ", text))))


def _found(text: str) -> Iterator[Span]:
    """Yield spans kind by kind; a span found is blanked out before the next kind is looked for."""
    for pattern, read in _READERS:
        found: list[Span] = []

        def blank(match: re.Match[str], read: _Reader = read, found: list[Span] = found) -> str:
            seen = read(match)
            found.extend(seen)
            return " " if seen else match[0]

        text = pattern.sub(blank, text)
        yield from found


def _address(match: re.Match[str]) -> list[Span]:
    return [Span(kind=SpanKind.URL, text=match[0].rstrip(".,;:!?*_"))]


def _quotation(match: re.Match[str]) -> list[Span]:
    quoted = next(group for group in match.groups() if group is not None)
    return [Span(kind=SpanKind.QUOTE, text=quoted.strip(" .,;:!?…"))]


def _path(match: re.Match[str]) -> list[Span]:
    path = match[0].rstrip(".,;:!?")
    return [Span(kind=SpanKind.PATH, text=path)] if _is_path(path) else []


def _plain(kind: SpanKind) -> _Reader:
    def read(match: re.Match[str]) -> list[Span]:
        return [] if match[0].lower() in _PROPER else [Span(kind=kind, text=match[0])]

    return read


def _number(match: re.Match[str]) -> list[Span]:
    return [Span(kind=SpanKind.NUMBER, text=match[1])]


def _backticked(match: re.Match[str]) -> list[Span]:
    return [*_code(match[2].strip())]


def _code(text: str) -> Iterator[Span]:
    if not text:
        return
    place = re.fullmatch(r"(.*\.\w+):(\d+)(?:[:-]\d+)*", text)
    if place is not None:
        yield Span(kind=SpanKind.PATH, text=place[1])
        if len(place[2]) > 1:
            yield Span(kind=SpanKind.NUMBER, text=place[2])
    elif _PATH.fullmatch(text) or _WINDOWS_PATH.fullmatch(text) or _FILE.fullmatch(text):
        yield Span(kind=SpanKind.PATH, text=text)
    elif _HASH.fullmatch(text):
        yield Span(kind=SpanKind.HASH, text=text)
    else:
        yield Span(kind=SpanKind.CODE, text=text)


def _is_path(text: str) -> bool:
    """Tell a path from prose: `src/app.py`, `/etc`, `a/b/c`, but not `and/or` or `read/write`."""
    if text.lower().rstrip("/") in _ABBREVIATIONS or not re.search(r"[A-Za-z]", text):
        return False
    if "/" not in text and "\\" not in text:
        return text.lower() not in _PROPER
    if text.startswith(("/", "~", "./", "../")):
        return len(text) > 2  # noqa: PLR2004 - a slash and one letter are no path
    return text.count("/") > 1 or bool(re.search(r"[._\d@-]", text))


_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (_URL, _address),
    (_BACKTICKED, _backticked),
    (_QUOTED, _quotation),
    (_WINDOWS_PATH, _path),
    (_PATH, _path),
    (_FILE, _path),
    (_HASH, _plain(SpanKind.HASH)),
    (_NAME, _plain(SpanKind.NAME)),
    (_OPTION, _plain(SpanKind.OPTION)),
    (_NUMBER, _number),
)
