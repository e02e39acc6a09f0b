"""The pen: puts words of a transcript onto the page, redacted and inert, with their evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from journald.journal import inert
from journald.journal.durations import clock
from journald.journal.quotation import quotation, shortened

_EVENT_ID = re.compile(r"[\w.:-]{1,80}")
_IDS_SHOWN = 4
_LINE_CHARS = 240
_WEB_ADDRESS = re.compile(r"https?://[\w.~:/?#@!&'*+,;=%-]+[\w/=-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pen:
    """Redacts first of all: cut or escaped, a secret loses the shape by which it is known."""

    redact: Callable[[str], str]
    zone: tzinfo
    first: datetime | None
    """When the session began; later days are told with their date."""
    cwd: str | None

    def words(self, text: str) -> str:
        """Return Markdown of a model, or of code, on one line."""
        return inert.words(self.redact(text))

    def literal(self, text: str, limit: int | None = None, *, within: bool = False) -> str:
        """Return text that is no Markdown on one line, cut at `limit` characters.

        `within` is for a place where no heading and no list can begin.
        """
        return inert.words(self._cut(self.redact(text), limit), literal=True, within=within)

    def code(self, text: str, limit: int = _LINE_CHARS) -> str:
        """Return text as inline code: its first line, cut at `limit` characters."""
        shown = inert.plain(self.redact(text)).strip()
        first, _, rest = shown.partition("\n")
        line = self._cut(first, limit)
        return inert.code(f"{line} …" if rest.strip() and not line.endswith("…") else line)

    def quote(self, text: str, *, limit: int | None = None, literal: bool = False) -> list[str]:
        """Return text as the lines of a blockquote."""
        shown = inert.plain(self.redact(text))
        return quotation(shown if limit is None else shortened(shown, limit), literal=literal)

    def path(self, path: str) -> str:
        """Return a path as inline code, relative to the session's folder where it lies in it."""
        folder = (self.cwd or "").rstrip("/\\")
        inside = bool(folder) and path.startswith((f"{folder}/", f"{folder}\\"))
        shown = path[len(folder) + 1 :] if inside else path
        return self.code(shown)

    def address(self, url: str) -> str:
        """Return a web address that shows where it leads; what is no plain one, as code."""
        shown = inert.one_line(self.redact(url))
        return f"<{shown}>" if _WEB_ADDRESS.fullmatch(shown) else self.code(shown)

    def time(self, at: datetime | None) -> str:
        """Return a time of day, empty when it is not known."""
        return clock(at.astimezone(self.zone), self.first) if at else ""

    def refs(self, ids: Iterable[str]) -> str:
        """Return event ids as small print, with a space in front; empty for none."""
        known = [event_id for event_id in dict.fromkeys(ids) if _EVENT_ID.fullmatch(event_id)]
        if not known:
            return ""
        more = f" +{len(known) - _IDS_SHOWN}" if len(known) > _IDS_SHOWN else ""
        return f" <sub>[{' '.join(known[:_IDS_SHOWN])}{more}]</sub>"

    def _cut(self, text: str, limit: int | None) -> str:
        line = inert.one_line(text)
        return line if limit is None or len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def section(heading: str, lines: Sequence[str], level: int = 2) -> list[str]:
    """Return a section, or nothing when it has no lines."""
    return [f"{'#' * level} {heading}", "", *lines, ""] if lines else []


def capped(lines: Sequence[str], limit: int, rest: Callable[[int], str]) -> list[str]:
    """Return at most `limit` lines; how many were left out stands in their place."""
    # One line that says "1 more" tells less than the line itself.
    if len(lines) <= limit + 1:
        return [*lines]
    return [*lines[:limit], f"- {rest(len(lines) - limit)}"]
