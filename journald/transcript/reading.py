"""One session's files, read as far as they go, and on when they grew.

Invariant: however often and at whatever moments a session was read on, the Session is the one
that a single reading of the same files gives. So every file's rows go into state of their own,
in file order, and what joins the files is made anew from that state each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from journald.transcript.assembly import Assembly
from journald.transcript.discovery import find_agents, title_beside
from journald.transcript.lineage import Inheritance, Lineage
from journald.transcript.pending import pending_calls
from journald.transcript.persisted import Persisted
from journald.transcript.records import Row, decode_link, decode_row
from journald.transcript.rewinds import withdrawn
from journald.transcript.session import Event, Session
from journald.transcript.spending import spent
from journald.transcript.stream import Cursor, RewrittenError, read_records
from journald.transcript.subagents import AgentRows, Delegate, delegates, join
from journald.transcript.tally import Tally, counted

_ENDING = ".jsonl"


class _Rows(Protocol):
    """What takes the rows of one file."""

    def add(self, line: int, row: Row) -> None: ...


_R = TypeVar("_R", bound=_Rows)


class _File(Generic[_R]):
    """One file, and what its rows came to so far."""

    def __init__(self, path: Path, make: Callable[[Tally], _R]) -> None:
        self._path = path
        self._make = make
        self._begin()

    def _begin(self) -> None:
        self._cursor: Cursor[Row] = Cursor(self._path, decode_row)
        self.rows = self._make(self._cursor.tally)

    def read_on(self) -> None:
        """Take the rows that were added; all of them when the file was rewritten."""
        try:
            self._read()
        except RewrittenError:
            self._begin()
            self._read()

    def _read(self) -> None:
        for line, row in self._cursor.read_on():
            self.rows.add(line, row)

    @property
    def tallies(self) -> tuple[Tally, Tally]:
        """Counts of the lines, and of a last line still in writing."""
        return self._cursor.tally, self._cursor.tail


class Reading:
    """Reads one session."""

    def __init__(self, path: Path) -> None:
        """Make a reading of the session whose main transcript is `path`, an absolute path."""
        self._path = path
        self._persisted = Persisted(path)
        self._lineage = Lineage(path)
        self._inheritance = Inheritance()
        self._main = self._begun()
        self._agents: dict[Path, _File[AgentRows]] = {}

    def read(self) -> Session:
        """Return the session as its files stand now. Raises OSError."""
        inheritance = self._lineage.trace()
        if inheritance != self._inheritance:
            # Whose the rows are was decided as they were read.
            self._inheritance = inheritance
            self._main = self._begun()
        self._main.read_on()
        self._read_agents()
        return self._session()

    @property
    def size(self) -> int:
        """Bytes that were read."""
        return sum(tally.bytes for tally in self._tallies())

    def _begun(self) -> _File[Assembly]:
        # Nothing in it may lead back to this object: what a reading held is given back at once.
        inheritance, persisted = self._inheritance, self._persisted
        return _File(self._path, lambda tally: Assembly(tally, inheritance, persisted))

    def _read_agents(self) -> None:
        known, self._agents = self._agents, {}
        for agent in find_agents(self._path):
            file = known.get(agent.path) or _File(
                agent.path, AgentRows.maker(agent, self._persisted)
            )
            # An agent's file that retention took since the folder was listed is as good as none.
            with suppress(FileNotFoundError):
                file.read_on()
                file.rows.meta = agent.meta
                self._agents[agent.path] = file

    def _tallies(self) -> list[Tally]:
        agents = (tally for file in self._agents.values() for tally in file.tallies)
        return [*self._main.tallies, *agents]

    def _events(self) -> tuple[Event, ...]:
        """Return the main events, those on branches that the human rewound marked."""
        assembly = self._main.rows
        events = assembly.main.conversation.events()
        if not assembly.prompts.forks():
            return tuple(events)
        parents = self._tree(assembly)
        metadata = assembly.metadata
        abandoned = assembly.prompts.abandoned(parents, metadata.leaf, metadata.leaf_line)
        lost = withdrawn(events, parents, abandoned)
        return tuple(replace(event, withdrawn=event.id in lost) for event in events)

    def _tree(self, assembly: Assembly) -> Mapping[str, str]:
        """Return every row's parent.

        Few sessions need it, so it is read when the first one is needed, and kept from then on.
        """
        if assembly.parents is None:
            links = (link for _, link in read_records(self._path, decode_link))
            assembly.parents = {
                link.uuid: above
                for link in links
                if link.uuid and (above := link.parentUuid or link.logicalParentUuid)
            }
        return assembly.parents

    def _session(self) -> Session:
        assembly = self._main.rows
        metadata = assembly.metadata
        session_id = self._path.name.removesuffix(_ENDING)
        events = self._events()
        agents = self._delegates()
        elided = assembly.main.conversation.bulk.elided
        elided += sum(agent.elided_chars for agent in agents)
        spending = spent(
            assembly.spending,
            (agent.spending for agent in agents if agent.spending is not assembly.spending),
        )
        return Session(
            session_id=session_id,
            path=str(self._path),
            cwd=metadata.cwd,
            project=metadata.project(),
            cwds=metadata.cwds,
            branch=metadata.branch,
            branches=metadata.branches,
            versions=metadata.versions,
            entrypoints=metadata.entrypoints,
            title=metadata.title(assembly.seen.times, title_beside(self._path)),
            tags=(metadata.tag,) if metadata.tag else (),
            events=events,
            subagents=join(agents, events),
            usage=spending.usage,
            models=spending.models,
            usage_by_model=spending.usage_by_model,
            pull_requests=metadata.pull_requests,
            lines=counted(self._tallies(), elided),
            parent=self._inheritance.parent,
            inherited=assembly.main.conversation.inherited,
            foreign=metadata.foreign(session_id),
            pending_calls=pending_calls(events, assembly.ends),
        )

    def _delegates(self) -> list[Delegate]:
        return delegates(
            self._main.rows, [file.rows for file in self._agents.values()], self._path.name
        )
