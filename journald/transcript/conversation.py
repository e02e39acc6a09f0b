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

from journald.transcript.bulk import MOST, MOST_OF_AN_AGENT, Bulk
from journald.transcript.session import Event, EventKind, NoticeKind, Origin

# What people say, and what the model says to them, is kept whole; the rest may be endless.
_BULKY = frozenset(
    {EventKind.TOOL_RESULT, EventKind.COMMAND_OUTPUT, EventKind.NOTICE, EventKind.THINKING}
)
# What the model did is known again by its ids, so it never stands in a history twice.
_WORK = frozenset(
    {EventKind.ASSISTANT, EventKind.THINKING, EventKind.TOOL_CALL, EventKind.TOOL_RESULT}
)


class Place(NamedTuple):
    """Where an event comes from."""

    line: int
    uuid: str | None
    at: datetime | None
    inherited: bool = False


class Conversation:
    """Collects the events of the main conversation, or of one sub-agent."""

    def __init__(self, prefix: str, *, delegated: bool = False, bulk: Bulk | None = None) -> None:
        self.delegated = delegated
        """The other side is the model of the main conversation, not the human."""
        self.inherited = 0
        self.bulk = bulk or Bulk(MOST_OF_AN_AGENT if delegated else MOST)
        """Conversations in one file share it."""
        self._prefix = prefix
        self._number = 0
        self._events: list[Event | None] = []
        """By number, from 1; None for one that was left out."""
        self._told: dict[int, int] = {}
        """Number of the last event when something was told, by what it was."""
        self._worked = 0
        """Number of the last event of the model's work."""
        self._latest: datetime | None = None
        self._summaries_missing: list[int] = []

    def add(self, place: Place, kind: EventKind, text: str, **more: Any) -> int:
        """Add an event; return its number, by which it can be changed."""
        self._number += 1
        if kind in _WORK:
            self._worked = self._number
        if place.at is not None and (self._latest is None or place.at > self._latest):
            self._latest = place.at
        if place.inherited:
            self.inherited += 1
            self._events.append(None)
            return self._number
        event = Event(
            id=f"{self._prefix}{self._number}",
            kind=kind,
            at=place.at,
            text=self.bulk.text(text) if kind in _BULKY else text,
            line=place.line,
            uuid=place.uuid,
            **self._kept(more),
        )
        self._events.append(event)
        return self._number

    def _kept(self, more: dict[str, Any]) -> dict[str, Any]:
        """Return fields of an event, of long bodies what there is room for."""
        if more.get("call") is not None:
            return more | {"call": self.bulk.call(more["call"])}
        if more.get("result") is not None:
            return more | {"result": self.bulk.result(more["result"])}
        return more

    def tell(self, place: Place, kind: EventKind, text: str, **more: Any) -> int | None:
        """Add an event unless the same was told at the same moment before.

        Histories are written again into their own file, with new uuids but the old times. Files
        whose rows all have one time exist too: there the model's work between two of the same
        words shows that they were said twice.
        """
        return self.add(place, kind, text, **more) if self._is_new(place, kind, text) else None

    def _is_new(self, place: Place, kind: EventKind, text: str) -> bool:
        if place.at is None:
            return True
        key = hash((kind, place.at, text))
        told = self._told.get(key)
        self._told[key] = self._number
        return told is None or (self._worked > told and place.at == self._latest)

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
        event = self._events[number - 1]
        if event is not None:
            if "text" in more and event.kind in _BULKY:
                more["text"] = self.bulk.text(more["text"])
            self._events[number - 1] = replace(event, **self._kept(more))

    @property
    def last(self) -> int:
        """Number of the last event."""
        return self._number

    def since(self, number: int) -> list[Event]:
        """Return the events after the one with `number`."""
        return [event for event in self._events[number:] if event is not None]

    def events(self) -> list[Event]:
        """Return the events in conversation order."""
        return [event for event in self._events if event is not None]
