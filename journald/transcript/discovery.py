"""Which files below a projects folder are transcripts, and of what.

Three layouts of sub-agents exist: rows inside the main file (nothing to find here), files beside
it whose rows carry the main file's session id, and files below `<session>/subagents`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from journald.files import is_file, is_folder
from journald.transcript.records import AgentMeta, decode_meta, decode_row, decode_title
from journald.transcript.stream import read_records

_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.jsonl", re.IGNORECASE)
_AGENT_PREFIX = "agent-"
# The agent that wrote a compaction summary: not work that anybody asked for.
_COMPACTION_PREFIX = "agent-acompact-"
# Each run of a workflow has a folder of its own for its agents.
_WORKFLOW_PREFIX = "wf_"
_ENDING = ".jsonl"
# A sub-agent names its session in its first rows; metadata rows may stand before them.
_ROWS_WITH_SESSION = 16
# As much of a file as is read to learn what it is.
HEAD = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFile:
    """A sub-agent's transcript."""

    path: Path
    agent_id: str
    """From the file's name; of a workflow's agent with the workflow before it."""
    meta: AgentMeta


def find_transcripts(root: Path) -> tuple[Path, ...]:
    """Return the main transcripts `<root>/<project>/<session uuid>.jsonl`, sorted.

    Files deeper down, of sub-agents and with other names are none. A root that does not exist
    has none. Raises OSError when the root cannot be listed.
    """
    if not is_folder(root):
        return ()
    return tuple(
        sorted(
            file
            for project in root.iterdir()
            if is_folder(project)
            for file in _children(project)
            if _SESSION.fullmatch(file.name) and is_file(file)
        )
    )


def siblings(path: Path) -> tuple[Path, ...]:
    """Return the other sessions' main transcripts in the folder of `path`, sorted.

    Copies that Claude Code set aside have other names: they own no row.
    """
    # A folder may hold thousands, and is listed for every session in it: no stat for each.
    try:
        with os.scandir(path.parent) as entries:
            names = sorted(
                entry.name
                for entry in entries
                if _SESSION.fullmatch(entry.name) and entry.name != path.name and entry.is_file()
            )
    except OSError:
        return ()
    return tuple(path.parent / name for name in names)


def find_agents(path: Path) -> tuple[AgentFile, ...]:
    """Return the sub-agent files of the session whose main transcript is `path`.

    Those beside it come first; no two have one id.
    """
    below = path.parent / path.name.removesuffix(_ENDING) / "subagents"
    nested = below.rglob(f"{_AGENT_PREFIX}*{_ENDING}") if is_folder(below) else ()
    taken: Counter[str] = Counter()
    found: list[AgentFile] = []
    for file in (*sorted(_beside(path)), *sorted(file for file in nested if _is_agent(file))):
        agent_id = _agent_id(file)
        taken[agent_id] += 1
        if taken[agent_id] > 1:
            agent_id = f"{agent_id}-{taken[agent_id]}"
        found.append(AgentFile(path=file, agent_id=agent_id, meta=_meta(file)))
    return tuple(found)


def _agent_id(file: Path) -> str:
    """Return an agent's id; two workflows may use one twice."""
    name = os.fsencode(file.name.removeprefix(_AGENT_PREFIX).removesuffix(_ENDING))
    own = name.decode(errors="replace")
    folder = file.parent.name
    return f"{folder}-{own}" if folder.startswith(_WORKFLOW_PREFIX) else own


def title_beside(path: Path) -> str | None:
    """Return the title in `<session>/custom-title.json`; None without one that can be read.

    Newer versions keep there what `/rename` gave.
    """
    beside = path.parent / path.name.removesuffix(_ENDING) / "custom-title.json"
    # A look first: to open a pipe would block.
    if not is_file(beside):
        return None
    try:
        with beside.open("rb") as stream:
            return decode_title(stream.read(HEAD))
    except OSError:
        return None


def _children(folder: Path) -> Iterator[Path]:
    try:
        yield from folder.iterdir()
    except (FileNotFoundError, PermissionError):
        # Retention may remove a project while it is listed, and a folder that cannot be
        # read holds no transcript that could be.
        return


def _is_agent(file: Path) -> bool:
    return (
        file.name.startswith(_AGENT_PREFIX)
        and file.name.endswith(_ENDING)
        and not file.name.startswith(_COMPACTION_PREFIX)
        and is_file(file)
    )


def _beside(path: Path) -> Iterator[Path]:
    session_id = path.name.removesuffix(_ENDING)
    for file in _children(path.parent):
        if _is_agent(file) and file != path and _session_of(file) == session_id:
            yield file


def _session_of(file: Path) -> str | None:
    rows = islice(read_records(file, decode_row, HEAD), _ROWS_WITH_SESSION)
    return next((row.sessionId for _, row in rows if row.sessionId), None)


def _meta(file: Path) -> AgentMeta:
    beside = file.with_name(file.name.removesuffix(_ENDING) + ".meta.json")
    try:
        return decode_meta(beside.read_bytes()) if is_file(beside) else AgentMeta()
    except OSError:
        # It only says what the agent was called; its rows are read all the same.
        return AgentMeta()
