"""Sub-agents: their rows read, and each joined to the call that started it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from journald.transcript.assembly import TREE, Assembly, Seen
from journald.transcript.clean import clean
from journald.transcript.conversation import Conversation, Place
from journald.transcript.discovery import AgentFile
from journald.transcript.kinds import is_known_row
from journald.transcript.moments import moment
from journald.transcript.persisted import Persisted
from journald.transcript.records import AgentMeta, Row
from journald.transcript.session import Event, Subagent, ToolCall
from journald.transcript.spending import Spending
from journald.transcript.tally import Tally
from journald.transcript.thread import Thread

_STARTERS = frozenset({"Task", "Agent"})
# What Claude Code 2.0 said to agents that it started ahead of need.
_WARM_UP = "Warmup"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegate:
    """A sub-agent that was read, before it is joined to its call."""

    agent_id: str
    names: frozenset[str]
    """All ids by which a call may name it."""
    events: tuple[Event, ...]
    source: str
    meta: AgentMeta
    spending: Spending
    steps: int = 0
    elided_chars: int = 0


class AgentRows:
    """Reads the rows of one sub-agent's file."""

    def __init__(self, file: AgentFile, tally: Tally, persisted: Persisted | None = None) -> None:
        self.meta = file.meta
        self.seen = Seen()
        self.spending = Spending()
        conversation = Conversation(f"{file.agent_id}.", delegated=True)
        self.thread = Thread(conversation, self.spending, persisted)
        self.names = {file.agent_id}
        self._file = file
        self._tally = tally

    @classmethod
    def maker(
        cls, file: AgentFile, persisted: Persisted | None = None
    ) -> Callable[[Tally], AgentRows]:
        """Return what makes the reader of `file`'s rows."""
        return lambda tally: cls(file, tally, persisted)

    def add(self, line: int, row: Row) -> None:
        """Add one row."""
        kind = row.type or "?"
        self._tally.record(kind)
        if row.agentId:
            self.names.add(row.agentId)
        if kind in TREE:
            if not self.seen.is_replay(row):
                place = Place(line=line, uuid=row.uuid, at=moment(row.timestamp))
                unknown = self.thread.add(place, row)
                if unknown:
                    self._tally.not_known(row.version, kind, *unknown)
        elif not is_known_row(kind):
            self._tally.not_known(row.version, kind, row.subtype)

    def delegate(self, main: Seen, others: Seen) -> Delegate:
        """Return the sub-agent; rows that a file read before it holds as well are left out."""
        repeated = self.seen.shared(main) | self.seen.shared(others)
        events = self.thread.conversation.events()
        return Delegate(
            agent_id=self._file.agent_id,
            names=frozenset(self.names),
            events=tuple(event for event in events if event.uuid not in repeated),
            source=self._file.path.name,
            meta=self.meta,
            spending=self.spending,
            elided_chars=self.thread.conversation.bulk.elided,
        )


def delegates(assembly: Assembly, files: Sequence[AgentRows], source: str) -> list[Delegate]:
    """Return the sub-agents of a session: in its main file `source`, in files, in progress rows."""
    found = _inner_agents(assembly, source)
    others = Seen()
    for rows in files:
        delegate = rows.delegate(assembly.seen, others)
        others.times |= rows.seen.times
        # A copy of another file's rows, and nothing else, is no agent of its own.
        if delegate.events or not rows.thread.conversation.last:
            found.append(delegate)
    return found + _traced_agents(assembly, found, source)


def _inner_agents(assembly: Assembly, source: str) -> list[Delegate]:
    """Return the sub-agents whose rows stand in the main file."""
    sidechains = assembly.sidechains
    found: list[Delegate] = []
    for name, thread in sidechains.threads.items():
        events = tuple(thread.conversation.events())
        own = sidechains.agent_ids.get(name)
        names = frozenset({own} if own else ())
        if events:
            found.append(
                Delegate(
                    agent_id=name,
                    names=names,
                    events=events,
                    source=source,
                    meta=AgentMeta(),
                    spending=assembly.spending,
                )
            )
    return found


def _traced_agents(assembly: Assembly, known: Iterable[Delegate], source: str) -> list[Delegate]:
    """Return the sub-agents of which nothing but progress rows is left."""
    names = frozenset[str]().union(*(delegate.names for delegate in known))
    return [
        Delegate(
            agent_id=agent_id,
            names=frozenset({agent_id}),
            events=tuple(trace.thread.conversation.events()),
            source=source,
            meta=AgentMeta(toolUseId=trace.call_id),
            spending=trace.spending,
            steps=trace.messages,
        )
        for agent_id, trace in assembly.steps.traces.items()
        if agent_id not in names and trace.messages
    ]


def join(delegates: list[Delegate], main: Iterable[Event]) -> tuple[Subagent, ...]:
    """Join each sub-agent to its call: by the call's result, by its own notes, by the prompt."""
    calls = _Calls()
    for event in main:
        calls.add(event)
    for delegate in delegates:
        for event in delegate.events:
            calls.add(event)
    return tuple(_subagent(delegate, calls) for delegate in delegates if not _is_warm_up(delegate))


class _Calls:
    """The calls that start sub-agents, by what an agent may be known by."""

    def __init__(self) -> None:
        self._calls: dict[str, ToolCall] = {}
        self._by_agent: dict[str, str] = {}
        self._kinds: dict[str, str] = {}
        self._by_prompt: dict[str, list[str]] = {}

    def add(self, event: Event) -> None:
        call, result = event.call, event.result
        if call is not None and call.name in _STARTERS:
            self._calls[call.call_id] = call
            prompt = call.input.get("prompt")
            if isinstance(prompt, str):
                self._by_prompt.setdefault(clean(prompt).strip(), []).append(call.call_id)
        if result is not None and isinstance(result.details.get("agentId"), str):
            self._by_agent.setdefault(result.details["agentId"], result.call_id)
            kind = result.details.get("agentType")
            if isinstance(kind, str):
                self._kinds.setdefault(result.call_id, kind)

    def find(self, delegate: Delegate) -> str | None:
        """Return the id of the call that started a sub-agent."""
        named = [self._by_agent[name] for name in delegate.names if name in self._by_agent]
        call_id = named[0] if named else delegate.meta.toolUseId
        prompt = delegate.events[0].text.strip() if delegate.events else ""
        waiting = self._by_prompt.get(prompt, [])
        if call_id is None and waiting:
            return waiting.pop(0)
        if call_id in waiting:
            waiting.remove(call_id)
        return call_id

    def kind(self, call_id: str | None) -> str:
        """Return the agent's type as call or result name it."""
        return self._kinds.get(call_id or "") or self._input(call_id, "subagent_type")

    def description(self, call_id: str | None) -> str:
        """Return what the call says the agent is for."""
        return self._input(call_id, "description")

    def _input(self, call_id: str | None, key: str) -> str:
        call = self._calls.get(call_id or "")
        value = call.input.get(key) if call else None
        return clean(value) if isinstance(value, str) else ""


def _subagent(delegate: Delegate, calls: _Calls) -> Subagent:
    call_id = calls.find(delegate)
    return Subagent(
        agent_id=delegate.agent_id,
        kind=clean(delegate.meta.agentType or "") or calls.kind(call_id),
        description=clean(delegate.meta.description or "") or calls.description(call_id),
        call_id=call_id,
        events=delegate.events,
        source=delegate.source,
        steps=delegate.steps or len({event.uuid for event in delegate.events}),
    )


def _is_warm_up(delegate: Delegate) -> bool:
    return bool(delegate.events) and delegate.events[0].text.strip() == _WARM_UP
