"""Sub-agents known by nothing but the progress rows they left (2.1.2 to about 2.1.96)."""

from __future__ import annotations

from dataclasses import dataclass, field

from journald.transcript.records import Progress, Row, decode_body


@dataclass(slots=True)
class Trace:
    """What progress rows tell of one sub-agent."""

    call_id: str | None
    messages: set[str] = field(default_factory=set)


class Steps:
    """Counts the distinct steps of each sub-agent; the steps' bodies are not decoded."""

    def __init__(self) -> None:
        self.traces: dict[str, Trace] = {}

    def add(self, row: Row) -> None:
        """Count one progress row."""
        if b'"agent_progress"' not in bytes(row.data):
            return
        progress = decode_body(row.data, Progress)
        if progress.type != "agent_progress" or not progress.agentId:
            return
        trace = self.traces.setdefault(progress.agentId, Trace(row.parentToolUseID))
        step = progress.message.uuid if progress.message else None
        if step or row.uuid:
            trace.messages.add(step or row.uuid or "")
