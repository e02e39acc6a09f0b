"""A transcript file becomes a Session."""

from __future__ import annotations

import os.path
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from journald.errors import TranscriptError, TranscriptMissingError
from journald.transcript.assembly import Assembly
from journald.transcript.discovery import find_agents
from journald.transcript.lineage import Inheritance, trace
from journald.transcript.lines import Tally
from journald.transcript.pending import pending_calls
from journald.transcript.records import decode_link
from journald.transcript.rewinds import withdrawn
from journald.transcript.session import Event, Session
from journald.transcript.spending import Spending
from journald.transcript.stream import read_records, read_rows
from journald.transcript.subagents import Delegate, inner_agents, join, read_agent, traced_agents

_ENDING = ".jsonl"


def read_session(path: Path) -> Session:
    """Read the session whose main transcript is `path`, its sub-agents folded in.

    Any file name is accepted. Rows that belong to an earlier session in the same folder are left
    out. Raises TranscriptMissingError when there is no such file and TranscriptError when it
    cannot be read.
    """
    # `Path.absolute` would keep a `..`, `Path.resolve` would follow links.
    path = Path(os.path.abspath(path))  # noqa: PTH100 - see above
    with _translated(path):
        _refuse_other_kinds(path)
        inheritance = trace(path)
        tally, spending = Tally(), Spending()
        assembly = Assembly(tally, spending, inheritance)
        for line, row in read_rows(path, tally):
            assembly.add(line, row)
        delegates = inner_agents(assembly, path.name)
        delegates += _agents_of(path, assembly, tally, spending)
        delegates += traced_agents(assembly, delegates, path.name)
        events = _without_branches(path, assembly)
    return _session(path, assembly, inheritance, events, delegates, tally, spending)


def _refuse_other_kinds(path: Path) -> None:
    """Open nothing that could block, or never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"
        raise TranscriptError(
            f"The transcript {path} is {kind}, not a file.",
            hint="Name the .jsonl file of a session.",
        )


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise TranscriptMissingError(
            f"There is no transcript {path}.",
            hint="Check the path; Claude Code deletes transcripts after 30 days by default.",
        ) from error
    except OSError as error:
        raise TranscriptError(
            f"The transcript {error.filename or path} cannot be read: {error.strerror or error}.",
            hint="Check that it is a file and that you may read it.",
        ) from error


def _agents_of(path: Path, assembly: Assembly, tally: Tally, spending: Spending) -> list[Delegate]:
    found: list[Delegate] = []
    for file in find_agents(path):
        # An agent's file that retention took since the folder was listed is as good as none.
        with suppress(FileNotFoundError):
            found.append(read_agent(file, tally, assembly.seen, spending))
    return found


def _without_branches(path: Path, assembly: Assembly) -> tuple[Event, ...]:
    """Return the main events, those on branches that the human rewound marked."""
    events = assembly.main.conversation.events()
    if not assembly.prompts.forks():
        return tuple(events)
    parents = {
        link.uuid: above
        for _, link in read_records(path, Tally(), decode_link)
        if link.uuid and (above := link.parentUuid or link.logicalParentUuid)
    }
    metadata = assembly.metadata
    abandoned = assembly.prompts.abandoned(parents, metadata.leaf, metadata.leaf_line)
    lost = withdrawn(events, parents, abandoned)
    return tuple(replace(event, withdrawn=event.id in lost) for event in events)


def _session(
    path: Path,
    assembly: Assembly,
    inheritance: Inheritance,
    events: tuple[Event, ...],
    delegates: list[Delegate],
    tally: Tally,
    spending: Spending,
) -> Session:
    metadata = assembly.metadata
    return Session(
        session_id=path.name.removesuffix(_ENDING),
        path=str(path),
        cwd=metadata.cwd,
        project=metadata.project(),
        cwds=metadata.cwds,
        branch=metadata.branch,
        branches=metadata.branches,
        versions=metadata.versions,
        entrypoints=metadata.entrypoints,
        title=metadata.title(assembly.seen.times),
        tags=(metadata.tag,) if metadata.tag else (),
        events=events,
        subagents=join(delegates, events),
        usage=spending.usage(),
        models=spending.models(),
        pull_requests=metadata.pull_requests,
        lines=tally.counts(),
        parent=inheritance.parent,
        inherited=assembly.main.conversation.inherited,
        pending_calls=pending_calls(events, assembly.ends),
    )
