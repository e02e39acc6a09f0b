"""Tokens and models, each message of the API counted once."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from journald.transcript.records import Message, UsageRow, decode_body
from journald.transcript.session import Usage

SYNTHETIC = "<synthetic>"
# From here on the last row of a message holds its final output tokens (CHANGELOG 2.1.97).
_RELIABLE = (2, 1, 97)
# Python refuses to read numbers of thousands of digits; none of a version has so many.
_DIGITS = 9
_INHERITED = -1
_COUNTS = 4
_MOST = 2**48


class Spending:
    """Adds up usage over the main transcript and all sub-agents.

    A message's usage is repeated on each of its rows, and by every copy of them, so it is kept by
    message id and its largest values win (ryoppippi/ccusage#1728). A message inherited from
    another session is known and not counted.
    """

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        """Each message's place among those counted; `_INHERITED` for one that is not."""
        self._models: list[str | None] = []
        # In one array, as a transcript may hold hundreds of thousands of messages.
        self._counts = array("Q")
        self.reliable = True
        """Whether every message holds its final output tokens."""

    def add(self, key: str, message: Message, version: str | None, *, inherited: bool) -> None:
        """Add one row of the message `key`."""
        if message.model == SYNTHETIC:
            return
        if inherited:
            self._places.setdefault(key, _INHERITED)
        place = self._place(key, message.model)
        if place == _INHERITED:
            return
        if is_before(version, _RELIABLE):
            self.reliable = False
        self._raise(place, _counts(decode_body(message.usage, UsageRow)))

    def join(self, other: Spending) -> None:
        """Add the messages of another file; what is known here keeps its model."""
        self.reliable = self.reliable and other.reliable
        for key, model, counts in other.messages():
            place = self._place(key, model) if counts else self._places.setdefault(key, _INHERITED)
            if counts and place != _INHERITED:
                self._raise(place, counts)

    def messages(self) -> Iterator[tuple[str, str | None, Sequence[int]]]:
        """Yield id, model and counts of each message; no counts for one that was inherited."""
        for key, place in self._places.items():
            if place == _INHERITED:
                yield key, None, ()
            else:
                yield key, self._models[place], self._counted(place)

    def find(self, key: str) -> tuple[str | None, Sequence[int]] | None:
        """Return model and counts of a message, as `messages` does; None for one not known."""
        place = self._places.get(key)
        if place is None:
            return None
        return (None, ()) if place == _INHERITED else (self._models[place], self._counted(place))

    def _place(self, key: str, model: str | None) -> int:
        place = self._places.setdefault(key, len(self._models))
        if place == len(self._models):
            self._models.append(model)
            self._counts.extend((0,) * _COUNTS)
        elif place != _INHERITED:
            self._models[place] = self._models[place] or model
        return place

    def _raise(self, place: int, counts: Sequence[int]) -> None:
        for at, count in enumerate(counts, place * _COUNTS):
            self._counts[at] = max(self._counts[at], count)

    def _counted(self, place: int) -> Sequence[int]:
        return self._counts[place * _COUNTS : (place + 1) * _COUNTS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a session's messages came to."""

    usage: Usage
    models: Mapping[str, int]
    """Messages of each model, in order of first appearance."""
    usage_by_model: Mapping[str, Usage]


def spent(main: Spending, others: Iterable[Spending]) -> Spent:
    """Return the sum over the files of a session, each message counted once."""
    rest = Spending()
    for other in others:
        rest.join(other)
    total = _Total()
    # The main file's messages may be hundreds of thousands: they are added up where they stand.
    for _, model, counts in main.messages():
        total.add(model, counts)
    for key, model, counts in rest.messages():
        known = main.find(key)
        if known is None:
            total.add(model, counts)
        else:
            total.raise_(known[0], known[1], counts)
    return total.spent(reliable=main.reliable and rest.reliable)


class _Total:
    """Sums over messages."""

    def __init__(self) -> None:
        self._messages: Counter[str] = Counter()
        self._sums: dict[str | None, list[int]] = {}

    def add(self, model: str | None, counts: Sequence[int]) -> None:
        if counts:
            if model:
                self._messages[model] += 1
            self._increase(model, counts)

    def raise_(self, model: str | None, known: Sequence[int], counts: Sequence[int]) -> None:
        """Add what another file tells more of a message that was added."""
        if known and counts:
            more = [max(0, new - old) for new, old in zip(counts, known, strict=True)]
            self._increase(model, more)

    def _increase(self, model: str | None, counts: Sequence[int]) -> None:
        sums = self._sums.setdefault(model, [0] * _COUNTS)
        for at, count in enumerate(counts):
            sums[at] += count

    def spent(self, *, reliable: bool) -> Spent:
        columns = [sum(sums[at] for sums in self._sums.values()) for at in range(_COUNTS)]
        return Spent(
            usage=_usage(columns, reliable=reliable),
            models=dict(self._messages),
            usage_by_model={
                model: _usage(sums, reliable=reliable)
                for model, sums in self._sums.items()
                if model
            },
        )


def _usage(counts: Sequence[int], *, reliable: bool) -> Usage:
    input_, output, cache_read, cache_creation = counts
    return Usage(
        input=input_,
        output=output,
        cache_read=cache_read,
        cache_creation=cache_creation,
        output_reliable=reliable,
    )


def _counts(row: UsageRow) -> tuple[int, ...]:
    found = (
        row.input_tokens,
        row.output_tokens,
        row.cache_read_input_tokens,
        _cache_creation(row),
    )
    # Nothing below zero was ever spent, nor more than an array holds.
    return tuple(min(max(count or 0, 0), _MOST) for count in found)


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
