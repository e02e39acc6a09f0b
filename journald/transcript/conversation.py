"""The events of one conversation, numbered as they come.

Invariants that keep ids stable while a file grows:
- an event gets its number when its row is read, and nothing read later changes it;
- what is said again (a replayed row, a longer snapshot of a message) gets no number of its own;
- an inherited row's events are numbered like all others and then left out.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from journald.transcript.session import Event, EventKind, NoticeKind, Origin


class Place(NamedTuple):
    """Where an event comes from."""

    line: int
    uuid: str | None
    at: datetime | None
    inherited: bool = False


class Conversation:
    """Collects the events of the main conversation, or of one sub-agent."""

    def __init__(self, prefix: str, *, delegated: bool = False) -> None:
        self.delegated = delegated
        """The other side is the model of the main conversation, not the human."""
        self.inherited = 0
        self._prefix = prefix
        self._number = 0
        self._events: dict[int, Event] = {}
        self._told: set[int] = set()
        self._summaries_missing: list[int] = []

    def add(self, place: Place, kind: EventKind, text: str, **more: Any) -> int:
        """Add an event; return its number, by which it can be changed."""
        self._number += 1
        if place.inherited:
            self.inherited += 1
            return self._number
        self._events[self._number] = Event(
            id=f"{self._prefix}{self._number}",
            kind=kind,
            at=place.at,
            text=text,
            line=place.line,
            uuid=place.uuid,
            **more,
        )
        return self._number

    def tell(self, place: Place, kind: EventKind, text: str, **more: Any) -> int | None:
        """Add an event unless the same was told at the same moment before.

        Histories are written again into their own file, with new uuids but the old times.
        """
        return self.add(place, kind, text, **more) if self._is_new(place, kind, text) else None

    def _is_new(self, place: Place, kind: EventKind, text: str) -> bool:
        key = hash((kind, place.at, text))
        if place.at is None or key not in self._told:
            self._told.add(key)
            return True
        return False

    def say(self, place: Place, text: str, origin: Origin, images: int = 0) -> int | None:
        """Add words from the other side of the conversation.

        In a delegated conversation a prompt is the main model's and becomes a notice.
        """
        if self.delegated and origin in {Origin.PROMPT, Origin.QUEUED, Origin.PLAN}:
            return self.notice(place, NoticeKind.OTHER, text)
        return self.tell(place, EventKind.USER, text, origin=origin, images=images)

    def notice(self, place: Place, kind: NoticeKind, text: str, **more: Any) -> int | None:
        """Add a notice."""
        return self.tell(place, EventKind.NOTICE, text, notice=kind, **more)

    def boundary(self, place: Place) -> None:
        """Add a compaction whose summary may follow."""
        number = self.tell(place, EventKind.COMPACTION, "")
        if number is not None:
            self._summaries_missing = [number]

    def summary(self, place: Place, text: str) -> None:
        """Add the summary of a compaction, to its boundary where there is one."""
        if not self._is_new(place, EventKind.COMPACTION, text):
            return
        if self._summaries_missing:
            self.change(self._summaries_missing.pop(), text=text)
        else:
            self.add(place, EventKind.COMPACTION, text)

    def change(self, number: int, **more: Any) -> None:
        """Change an event under its number; one that was left out stays so."""
        event = self._events.get(number)
        if event is not None:
            self._events[number] = replace(event, **more)

    @property
    def last(self) -> int:
        """Number of the last event."""
        return self._number

    def since(self, number: int) -> list[Event]:
        """Return the events after the one with `number`."""
        later = (self._events.get(one) for one in range(number + 1, self._number + 1))
        return [event for event in later if event is not None]

    def events(self) -> list[Event]:
        """Return the events in conversation order."""
        return [*self._events.values()]
