"""Intact rows before and after a damaged stretch, and whether they are still told.

They stand on lines of their own, so nothing between them excuses their loss.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from journald.transcript.session import Event, EventKind, Session
from tests.fuzz.seeds import AGENT
from tests.rows import SESSION_ID, Rows

_BEFORE = "6b1f2c-before"
_AFTER = "6b1f2c-after"
_PROMPT = "These words stand before the damage."
_ANSWER = "These words stand after the damage."


@dataclass(frozen=True, slots=True, kw_only=True)
class Damaged:
    """A session whose middle may be anything."""

    main: bytes
    agent: bytes | None = None
    """Rows of a sub-agent's file; None without one."""
    meta: bytes | None = None
    """What stands beside the sub-agent's file."""
    ended: bool = True
    """An intact row follows; else the file ends with the damage."""


def _pair(prefix: str, **envelope: Any) -> tuple[bytes, bytes]:
    before = Rows(prefix=prefix, **envelope)
    before.user(_PROMPT, uuid=f"{prefix}{_BEFORE}", parentUuid=None)
    after = Rows(prefix=prefix, **envelope)
    after.say(_ANSWER, uuid=f"{prefix}{_AFTER}", message_id=f"{prefix}{_AFTER}")
    return before.data(), after.data()


_MAIN = _pair("m")
_AGENT = _pair("s", isSidechain=True, agentId=AGENT)
_MARKS = (_BEFORE.encode(), _AFTER.encode(), _PROMPT.encode(), _ANSWER.encode())


class Folder:
    """A project's folder with one session in it, written again and again."""

    def __init__(self, root: Path) -> None:
        self.path = root / f"{SESSION_ID}.jsonl"
        self._agents = root / SESSION_ID / "subagents"
        self._agents.mkdir(parents=True, exist_ok=True)
        self._agent = self._agents / f"agent-{AGENT}.jsonl"
        self._meta = self._agents / f"agent-{AGENT}.meta.json"

    def write(self, damaged: Damaged) -> None:
        """Write the files of a session, and remove those that it has not."""
        before, after = _MAIN
        self.path.write_bytes(before + _between(damaged.main, after, damaged.ended))
        agent = None
        if damaged.agent is not None:
            agent = _AGENT[0] + _between(damaged.agent, _AGENT[1], ended=True)
        _write(self._agent, agent)
        _write(self._meta, damaged.meta)

    def grow(self, data: bytes) -> None:
        """Write on in the main file, or from its start where it holds something else."""
        before = self.path.read_bytes()
        if before and data.startswith(before):
            with self.path.open("ab") as stream:
                stream.write(data[len(before) :])
        else:
            self.path.write_bytes(data)


def _between(middle: bytes, after: bytes, ended: bool) -> bytes:
    if not ended:
        return middle
    return middle + (b"" if middle.endswith(b"\n") or not middle else b"\n") + after


def _write(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    else:
        path.write_bytes(data)


def faults(session: Session, damaged: Damaged) -> list[str]:
    """Return what is wrong with a session that was read, in words; nothing where all is well."""
    found = _order_faults(session.events)
    every = [*session.events, *(event for agent in session.subagents for event in agent.events)]
    if len({event.id for event in every}) != len(every):
        found.append("an event id is given twice")
    for agent in session.subagents:
        found.extend(_order_faults(agent.events))
    if not _names_neighbours(damaged):
        found.extend(_losses("m", session.events, damaged.ended, EventKind.USER))
        if damaged.agent is not None:
            own = [one.events for one in session.subagents if one.agent_id == AGENT]
            events = own[0] if own else ()
            found.extend(_losses("s", events, True, EventKind.NOTICE))
    return found


def _names_neighbours(damaged: Damaged) -> bool:
    """Tell whether the damage repeats a neighbour: a replayed row is rightly told once."""
    everything = damaged.main + (damaged.agent or b"")
    return any(mark in everything for mark in _MARKS)


def _order_faults(events: Iterable[Event]) -> list[str]:
    numbers = [(int(event.id.rpartition(".")[2].removeprefix("e")), event.line) for event in events]
    ids = [number for number, _ in numbers]
    lines = [line for _, line in numbers]
    found = []
    if ids != sorted(set(ids)):
        found.append("event ids are out of order")
    if lines != sorted(lines):
        found.append("lines are out of order")
    return found


def _losses(prefix: str, events: Iterable[Event], ended: bool, prompt_kind: EventKind) -> list[str]:
    at = datetime(2026, 3, 5, 9, 0, tzinfo=UTC)
    expected = [(f"{prefix}{_BEFORE}", prompt_kind, _PROMPT, at)]
    if ended:
        expected.append((f"{prefix}{_AFTER}", EventKind.ASSISTANT, _ANSWER, at))
    told = {(event.uuid, event.kind, event.text, event.at) for event in events}
    return [
        f"the intact row {one[0]} is not told as it stands" for one in expected if one not in told
    ]
