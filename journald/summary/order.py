"""The order of a session's events, those of sub-agents at the call that started them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from journald.transcript.session import Event, Session


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOrder:
    """Where each event stands."""

    events: Mapping[str, Event]
    """Every event by its id, sub-agents' included."""
    positions: Mapping[str, int]

    @classmethod
    def of(cls, session: Session) -> EventOrder:
        """Return the order of the events of `session`."""
        by_id = {event.id: event for event in session.events}
        positions = {event.id: index for index, event in enumerate(session.events)}
        calls = {
            event.call.call_id: positions[event.id]
            for event in session.events
            if event.call is not None
        }
        end = len(session.events)
        for agent in session.subagents:
            position = calls.get(agent.call_id or "", end)
            for event in agent.events:
                by_id[event.id] = event
                positions[event.id] = position
            positions[agent.agent_id] = position
        return cls(events=by_id, positions=positions)

    def position(self, event_id: str) -> int:
        """Return the place of an event; an unknown one stands after all others."""
        return self.positions.get(event_id, len(self.positions))
