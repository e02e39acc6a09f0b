"""The demo's sample, and how it is played."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from journald.cli import demonstration
from journald.cli.playback import Sample, play, read_sample, steps

END = datetime(2031, 7, 1, 12, 0, tzinfo=UTC)
SAMPLE = read_sample(demonstration._SAMPLE)


def played(tmp_path: Path) -> tuple[Path, float, list[str]]:
    waited: list[float] = []
    told: list[str] = []
    play(steps(SAMPLE, END, 6.0), tmp_path, waited.append, told.append)
    return tmp_path / SAMPLE.project, sum(waited), told


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_what_is_played_is_the_sample_moved_in_time(tmp_path: Path) -> None:
    folder, _, _ = played(tmp_path)
    found = rows(folder / f"{SAMPLE.session_id}.jsonl")
    recorded = [json.loads(line) for line in SAMPLE.main]
    assert len(found) == len(recorded)
    times = [datetime.fromisoformat(row["timestamp"]) for row in found if "timestamp" in row]
    before = [datetime.fromisoformat(row["timestamp"]) for row in recorded if "timestamp" in row]
    assert {after - then for after, then in zip(times, before, strict=True)} == {
        times[0] - before[0]
    }
    assert times[-1] == END
    assert [row.get("message") for row in found] == [row.get("message") for row in recorded]


def test_the_sub_agent_lies_where_claude_code_puts_it_before_its_answer_comes(
    tmp_path: Path,
) -> None:
    agent = f"{SAMPLE.project}/{SAMPLE.session_id}/subagents/agent-{SAMPLE.agent_id}.jsonl"
    writes = [*steps(SAMPLE, END, 6.0)]
    [at] = [number for number, step in enumerate(writes) if step.file == agent]
    before = b"".join(step.content for step in writes[:at])
    answer = b"".join(step.content for step in writes[at + 1 : at + 3])
    assert b'"agentType":"Explore"' not in before
    assert b'"agentType":"Explore"' in answer
    folder, _, _ = played(tmp_path)
    found = rows(folder.parent / agent)
    assert all(row["isSidechain"] and row["agentId"] == SAMPLE.agent_id for row in found)
    assert found[0]["timestamp"].startswith("2031-07-01")


def test_it_takes_the_time_it_is_given(tmp_path: Path) -> None:
    _, waited, _ = played(tmp_path)
    assert abs(waited - 6.0) < 0.01


def test_some_lines_come_in_two_writes(tmp_path: Path) -> None:
    writes = [*steps(SAMPLE, END, 6.0)]
    unfinished = [step for step in writes if not step.content.endswith(b"\n")]
    assert len(unfinished) >= 10
    assert len(writes) == len(SAMPLE.main) + len(unfinished) + 1


def test_no_pause_is_long_enough_to_pass_for_idle(tmp_path: Path) -> None:
    assert max(step.pause for step in steps(SAMPLE, END, 6.0)) < 1.0


def test_a_person_watching_is_told_of_requests_answers_and_tools(tmp_path: Path) -> None:
    _, _, told = played(tmp_path)
    assert told[0].startswith("> Everybody got the weekly tide report twice")
    assert any(line.startswith("> also log how many") for line in told)
    assert any(line == "  · Bash Run the tests" for line in told)
    assert any(line.startswith("● ") for line in told)


def test_a_session_without_a_sub_agent_can_be_played(tmp_path: Path) -> None:
    lines = tuple(line for line in SAMPLE.main if SAMPLE.agent_id not in line)
    alone = Sample(
        session_id="s", project="-p", main=lines, agent_id=SAMPLE.agent_id, agent=SAMPLE.agent
    )
    play(steps(alone, END, 1.0), tmp_path, lambda _: None, lambda _: None)
    assert [path.name for path in (tmp_path / "-p").iterdir()] == ["s.jsonl"]


def test_the_sample_is_sound(tmp_path: Path) -> None:
    parsed = [json.loads(line) for line in (*SAMPLE.main, *SAMPLE.agent)]
    uuids = [row["uuid"] for row in parsed if "uuid" in row]
    assert len(uuids) == len(set(uuids))
    assert {row["parentUuid"] for row in parsed if row.get("parentUuid")} <= set(uuids)
    assert {row["version"] for row in parsed if "version" in row} == {"2.1.219"}
    blocks = [
        block
        for row in parsed
        if isinstance(row.get("message", {}).get("content"), list)
        for block in row["message"]["content"]
    ]
    calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    answers = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    assert calls == answers
    assert 120 <= len(SAMPLE.main) <= 200


def test_the_entry_is_shown_without_front_matter_and_markers() -> None:
    entry = "---\ntitle: x\n---\n<!-- begin -->\n# Title\n\ntext <!-- a\nb -->more\n---\nlast\n"
    assert demonstration.body_of(entry) == "# Title\n\ntext more\n---\nlast"
