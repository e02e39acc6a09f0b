"""Plays a recorded session into a projects folder, as Claude Code writes one."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
# Nobody wants to watch somebody else think; longer pauses count as this one.
_LONGEST_PAUSE = 12.0
# A reader can meet a line that is not finished, even within a character; so some are cut.
_CUT_EVERY = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A recorded session: its main transcript and its sub-agent's."""

    session_id: str
    project: str
    """Name of its folder below the projects folder."""
    main: tuple[str, ...]
    agent_id: str
    agent: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One write, and what comes before it."""

    pause: float
    """Seconds to wait first."""
    file: str
    """Path below the projects folder."""
    content: bytes
    told: str = ""
    """What a person watching would see happen; empty for most."""


def read_sample(folder: Path) -> Sample:
    """Return the session recorded in `folder`."""
    main = _lines(folder / "session.jsonl")
    agent = _lines(folder / "agent.jsonl")
    first = json.loads(agent[0])
    return Sample(
        session_id=first["sessionId"],
        project=re.sub(r"[^A-Za-z0-9]", "-", first["cwd"]),
        main=main,
        agent_id=first["agentId"],
        agent=agent,
    )


def _lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").splitlines(keepends=True))


def steps(sample: Sample, end: datetime, seconds: float) -> Iterator[Step]:
    """Yield the writes that make up `sample`, moved to end at `end`, within `seconds`."""
    moved_by = end - _times(sample.main)[-1]
    moved = _shifted(sample.main, moved_by)
    times = _times(moved)
    pauses = [min(pause, _LONGEST_PAUSE) for pause in _gaps(times)]
    scale = seconds / max(sum(pauses), 1.0)
    agent_at = _answer_of_agent(moved)
    file = f"{sample.project}/{sample.session_id}.jsonl"
    for number, (line, pause) in enumerate(zip(moved, pauses, strict=True)):
        if number == agent_at:
            yield from _agent_steps(sample, moved_by)
        content = line.encode()
        told = _told(json.loads(line))
        if number % _CUT_EVERY == _CUT_EVERY - 1:
            cut = len(content) * 2 // 3
            yield Step(pause=pause * scale / 2, file=file, content=content[:cut])
            yield Step(pause=pause * scale / 2, file=file, content=content[cut:], told=told)
        else:
            yield Step(pause=pause * scale, file=file, content=content, told=told)


def play(
    writes: Iterator[Step],
    projects: Path,
    sleep: Callable[[float], object],
    tell: Callable[[str], None],
) -> None:
    """Carry the writes out below `projects`. Raises OSError."""
    for step in writes:
        sleep(step.pause)
        path = projects / step.file
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as stream:
            stream.write(step.content)
        if step.told:
            tell(step.told)


def _agent_steps(sample: Sample, moved_by: timedelta) -> Iterator[Step]:
    folder = f"{sample.project}/{sample.session_id}/subagents"
    lines = _shifted(sample.agent, moved_by)
    yield Step(
        pause=0.0,
        file=f"{folder}/agent-{sample.agent_id}.jsonl",
        content="".join(lines).encode(),
    )


def _shifted(lines: Sequence[str], by: timedelta) -> tuple[str, ...]:
    def move(found: re.Match[str]) -> str:
        moment = datetime.fromisoformat(found[0]) + by
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    return tuple(_TIME.sub(move, line) for line in lines)


def _first_time(lines: Sequence[str]) -> datetime:
    found = next(found for line in lines if (found := _TIME.search(line)))
    return datetime.fromisoformat(found[0])


def _times(lines: Sequence[str]) -> list[datetime]:
    """Return when each line was written; one without a time came with the line before it."""
    now = _first_time(lines)
    times = []
    for line in lines:
        stamp = json.loads(line).get("timestamp")
        now = datetime.fromisoformat(stamp) if stamp else now
        times.append(now)
    return times


def _gaps(times: Sequence[datetime]) -> list[float]:
    later = zip(times, [times[0], *times[:-1]], strict=True)
    return [max(0.0, (at - before).total_seconds()) for at, before in later]


def _answer_of_agent(lines: Sequence[str]) -> int | None:
    for number, line in enumerate(lines):
        details = json.loads(line).get("toolUseResult")
        if isinstance(details, dict) and details.get("agentId"):
            return number
    return None


def _told(row: dict[str, Any]) -> str:
    if row["type"] == "queue-operation" and row["operation"] == "enqueue":
        return f"> {row['content']}"
    message = row.get("message", {})
    content = message.get("content")
    if row["type"] == "user" and isinstance(content, str):
        return f"> {content}"
    if row["type"] != "assistant":
        return ""
    for block in content:
        if block["type"] == "text":
            return f"● {block['text'].partition(chr(10))[0]}"
        if block["type"] == "tool_use":
            return f"  · {block['name']} {_argument(block['input'])}".rstrip()
    return ""


def _argument(arguments: dict[str, Any]) -> str:
    for name in ("description", "file_path", "pattern", "subject"):
        if name in arguments:
            return str(arguments[name]).rpartition("/")[2]
    return ""
