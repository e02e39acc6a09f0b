import json
from collections import Counter
from pathlib import Path

from journald.cli import demonstration
from journald.cli.playback import play, read_sample, steps
from tests.cli.commands import Journald
from tests.rows import Rows
from tests.sessions import START

SAMPLE = read_sample(demonstration._SAMPLE)


def transcript(tmp_path: Path) -> Path:
    play(steps(SAMPLE, START, 1.0), tmp_path, lambda _: None, lambda _: None)
    return tmp_path / SAMPLE.project / f"{SAMPLE.session_id}.jsonl"


def test_the_whole_sample_is_read(journald: Journald, tmp_path: Path) -> None:
    ran = journald("inspect", transcript(tmp_path), "--json")
    assert (ran.code, ran.err) == (0, "")
    found = ran.json
    assert found["session_id"] == SAMPLE.session_id
    assert (found["project"], found["branch"], found["cwd"]) == (
        "tide-report",
        "main",
        "/home/ada/tide-report",
    )
    assert found["lines"]["total"] == len(SAMPLE.main) + len(SAMPLE.agent)
    assert (found["lines"]["broken"], found["lines"]["unknown"]) == (0, 0)
    said = [request["text"] for request in found["requests"]]
    assert said[0].startswith("Everybody got the weekly tide report twice")
    assert "also log how many recipients were skipped as inactive, ops asked for that" in said
    assert any("Don't push yet" in text for text in said)
    assert [run["ok"] for run in found["tests"]][-1] is True
    assert [commit["hash"] for commit in found["commits"]] == ["5d2e81f"]
    assert {file["path"].rpartition("/")[2] for file in found["files"]} == {
        "schedule.py",
        "store.py",
        "mailer.py",
        "test_schedule.py",
    }
    assert [agent["kind"] for agent in found["subagents"]] == ["Explore"]
    assert sum(found["digest"]["redactions"].values()) >= 2
    assert found["plan"]["kind"] == "single"
    assert "Zq7mLw9vXk2" not in ran.out


def test_a_person_reads_it_too(journald: Journald, tmp_path: Path) -> None:
    ran = journald("inspect", transcript(tmp_path))
    assert ran.code == 0
    assert ran.out.startswith("tide-report: Weekly tide report sent twice")
    assert "Plan: one pass" in ran.out


def odd(tmp_path: Path) -> Path:
    made = Rows()
    made.user("count the words of the readme")
    made.bash("wc -w README.md", "7 README.md")
    made.bash("wc -l README.md", "3 README.md")
    made.tool("Read", {"file_path": "/home/ada/README.md"}, "seven words in three lines")
    made.assistant({"type": "text", "text": "Seven"}, message_id="msg_one")
    made.assistant({"type": "text", "text": "words."}, message_id="msg_one")
    for _ in range(3):
        made.tree("hologram", version="2.1.300")
    made.tree("ghp_16C7e42F292c6912E7710c838347Ae178B4a", version="2.1.300")
    made.system("new_moon", version="2.1.301")
    made.add(b"no record at all\n")
    made.add(b'{"type":"user","uuid":"cut o')
    return made.write(tmp_path)


def test_what_an_independent_count_finds_is_told(journald: Journald, tmp_path: Path) -> None:
    ran = journald("inspect", odd(tmp_path), "--json")
    found = ran.json
    assert found["lines"]["types"] == {
        "assistant": 5,
        "user": 4,
        "hologram": 3,
        "[REDACTED:github-token]": 1,
        "system": 1,
    }
    assert found["lines"]["unknown_kinds"] == {
        "2.1.300/hologram": 3,
        "2.1.300/[REDACTED:github-token]": 1,
        "2.1.301/system/new_moon": 1,
    }
    assert [found["lines"][name] for name in ("broken", "recovered", "truncated")] == [1, 0, True]
    assert found["tool_calls"] == {"Bash": 2, "Read": 1}
    assert found["messages"] == 4
    assert found["tokens"]["output"] == 4 * 20
    assert "16C7e42F" not in ran.out


def test_calls_and_messages_of_sub_agents_count_too(journald: Journald, tmp_path: Path) -> None:
    found = journald("inspect", transcript(tmp_path), "--json").json
    rows = [json.loads(line) for line in (*SAMPLE.main, *SAMPLE.agent)]
    calls = {
        block["id"]: block["name"]
        for row in rows
        if row["type"] == "assistant"
        for block in row["message"]["content"]
        if block["type"] == "tool_use"
    }
    messages = {row["message"]["id"] for row in rows if row["type"] == "assistant"}
    assert found["tool_calls"] == Counter(calls.values())
    assert found["messages"] == len(messages)
    assert found["lines"]["types"] == Counter(row["type"] for row in rows)


def test_a_person_is_told_what_is_not_known_and_only_then(
    journald: Journald, tmp_path: Path
) -> None:
    lines = journald("inspect", odd(tmp_path / "odd")).out.splitlines()
    assert "  tools     2 Bash, 1 Read" in lines
    assert "  not known 2.1.300: 3 hologram, 1 [REDACTED:github-token]" in lines
    assert "            2.1.301: 1 system/new_moon" in lines
    assert any(line.endswith("1 broken, 5 unknown, the last one not finished") for line in lines)
    well = journald("inspect", transcript(tmp_path / "well")).out
    assert "not known" not in well
    assert "broken" not in well


def test_a_file_that_is_not_there_is_told(journald: Journald, tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    ran = journald("inspect", missing)
    assert ran.code == 1
    assert str(missing) in ran.err
    assert journald("inspect", missing, "--json").error["kind"] == "TranscriptMissingError"
