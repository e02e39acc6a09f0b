"""The events of a session and of its sub-agents on one line of time, calls with their results."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from journald.ledger.moments import Moments
from journald.transcript.session import Event, EventKind, NoticeKind, Session, ToolCall

# From this version on all failures of the shell tools in real transcripts begin with `Exit code N`.
_TELLING_EXITS = (2, 0, 64)
_BEGINNING = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An event and whose it is."""

    event: Event
    agent_id: str | None
    """None for the main conversation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call and what came back."""

    event: Event
    call: ToolCall
    answer: Event | None
    """None when no result is known."""
    agent_id: str | None

    @property
    def id(self) -> str:
        """The event's id."""
        return self.event.id

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.call.name

    @property
    def ran(self) -> bool:
        """Whether the call was let through; one without a result may have run."""
        result = self.answer.result if self.answer else None
        return result is None or not (result.rejected or result.cancelled)

    @property
    def failed(self) -> bool:
        """Whether the call ran and its tool said that it failed."""
        result = self.answer.result if self.answer else None
        return self.ran and result is not None and result.is_error

    @property
    def succeeded(self) -> bool:
        """Whether a result is there that is no error."""
        return self.answer is not None and self.ran and not self.failed

    @property
    def text(self) -> str:
        """The result's text; empty without one."""
        return self.answer.text if self.answer else ""

    def given(self, name: str) -> str:
        """Return an argument that is text; empty when it is missing."""
        value = self.call.input.get(name)
        return value if isinstance(value, str) else ""

    @property
    def details(self) -> Mapping[str, Any]:
        """The structured facts of the result."""
        result = self.answer.result if self.answer else None
        return result.details if result else {}

    def detail(self, name: str) -> Any:
        """Return a structured fact of the result; None when it is missing."""
        return self.details.get(name)

    def told(self, name: str) -> str:
        """Return a structured fact that is text; empty when it is missing."""
        value = self.detail(name)
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Everything that happened, in order of time."""

    moments: tuple[Moment, ...]
    calls: tuple[Call, ...]
    order: Mapping[str, int]
    """Place of each event in time, by its id."""
    tells_exits: bool = False
    """Every command that failed tells its exit status."""

    def tasks(self) -> Iterator[Event]:
        """Yield the notices that a background task or agent ended."""
        for moment in self.moments:
            if moment.event.notice is NoticeKind.TASK:
                yield moment.event


def build_timeline(session: Session, moments: Moments) -> Timeline:
    """Merge the conversations of a session; the order within each is kept."""
    results = _results(session)
    started = {
        event.call.call_id: at
        for at, event in _timed(session.events, moments, _BEGINNING)
        if event.call
    }
    streams = [_stream(_timed(session.events, moments, _BEGINNING), None, 0)]
    for number, agent in enumerate(session.subagents, 1):
        start = started.get(agent.call_id or "", _BEGINNING)
        streams.append(_stream(_timed(agent.events, moments, start), agent.agent_id, number))
    merged = tuple(moment for _, _, _, moment in heapq.merge(*streams, key=lambda item: item[:3]))
    calls = tuple(
        Call(
            event=moment.event,
            call=moment.event.call,
            answer=results.get(moment.event.call.call_id),
            agent_id=moment.agent_id,
        )
        for moment in merged
        if moment.event.call
    )
    tells = bool(session.versions) and all(map(_tells_exits, session.versions))
    order = {moment.event.id: place for place, moment in enumerate(merged)}
    return Timeline(moments=merged, calls=calls, order=order, tells_exits=tells)


def whole_number(value: object) -> int | None:
    """Return a fact that is a whole number; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _tells_exits(version: str) -> bool:
    numbers = [int(part) for part in re.findall(r"\d{1,9}", version)[:3]]
    return tuple(numbers) >= _TELLING_EXITS


def _timed(
    events: tuple[Event, ...], moments: Moments, start: datetime
) -> Iterator[tuple[datetime, Event]]:
    # An event without a valid time, or with one before its predecessor's, stands where it stands.
    at = start
    for event in events:
        valid = moments.valid(event.at)
        if valid is not None and valid > at:
            at = valid
        yield at, event


def _stream(
    timed: Iterator[tuple[datetime, Event]], agent_id: str | None, number: int
) -> Iterator[tuple[datetime, int, int, Moment]]:
    for index, (at, event) in enumerate(timed):
        yield at, number, index, Moment(event=event, agent_id=agent_id)


def _results(session: Session) -> dict[str, Event]:
    found: dict[str, Event] = {}
    for events in (session.events, *(agent.events for agent in session.subagents)):
        for event in events:
            if event.kind is EventKind.TOOL_RESULT and event.result and event.result.call_id:
                found.setdefault(event.result.call_id, event)
    return found
