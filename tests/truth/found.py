"""What journald says happened in a transcript, as items that can be held against labels."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC
from pathlib import Path

from journald.ledger.facts import Ledger, TestRun
from journald.ledger.ledger import build_ledger
from journald.transcript.reader import read_session
from journald.transcript.session import Event, Session
from tests.truth.labels import Item, Kind, commit_key, words_hash

_WIDTH = 80


class Found:
    """A transcript as journald reads it."""

    def __init__(self, path: Path) -> None:
        session = read_session(path)
        self._events = {event.id: event for event in _all_events(session)}
        self.items = dict(self._items(build_ledger(session, UTC)))

    def _items(self, ledger: Ledger) -> Iterator[tuple[Kind, list[Item]]]:
        yield (
            Kind.REQUESTS,
            [self._item(one.id, (words_hash(one.text),), one.text) for one in ledger.requests],
        )
        yield (
            Kind.COMMANDS,
            [
                self._item(one.id, (self._called(one.id), one.exit_status), one.command)
                for one in ledger.commands
            ],
        )
        yield (
            Kind.TESTS,
            [
                self._item(runs[0].id, (self._called(runs[0].id), *_outcome(runs)), runs[0].command)
                for runs in _by_command(ledger.tests)
            ],
        )
        yield (
            Kind.FILES,
            [
                self._item(
                    one.ids[0],
                    (
                        words_hash(one.path),
                        one.change.value,
                        one.added if one.exact else None,
                        one.removed if one.exact else None,
                    ),
                    one.path,
                )
                for one in ledger.files
            ],
        )
        yield (
            Kind.COMMITS,
            [self._item(one.id, commit_key(one.hash), one.message) for one in ledger.commits],
        )
        yield (
            Kind.SUBAGENTS,
            [
                self._item(one.id, (self._called(one.id),), one.description)
                for one in ledger.subagents
            ],
        )

    def _item(self, event_id: str, key: tuple[str | int | bool | None, ...], text: str) -> Item:
        event = self._events.get(event_id)
        place = f"{event_id} line {event.line} {self._called(event_id)}" if event else event_id
        return Item(key=key, place=place, text=_short(text))

    def _called(self, event_id: str) -> str:
        """Return the call of an event; its line where it is none, its name where it is no event."""
        event = self._events.get(event_id)
        if event is None:
            return event_id
        return event.call.call_id if event.call else f"line {event.line}"

    def at(self, place: str) -> str:
        """Return what stands at a label's place: a call's line and input, a line's text, a file."""
        for item in self.items[Kind.FILES]:
            if place == f"path {item.key[0]}":
                return item.text
        for event in self._events.values():
            if event.call and event.call.call_id == place:
                given = " ".join(str(value) for value in event.call.input.values())
                return f"{event.id} line {event.line} {event.call.name} {_short(given)}"
            if f"line {event.line}" == place:
                return f"{event.id} {event.kind} {_short(event.text)}"
        return "nothing that journald tells of"


def _all_events(session: Session) -> Iterator[Event]:
    # The main conversation last: a line is looked for there first.
    for agent in session.subagents:
        yield from agent.events
    yield from session.events


def _short(text: str) -> str:
    return " ".join(text.split())[:_WIDTH]


def _by_command(runs: Iterable[TestRun]) -> list[list[TestRun]]:
    """Return the runs of each command: labels count a command that ran two suites once."""
    grouped: dict[str, list[TestRun]] = {}
    for run in runs:
        grouped.setdefault(run.id, []).append(run)
    return [*grouped.values()]


def _outcome(runs: Sequence[TestRun]) -> tuple[int | None, int | None, bool | None]:
    oks = {run.ok for run in runs}
    ok = False if False in oks else None if None in oks else True
    return _sum(run.passed for run in runs), _sum(run.failed for run in runs), ok


def _sum(counts: Iterable[int | None]) -> int | None:
    told = [count for count in counts if count is not None]
    return sum(told) if told else None
