import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from journald.transcript.reader import read_session
from journald.transcript.session import Event, EventKind, Session
from tests.transcript.reading import requests

pytestmark = pytest.mark.corpus

ORIGINAL = "5a4b5aa4-b959-4920-a53c-7ae4ff8f0d73"
COPY = "223b2708-5340-4532-879b-05e5d9aa16f1"


def mains(corpus: Path) -> list[Path]:
    return sorted(corpus.glob("*/*.jsonl"))


def plain_records(path: Path) -> Iterator[dict[str, Any]]:
    """Read records in the plainest way there is, to be counted independently."""
    decoder = json.JSONDecoder()
    for line in path.read_bytes().split(b"\n"):
        text, at = line.decode(errors="replace").strip(), 0
        while at < len(text):
            try:
                record, at = decoder.raw_decode(text, at)
            except ValueError:
                break
            if isinstance(record, dict):
                yield record


def blocks(record: dict[str, Any]) -> list[dict[str, Any]]:
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    return content if isinstance(content, list) else []


def steps(records: list[dict[str, Any]], known: set[str]) -> list[dict[str, Any]]:
    """Return what progress rows hold of the sub-agents that have no file."""
    bodies = [record["data"] for record in records if record["type"] == "progress"]
    return [
        body["message"]
        for body in bodies
        if body["type"] == "agent_progress" and body["agentId"] not in known
    ]


def all_events(session: Session) -> list[Event]:
    return [*session.events, *(event for agent in session.subagents for event in agent.events)]


def test_counts_agree_with_an_independent_reading(corpus: Path) -> None:
    for path in mains(corpus):
        if path.stem == COPY:
            continue
        below = path.with_suffix("") / "subagents"
        agents = [file for file in below.rglob("agent-*.jsonl") if "acompact" not in file.name]
        records = [record for file in (path, *agents) for record in plain_records(file)]
        records += steps(records, {file.stem.removeprefix("agent-") for file in agents})
        found = [block for record in records for block in blocks(record)]
        messages = {
            record["message"]["id"]
            for record in records
            if record["type"] == "assistant" and record["message"]["model"] != "<synthetic>"
        }
        session = read_session(path)
        events = all_events(session)
        results = [event.result for event in events if event.kind is EventKind.TOOL_RESULT]
        assert sum(session.models.values()) == len(messages), path
        assert {event.call.call_id for event in events if event.call} == {
            block["id"] for block in found if block["type"] == "tool_use"
        }, path
        assert sorted(result.call_id for result in results if result) == sorted(
            {block["tool_use_id"] for block in found if block["type"] == "tool_result"}
        ), path
        assert session.lines.unknown == 0, path


def test_ids_are_unique_and_texts_can_be_written(corpus: Path) -> None:
    for path in mains(corpus):
        session = read_session(path)
        events = all_events(session)
        assert len({event.id for event in events}) == len(events), path
        for event in events:
            event.text.encode()
            assert "\x1b" not in event.text, path
            assert "<system-reminder>" not in event.text or event.kind is not EventKind.USER, path


def test_a_resumed_pair_tells_the_shared_part_once(corpus: Path) -> None:
    (folder,) = corpus.glob("30-*")
    first = read_session(folder / f"{ORIGINAL}.jsonl")
    second = read_session(folder / f"{COPY}.jsonl")
    assert (first.parent, first.inherited) == (None, 0)
    assert (second.parent, second.inherited) == (ORIGINAL, len(first.events))
    assert len(requests(first)) == 5
    assert len(requests(second)) == 3
    assert not {event.uuid for event in first.events} & {event.uuid for event in second.events}
    assert sum(first.models.values()) + sum(second.models.values()) == 147


def test_ids_are_stable_at_every_stage_of_growth(corpus: Path, tmp_path: Path) -> None:
    for path in mains(corpus):
        shutil.copy(path, tmp_path)
        whole = read_session(tmp_path / path.name)
        known = {event.id: (event.kind, event.line, event.uuid) for event in whole.events}
        lines = [line + b"\n" for line in path.read_bytes().split(b"\n")]
        for count in range(0, len(lines), 1 + len(lines) // 7):
            (tmp_path / path.name).write_bytes(b"".join(lines[:count]))
            part = read_session(tmp_path / path.name)
            told = {event.id: (event.kind, event.line, event.uuid) for event in part.events}
            assert told.items() <= known.items(), (path, count)
        (tmp_path / path.name).unlink()
