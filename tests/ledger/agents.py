"""Sub-agents, and the notices that tell of background work, for tests of the ledger."""

from dataclasses import replace
from typing import Any

from journald.transcript.session import NoticeKind, Subagent, ToolResult
from tests.sessions import Script


def subagent(script: Script, agent_id: str, call: str | None = None) -> Subagent:
    """Return what `script` wrote as the events of a sub-agent that the event `call` started."""
    return Subagent(
        agent_id=agent_id,
        kind="Explore",
        description="Look around",
        call_id=f"toolu_{call}" if call else None,
        events=tuple(script.events),
        source=f"agent-{agent_id}.jsonl",
    )


def notify(script: Script, text: str, call: str | None = None, **details: Any) -> str:
    """Add the notice that a background task ended; return its event id."""
    made = script.notice(text, NoticeKind.TASK)
    result = ToolResult(call_id=f"toolu_{call}" if call else "", details=details)
    script.events[-1] = replace(script.events[-1], result=result)
    return made
