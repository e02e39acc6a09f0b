"""Work given to sub-agents, and what they reported."""

from __future__ import annotations

import re

from journald.ledger.facts import Delegation
from journald.ledger.timeline import Call, Timeline
from journald.transcript.session import Event, EventKind, Session, Subagent

_TOOLS = frozenset({"Task", "Agent"})
_READERS = frozenset({"TaskOutput", "AgentOutputTool"})
_LAUNCHED = frozenset({"async_launched", "remote_launched"})
_LAUNCH_TEXT = "Async agent launched"
# Claude Code puts these behind an agent's report, for the model alone.
_TRAILER = re.compile(r"(?<!\s)\s++(?:agentId: [^\n<]*+\s*+)?+(?:<usage>[^<]*+</usage>\s*+)?+\Z")
# Its notice names the agent before it lets it speak.
_HEADLINE = re.compile(r"\AAgent \"[^\n]*\" [a-z]+\n\n")


def find_delegations(session: Session, timeline: Timeline) -> tuple[Delegation, ...]:
    """Return the delegations in order of time, then sub-agents of which no call is known."""
    heard = _heard(timeline)
    agents = {agent.agent_id: agent for agent in session.subagents}
    by_call = {agent.call_id: agent for agent in session.subagents if agent.call_id}
    found: list[Delegation] = []
    told: set[str] = set()
    for call in timeline.calls:
        if call.name not in _TOOLS:
            continue
        agent = by_call.get(call.call.call_id) or agents.get(call.told("agentId"))
        if agent is None and not call.ran:
            continue
        if agent is not None:
            told.add(agent.agent_id)
        found.append(_delegation(call, agent, heard))
    found.extend(_orphan(agent, heard) for agent in session.subagents if agent.agent_id not in told)
    return tuple(found)


def _delegation(call: Call, agent: Subagent | None, heard: dict[str, str]) -> Delegation:
    kind = call.given("subagent_type") or str(call.detail("agentType") or "")
    return Delegation(
        id=call.id,
        at=call.event.at,
        kind=kind or (agent.kind if agent else ""),
        description=call.given("description") or (agent.description if agent else ""),
        events=_steps(agent) if agent else 0,
        outcome=_outcome(call, agent, heard),
    )


def _orphan(agent: Subagent, heard: dict[str, str]) -> Delegation:
    return Delegation(
        id=agent.agent_id,
        at=agent.events[0].at if agent.events else None,
        kind=agent.kind,
        description=agent.description,
        events=_steps(agent),
        outcome=heard.get(agent.agent_id, ""),
    )


def _steps(agent: Subagent) -> int:
    """Return how much of an agent is known: its events, or rows of which nothing else is left."""
    return len(agent.events) or agent.steps


def _outcome(call: Call, agent: Subagent | None, heard: dict[str, str]) -> str:
    launched = call.told("status") in _LAUNCHED or bool(call.detail("isAsync"))
    if not launched and not call.text.startswith(_LAUNCH_TEXT):
        return _TRAILER.sub("", call.text) if call.answer is not None and call.ran else ""
    names = (call.call.call_id, call.told("agentId"), agent.agent_id if agent else None)
    return next((heard[name] for name in names if name and name in heard), "")


def _heard(timeline: Timeline) -> dict[str, str]:
    """Return what background agents reported, by agent id and by the id of their call."""
    heard: dict[str, str] = {}
    for call in timeline.calls:
        if call.name in _READERS and call.succeeded and _of_agent(call):
            heard[call.given("task_id") or call.given("agentId")] = call.text
    for event in timeline.tasks():
        for name in _named(event):
            heard[name] = _HEADLINE.sub("", event.text)
    return heard


def _of_agent(call: Call) -> bool:
    task = call.detail("task")
    if call.name != "TaskOutput":
        return True
    if not isinstance(task, dict):
        return False
    return task.get("task_type") == "local_agent" and task.get("status") == "completed"


def _named(event: Event) -> tuple[str, ...]:
    if event.result is None or event.kind is not EventKind.NOTICE:
        return ()
    task = event.result.details.get("taskId")
    names = (task if isinstance(task, str) else "", event.result.call_id)
    return tuple(name for name in names if name)
