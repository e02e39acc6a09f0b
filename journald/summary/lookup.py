"""Looking spans up in everything that a session holds.

The texts of the session are searched where they are; a second, folded copy (one blank for any
white space, no case) is made once, when the first quotation asks for it. What was found or not
is remembered, so the same span costs one search.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from journald.ledger.facts import Ledger
from journald.summary.spans import Span, SpanKind
from journald.transcript.session import Event, Session

_DEEPEST = 12
_GAP = re.compile(r"\s*(?:…|\.\.\.)\s*")


class Lookup:
    """Answers whether a span occurs in a session, or in what a model was `shown` of it."""

    def __init__(self, session: Session, ledger: Ledger, shown: Iterable[str] = ()) -> None:
        self._texts = tuple(
            unicodedata.normalize("NFC", text)
            for text in chain(_texts(session, ledger), shown)
            if text
        )
        self._folded: tuple[str, ...] | None = None
        self._numbers = derived_numbers(ledger)
        self._roots = tuple(f"{root.rstrip('/')}/" for root in session.cwds if root.strip("/"))
        self._known: dict[Span, bool] = {}

    def occurs(self, span: Span) -> bool:
        """Whether the session holds `span`, by the rules of its kind."""
        if span not in self._known:
            self._known[span] = self._occurs(
                span.kind, unicodedata.normalize("NFC", span.text.strip())
            )
        return self._known[span]

    def _occurs(self, kind: SpanKind, text: str) -> bool:  # noqa: PLR0911 - one rule per kind
        match kind:
            case SpanKind.URL:
                return self._has(text.rstrip("/"), left="", right="")
            case SpanKind.QUOTE:
                return all(self._has_folded(part) for part in _GAP.split(text) if part)
            case SpanKind.CODE:
                return self._has_code(text)
            case SpanKind.PATH:
                return self._has_path(text)
            case SpanKind.HASH:
                return self._has(text, left="0-9a-f", right="")
            case SpanKind.NAME:
                name = text.removesuffix("()")
                return self._has(name, left=r"\w", right=r"\w") or self._has_dotted(name)
            case SpanKind.OPTION:
                return self._has(text, left=r"\w-", right=r"\w-")
            case SpanKind.NUMBER:
                return self._has_number(text)

    def _has_code(self, text: str) -> bool:
        return (
            self._has(text, left="", right="")
            or self._has_folded(text)
            or self._has_dotted(text.removesuffix("()"))
            or self._has_path(text)
        )

    def _has_dotted(self, name: str) -> bool:
        """Whether every part of `Cart.total` stands somewhere: classes are seen in pieces."""
        parts = name.split(".")
        return all(part.isidentifier() for part in parts) and all(
            self._has(part, left=r"\w", right=r"\w") for part in parts
        )

    def _has_path(self, path: str) -> bool:
        wanted = path.rstrip("/")
        shorter = [wanted.removeprefix(root) for root in self._roots]
        shorter += [wanted.removeprefix("~/"), wanted.removeprefix("./")]
        return any(
            self._has(found, left=r"\w.-", right=r"\w-")
            for found in dict.fromkeys([wanted, *shorter])
            if found
        ) or ("/" not in wanted and self._has_folded(wanted, beside=r"\w-"))

    def _has_number(self, text: str) -> bool:
        digits = re.sub(r"[,_' \u00a0\u202f]", "", text.rstrip(".,"))
        written = {text.rstrip(".,"), digits}
        if digits.isdigit():
            grouped = f"{int(digits):,}"
            written |= {grouped, grouped.replace(",", "_"), grouped.replace(",", " ")}
        return bool(written & self._numbers) or any(
            self._has(number, left="0-9", right="0-9") for number in written
        )

    def _has(self, wanted: str, *, left: str, right: str) -> bool:
        """Whether `wanted` stands anywhere with no character of a class right beside it."""
        before = re.compile(f"[{left}]") if left else None
        after = re.compile(f"[{right}]") if right else None
        return any(_stands(wanted, text, before, after) for text in self._texts)

    def _has_folded(self, wanted: str, *, beside: str = "") -> bool:
        if self._folded is None:
            self._folded = tuple(_fold(text) for text in self._texts)
        folded = _fold(wanted)
        free = re.compile(f"[{beside}]") if beside else None
        return any(_stands(folded, text, free, free) for text in self._folded)


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _stands(
    wanted: str, text: str, before: re.Pattern[str] | None, after: re.Pattern[str] | None
) -> bool:
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        free = before is None or at == 0 or not before.match(text[at - 1])
        if free and (after is None or end == len(text) or not after.match(text[end])):
            return True
        at = text.find(wanted, at + 1)
    return False


def _texts(session: Session, ledger: Ledger) -> Iterator[str]:
    yield from (session.title or "", session.project, session.cwd or "", session.session_id)
    yield from (*session.branches, *session.cwds, *session.versions, *session.models)
    for _, url in session.pull_requests:
        yield url
    for event in session.events:
        yield from _said(event)
    for agent in session.subagents:
        yield from (agent.kind, agent.description)
        for event in agent.events:
            yield from _said(event)
    for commit in ledger.commits:
        yield from (commit.hash, commit.message, commit.branch or "")
    for file in ledger.files:
        yield file.path


def _said(event: Event) -> Iterator[str]:
    yield event.text
    if event.call is not None:
        yield event.call.name
        yield from _strings(event.call.input)
    if event.result is not None:
        yield from _strings(event.result.details)


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool) or value is None or depth > _DEEPEST:
        return
    elif isinstance(value, int | float):
        yield str(value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner, depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner, depth + 1)


def derived_numbers(ledger: Ledger) -> frozenset[str]:
    """Return the numbers that no text of the session holds, but that are true of it."""
    added = sum(file.added for file in ledger.files)
    removed = sum(file.removed for file in ledger.files)
    counts = [
        *(len(part) for part in (ledger.requests, ledger.commands, ledger.files, ledger.tests)),
        *(len(part) for part in (ledger.commits, ledger.errors, ledger.fetched, ledger.subagents)),
        *(len(ledger.tasks), len(ledger.questions), len(ledger.pull_requests)),
        *(ledger.refusals, ledger.interrupts, ledger.compactions, added, removed),
        *(number for file in ledger.files for number in (file.added, file.removed)),
        *(number for run in ledger.tests for number in (run.passed, run.failed) if number),
        *(run.passed + run.failed for run in ledger.tests if run.passed and run.failed),
        *(int(span.total_seconds() // 60) for span in (ledger.wall, ledger.active)),
        *(int(span.total_seconds() // 3600) for span in (ledger.wall, ledger.active)),
    ]
    days = [part for day in ledger.days for part in day.isoformat().split("-")]
    return frozenset([*(str(count) for count in counts), *days])
