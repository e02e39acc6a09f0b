from pathlib import Path

from journald.cli import demonstration
from journald.cli.playback import play, read_sample, steps
from tests.cli.commands import Journald
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


def test_a_file_that_is_not_there_is_told(journald: Journald, tmp_path: Path) -> None:
    missing = tmp_path / "missing.jsonl"
    ran = journald("inspect", missing)
    assert ran.code == 1
    assert str(missing) in ran.err
    assert journald("inspect", missing, "--json").error["kind"] == "TranscriptMissingError"
