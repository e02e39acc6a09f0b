"""Sub-agents as the progress rows in the main file tell of them (2.1.2 to about 2.1.96).

Each such row holds a whole message of the sub-agent. Where the sub-agent has a file of its own,
that tells more and is read instead; the rows come before that can be known, so they are read
either way, each agent into a conversation and a spending of its own.
"""

from __future__ import annotations

from journald.transcript.bulk import Bulk
from journald.transcript.conversation import Conversation, Place
from journald.transcript.moments import moment
from journald.transcript.persisted import Persisted
from journald.transcript.records import Progress, Row, decode_body
from journald.transcript.spending import Spending
from journald.transcript.thread import Thread

_MESSAGES = frozenset({"user", "assistant", "system", "attachment"})


class Trace:
    """What progress rows tell of one sub-agent."""

    def __init__(
        self, agent_id: str, call_id: str | None, persisted: Persisted | None, bulk: Bulk | None
    ) -> None:
        self.call_id = call_id
        self.spending = Spending()
        conversation = Conversation(f"{agent_id}.", delegated=True, bulk=bulk)
        self.thread = Thread(conversation, self.spending, persisted)
        self.messages = 0
        """How many messages are this session's own."""
        self._seen: set[str] = set()

    def add(self, place: Place, row: Row) -> list[str]:
        """Add a message of the sub-agent unless it was there; return what in it is not known."""
        step = place.uuid or f"line {place.line}"
        if step in self._seen:
            return []
        self._seen.add(step)
        if not place.inherited:
            self.messages += 1
        if row.type in _MESSAGES:
            return self.thread.add(place, row)
        return [] if row.type == "progress" else [row.type or "?"]


class Steps:
    """The sub-agents of a session by their own ids, in the order in which they appear."""

    def __init__(self, persisted: Persisted | None = None, bulk: Bulk | None = None) -> None:
        self.traces: dict[str, Trace] = {}
        self._bulk = bulk
        self._persisted = persisted

    def add(self, line: int, row: Row, *, inherited: bool = False) -> list[str]:
        """Add one progress row; return what in the message that it holds is not known."""
        if b'"agent_progress"' not in bytes(row.data):
            return []
        progress = decode_body(row.data, Progress)
        if progress.type != "agent_progress" or not progress.agentId:
            return []
        trace = self.traces.get(progress.agentId)
        if trace is None:
            trace = Trace(progress.agentId, row.parentToolUseID, self._persisted, self._bulk)
            self.traces[progress.agentId] = trace
        inner = decode_body(progress.message, Row)
        # The message itself names neither version nor, before it was sent, a time.
        inner.version = row.version
        place = Place(
            line=line,
            uuid=inner.uuid or row.uuid,
            at=moment(inner.timestamp) or moment(row.timestamp),
            inherited=inherited,
        )
        return trace.add(place, inner)
