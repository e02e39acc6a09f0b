"""An entry's file as it stands: what in it is generated, and what is the user's.

Invariants of a merge:
- text outside of the markers stays byte for byte;
- a key, a tag or a title line that the user changed, added or took away stays as they made it;
- a generated part that the user edited is never replaced: that is a `Conflict`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from journald.journal import frontmatter
from journald.journal.frontmerge import merge_front
from journald.journal.inert import one_line
from journald.journal.markdown import END, Page, generated, text_hash

_FRONT = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(?P<yaml>.*?)^---[ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.DOTALL
)
_BEGIN = re.compile(
    r"^<!-- journald:begin(?P<words>(?: [a-z]+=[^\s<>]+)*) -->(?=[ \t]*\r?$)", re.MULTILINE
)
_END = re.compile(rf"^{END}(?=[ \t]*\r?$)", re.MULTILINE)
_ANY_MARKER = re.compile(r"<!--\s*journald:(?:begin|end)")
_TITLE_LINE = re.compile(r"\A\s*(?P<title># [^\r\n]*)(?:\r?\n|\Z)")
# Enough of broken YAML to know whose entry it is.
_SESSION_LINE = re.compile(
    r"^journald:[ \t]*\r?\n(?:[ \t]+[^\n]*\n)*?[ \t]+session:[ \t]*[\"']?(?P<id>[^\"'\r\n]+)",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Why a generated part cannot be replaced."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Whose entry a file is; empty texts for what cannot be told."""

    session_id: str
    fingerprint: str = ""
    status: str = ""
    written: str = ""
    beside: str = ""
    """Name of the entry that this is a newer version of; empty for an entry proper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Generated:
    """The generated part of a file, by where it stands in the text."""

    start: int
    stop: int
    title: str
    body: str
    title_hash: str
    body_hash: str


def front_of(text: str) -> str | None:
    """Return the YAML of a file's front matter; None when it has none, or it never ends."""
    front = _FRONT.match(text)
    return front["yaml"] if front else None


def identify(text: str) -> Identity | None:
    """Tell whose entry a file is by its front matter, or by its marker; None if it is none."""
    yaml = front_of(text)
    if yaml is not None and (front := frontmatter.load(yaml)):
        internal = front.get(frontmatter.INTERNAL)
        if isinstance(internal, dict) and internal.get("session"):
            return Identity(
                session_id=str(internal["session"]),
                fingerprint=str(internal.get("fingerprint") or ""),
                status=str(internal.get("status") or ""),
                written=str(frontmatter.uniform(internal.get("written")) or ""),
                beside=str(internal.get("beside") or ""),
            )
    line = _SESSION_LINE.search(text if yaml is None else yaml)
    if line:
        return Identity(session_id=line["id"].strip())
    begin = _BEGIN.search(text)
    session = _words(begin).get("session") if begin else None
    return Identity(session_id=session) if session else None


def is_told(text: str, page: Page) -> bool:
    """Tell whether the generated part that was once written into `text` is that of `page`."""
    told = {_words(begin).get("body") for begin in _BEGIN.finditer(text)}
    return text_hash(page.body) in told


def merge(text: str, page: Page) -> str | Conflict:
    """Return the file `text` refreshed to `page`; `text` itself when there is nothing new."""
    part = _find(text)
    if isinstance(part, Conflict):
        return part
    if text_hash(part.body) != part.body_hash:
        return Conflict(reason="its generated part was edited")
    kept = None if text_hash(part.title) == part.title_hash else part.title
    refreshed = _rebuilt(text, part, page.front, generated(page, kept))
    # Only the time of writing would change: that is no news.
    if isinstance(refreshed, str):
        still = _rebuilt(text, part, _as_written_before(text, page), generated(page, kept))
        return text if still == text else refreshed
    return refreshed


def _rebuilt(text: str, part: _Generated, front: Mapping[str, Any], block: str) -> str | Conflict:
    newline = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
    present = _FRONT.match(text)
    if present is None:
        mark = "\ufeff" if text.startswith("\ufeff") else ""
        rest = len(mark)
        if text.startswith("---", rest):
            return Conflict(reason="its front matter does not end")
        head = mark + f"---\n{frontmatter.dump(front)}---\n\n".replace("\n", newline)
    else:
        merged = merge_front(present["yaml"], front, newline)
        if merged is None or part.start < present.end():
            return Conflict(reason="its front matter cannot be read")
        start, stop = present.span("yaml")
        head = f"{text[:start]}{merged}{text[stop : present.end()]}"
        rest = present.end()
    between = text[rest : part.start]
    return f"{head}{between}{block.replace(chr(10), newline)}{text[part.stop :]}"


def _as_written_before(text: str, page: Page) -> Mapping[str, Any]:
    front = frontmatter.load(front_of(text) or "") or {}
    internal = front.get(frontmatter.INTERNAL)
    if not isinstance(internal, dict) or "written" not in internal:
        return page.front
    ours = {**page.front[frontmatter.INTERNAL], "written": internal["written"]}
    return {**page.front, frontmatter.INTERNAL: ours}


def _find(text: str) -> _Generated | Conflict:
    begins, ends = [*_BEGIN.finditer(text)], [*_END.finditer(text)]
    whole = len(begins) == len(ends) == 1 and len(_ANY_MARKER.findall(text)) == len("be")
    if not whole or begins[0].end() > ends[0].start():
        return Conflict(reason="its markers are damaged")
    words = _words(begins[0])
    if "title" not in words or "body" not in words:
        return Conflict(reason="its markers are damaged")
    inner = text[begins[0].end() : ends[0].start()]
    title = _TITLE_LINE.match(inner)
    return _Generated(
        start=begins[0].start(),
        stop=ends[0].end(),
        title=title["title"] if title else "",
        body=inner[title.end() :] if title else inner,
        title_hash=words["title"],
        body_hash=words["body"],
    )


def _words(begin: re.Match[str]) -> dict[str, str]:
    pairs = (word.partition("=") for word in begin["words"].split())
    return {name: value for name, _, value in pairs}


def same_session(session_id: str, identity: Identity) -> bool:
    """Tell whether an entry is that of the session."""
    return one_line(identity.session_id) == frontmatter.identity(session_id)
