"""Sub-agents whose rows stand inside the main file (up to 2.0.1x)."""

from __future__ import annotations

from collections.abc import Callable

from journald.transcript.records import Row
from journald.transcript.thread import Thread


class Sidechains:
    """Tells which sub-agent a side-chain row belongs to.

    They are named `s1`, `s2` and so on as they appear. Rows of agents that run at the same time
    stand mixed, so each row goes where its parent went.
    """

    def __init__(self, make: Callable[[str], Thread]) -> None:
        self.threads: dict[str, Thread] = {}
        self.agent_ids: dict[str, str] = {}
        """Agents' own ids, by the name given here."""
        self._make = make
        self._by_uuid: dict[str, str] = {}
        self._by_agent: dict[str, str] = {}

    def thread(self, row: Row) -> Thread:
        """Return the thread of a side-chain row."""
        name = self._name(row)
        if row.uuid:
            self._by_uuid[row.uuid] = name
        if row.agentId:
            self._by_agent.setdefault(row.agentId, name)
            self.agent_ids.setdefault(name, row.agentId)
        return self.threads[name]

    def _name(self, row: Row) -> str:
        if row.agentId:
            known = self._by_agent.get(row.agentId)
        else:
            known = self._by_uuid.get(row.parentUuid or "")
            if known is None and row.type != "user":
                # A cut chain: only a prompt can begin an agent.
                known = next(reversed(self.threads), None)
        return known or self._begin()

    def _begin(self) -> str:
        name = f"s{len(self.threads) + 1}"
        self.threads[name] = self._make(f"{name}.")
        return name
