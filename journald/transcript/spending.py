"""Tokens and models, each message of the API counted once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from journald.transcript.records import Message, UsageRow, decode_body
from journald.transcript.session import Usage

SYNTHETIC = "<synthetic>"
# From here on the last row of a message holds its final output tokens (CHANGELOG 2.1.97).
_RELIABLE = (2, 1, 97)
# Python refuses to read numbers of thousands of digits; none of a version has so many.
_DIGITS = 9


@dataclass(slots=True)
class _Spent:
    model: str | None
    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0


class Spending:
    """Adds up usage over the main transcript and all sub-agents.

    A message's usage is repeated on each of its rows, and by every copy of them, so it is kept by
    message id and its largest values win (ryoppippi/ccusage#1728). A message inherited from
    another session is known and not counted.
    """

    def __init__(self) -> None:
        self._messages: dict[str, _Spent | None] = {}
        self._reliable = True

    def add(self, key: str, message: Message, version: str | None, *, inherited: bool) -> None:
        """Add one row of the message `key`."""
        if message.model == SYNTHETIC:
            return
        spent = self._messages.setdefault(key, None if inherited else _Spent(message.model))
        if spent is None:
            return
        if is_before(version, _RELIABLE):
            self._reliable = False
        spent.model = spent.model or message.model
        row = decode_body(message.usage, UsageRow)
        spent.input = max(spent.input, row.input_tokens or 0)
        spent.output = max(spent.output, row.output_tokens or 0)
        spent.cache_read = max(spent.cache_read, row.cache_read_input_tokens or 0)
        spent.cache_creation = max(spent.cache_creation, _cache_creation(row))

    def join(self, other: Spending) -> None:
        """Add the messages of another file; what is known here keeps its model."""
        self._reliable = self._reliable and other._reliable
        for key, spent in other._messages.items():
            known = self._messages.setdefault(key, spent)
            if known is not None and spent is not None and known is not spent:
                self._messages[key] = _larger(known, spent)

    def usage(self) -> Usage:
        """Return the sum."""
        return self._sum(spent for spent in self._messages.values() if spent is not None)

    def usage_by_model(self) -> dict[str, Usage]:
        """Return the sum for each model, in order of first appearance."""
        parts: dict[str, list[_Spent]] = {}
        for spent in self._messages.values():
            if spent is not None and spent.model:
                parts.setdefault(spent.model, []).append(spent)
        return {model: self._sum(part) for model, part in parts.items()}

    def _sum(self, parts: Iterable[_Spent]) -> Usage:
        counted = [*parts]
        return Usage(
            input=sum(spent.input for spent in counted),
            output=sum(spent.output for spent in counted),
            cache_read=sum(spent.cache_read for spent in counted),
            cache_creation=sum(spent.cache_creation for spent in counted),
            output_reliable=self._reliable,
        )

    def models(self) -> dict[str, int]:
        """Return how many messages each model wrote, in order of first appearance."""
        messages: dict[str, int] = {}
        for spent in self._messages.values():
            if spent is not None and spent.model:
                messages[spent.model] = messages.get(spent.model, 0) + 1
        return messages


def joined(parts: Iterable[Spending]) -> Spending:
    """Return the sum of what several files tell."""
    total = Spending()
    for part in parts:
        total.join(part)
    return total


def _larger(one: _Spent, other: _Spent) -> _Spent:
    return _Spent(
        one.model or other.model,
        max(one.input, other.input),
        max(one.output, other.output),
        max(one.cache_read, other.cache_read),
        max(one.cache_creation, other.cache_creation),
    )


def _cache_creation(row: UsageRow) -> int:
    # Some versions leave 0 here and the values only in the breakdown.
    if row.cache_creation_input_tokens:
        return row.cache_creation_input_tokens
    parts = (row.cache_creation or {}).values()
    return sum(part for part in parts if isinstance(part, int))


def is_before(version: str | None, bound: tuple[int, ...]) -> bool:
    """Tell whether `version` is a version older than `bound`; one that cannot be read is not."""
    parts = (version or "").split("-")[0].split(".")
    if not all(part.isascii() and part.isdigit() and len(part) <= _DIGITS for part in parts):
        return False
    return tuple(int(part) for part in parts) < bound
