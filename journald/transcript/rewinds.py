"""Prompts that the human took back, and the branches of the conversation that fell with them.

A rewind leaves no mark: the new prompt has the same parent as the old one, and the old branch
stays in the file. Parallel tool calls branch the tree as well, so only prompts count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from journald.transcript.records import EMPTY, Row
from journald.transcript.session import Event, EventKind, Origin

_PROMPTS = frozenset({Origin.PROMPT, Origin.PLAN})
_CUSTOM = b'"<command-message>'


@dataclass(frozen=True, slots=True)
class _Prompt:
    uuid: str
    line: int


class Prompts:
    """The prompts of the main conversation by what they answer to."""

    def __init__(self) -> None:
        self._by_parent: dict[str, list[_Prompt]] = {}

    def add(self, row: Row, line: int, events: Iterable[Event]) -> None:
        """Note a row if one of its events is a prompt, or a command that works as one."""
        if not (row.uuid and row.parentUuid):
            return
        custom = _is_custom_command(row)
        if any(_is_prompt(event) or (custom and _is_command(event)) for event in events):
            self._by_parent.setdefault(row.parentUuid, []).append(_Prompt(row.uuid, line))

    def forks(self) -> list[list[_Prompt]]:
        """Return the prompts, in file order, of each place where there are several."""
        return [prompts for prompts in self._by_parent.values() if len(prompts) > 1]

    def abandoned(
        self, parents: Mapping[str, str], leaf: str | None, leaf_line: int
    ) -> frozenset[str]:
        """Return the uuids of prompts that were taken back.

        `parents` gives each row's parent; `leaf` is the tip of the active branch as far as Claude
        Code wrote it down, in line `leaf_line`. The later branch is the active one where that is
        older than the fork.
        """
        active = set(_ancestors(leaf, parents)) if leaf else set()
        lost: set[str] = set()
        for prompts in self.forks():
            chosen = prompts[-1]
            if leaf_line > chosen.line:
                chosen = next((one for one in prompts if one.uuid in active), chosen)
            lost.update(prompt.uuid for prompt in prompts if prompt is not chosen)
        return frozenset(lost)


def _is_prompt(event: Event) -> bool:
    return event.kind is EventKind.USER and event.origin in _PROMPTS


def _is_command(event: Event) -> bool:
    return event.kind is EventKind.COMMAND


def _is_custom_command(row: Row) -> bool:
    """Tell whether a row is a command that becomes a prompt; built-in ones begin by their name."""
    content = row.message.content if row.message else EMPTY
    return bytes(memoryview(content)[: len(_CUSTOM)]) == _CUSTOM


def _ancestors(uuid: str, parents: Mapping[str, str]) -> Iterable[str]:
    """Yield `uuid` and what it comes from; ends at a loop (anthropics/claude-code#22526)."""
    visited: set[str] = set()
    at: str | None = uuid
    while at and at not in visited:
        visited.add(at)
        yield at
        at = parents.get(at)


def withdrawn(
    events: Iterable[Event], parents: Mapping[str, str], abandoned: frozenset[str]
) -> set[str]:
    """Return the ids of the events that stand on an abandoned branch.

    An event whose row has no uuid goes with the event before it.
    """
    judged: dict[str, bool] = {}
    found: set[str] = set()
    previous = False
    for event in events:
        lost = previous if event.uuid is None else _is_lost(event.uuid, parents, abandoned, judged)
        if lost:
            found.add(event.id)
        previous = lost
    return found


def _is_lost(
    uuid: str, parents: Mapping[str, str], abandoned: frozenset[str], judged: dict[str, bool]
) -> bool:
    path: list[str] = []
    lost = False
    for at in _ancestors(uuid, parents):
        known = judged.get(at)
        if known is not None:
            lost = known
            break
        path.append(at)
        if at in abandoned:
            lost = True
            break
    judged.update(dict.fromkeys(path, lost))
    return lost
