"""`journald write`: which files it takes, what it says and how it ends."""

import shutil
from pathlib import Path

import pytest

from journald.cli import demonstration
from journald.cli.playback import play, read_sample, steps
from journald.cli.write import transcripts
from tests.cli.commands import Journald
from tests.sessions import START

SAMPLE = read_sample(demonstration._SAMPLE)


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    folder = tmp_path / "projects"
    play(steps(SAMPLE, START, 1.0), folder, lambda _: None, lambda _: None)
    return folder


@pytest.fixture
def transcript(projects: Path) -> Path:
    return projects / SAMPLE.project / f"{SAMPLE.session_id}.jsonl"


def lines(text: str) -> list[str]:
    return text.splitlines()


def test_a_transcript_becomes_an_entry_and_its_path_is_all_that_is_printed(
    journald: Journald, transcript: Path, tmp_path: Path
) -> None:
    ran = journald("write", transcript, "--notes", tmp_path / "notes", "--engine", "extractive")
    assert ran.code == 0
    [path] = lines(ran.out)
    entry = Path(path)
    assert entry.is_relative_to(tmp_path / "notes")
    assert "Everybody got the weekly tide report twice" in entry.read_text()
    assert ran.err == ""


def test_writing_again_refreshes_the_same_entry(
    journald: Journald, transcript: Path, tmp_path: Path
) -> None:
    call = ("write", transcript, "--notes", tmp_path / "notes", "--engine", "extractive")
    assert journald(*call).out == journald(*call).out
    assert len([*(tmp_path / "notes").rglob("*.md")]) == 1


def test_no_secret_of_the_session_is_written(
    journald: Journald, transcript: Path, tmp_path: Path
) -> None:
    assert "Zq7mLw9vXk2" in transcript.read_text()
    ran = journald("write", transcript, "--stdout", "--engine", "extractive")
    assert "Zq7mLw9vXk2" not in ran.out
    assert "[REDACTED" in ran.out


def test_with_stdout_the_entry_is_printed_and_nothing_written(
    journald: Journald, transcript: Path, tmp_path: Path
) -> None:
    ran = journald(
        "write", transcript, "--stdout", "--notes", tmp_path / "notes", "--engine", "extractive"
    )
    assert ran.code == 0
    assert ran.out.startswith("---\n")
    assert not (tmp_path / "notes").exists()


def test_a_folder_stands_for_its_transcripts(
    journald: Journald, projects: Path, transcript: Path, tmp_path: Path
) -> None:
    for folder in (projects, projects / SAMPLE.project):
        ran = journald("write", folder, "--notes", tmp_path / "notes", "--engine", "extractive")
        assert ran.code == 0
        assert len(lines(ran.out)) == 1


def test_one_that_fails_is_told_and_the_others_are_written(
    journald: Journald, transcript: Path, tmp_path: Path
) -> None:
    missing = tmp_path / "missing.jsonl"
    ran = journald(
        "write", missing, transcript, "--notes", tmp_path / "notes", "--engine", "extractive"
    )
    assert ran.code == 1
    assert len(lines(ran.out)) == 1
    assert str(missing) in ran.err


def test_a_notes_folder_that_cannot_be_written_is_told(
    journald: Journald, transcript: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.write_text("a file")
    ran = journald(
        "--config", config(tmp_path, notes), "write", transcript, "--engine", "extractive"
    )
    assert ran.code == 1
    assert ran.out == ""
    assert str(notes) in ran.err


def config(tmp_path: Path, notes: Path) -> Path:
    file = tmp_path / "c.yaml"
    file.write_text(f"notes_dir: {notes}\n")
    return file


def test_what_is_too_trivial_is_skipped_and_said(journald: Journald, tmp_path: Path) -> None:
    trivial = tmp_path / "0b5e7e1a-0000-4000-8000-000000000001.jsonl"
    trivial.write_text('{"type":"mode","mode":"normal","sessionId":"x"}\n')
    ran = journald("write", trivial, "--notes", tmp_path / "notes", "--engine", "extractive")
    assert ran.code == 0
    assert ran.out == ""
    assert ran.err.startswith(f"{trivial}: skipped: ")


def test_a_sub_agents_transcript_is_left_to_its_parent(
    projects: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [agent] = projects.rglob("agent-*.jsonl")
    assert [*transcripts([agent])] == []
    assert "told in its parent's entry" in capsys.readouterr().err
    beside = projects / SAMPLE.project / agent.name
    shutil.copy(agent, beside)
    found = [path.name for path in transcripts([projects])]
    assert found == [f"{SAMPLE.session_id}.jsonl"]


def test_a_folder_without_transcripts_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [*transcripts([tmp_path])] == []
    assert "no transcript in it" in capsys.readouterr().err


def test_an_engine_that_does_not_exist_is_a_wrong_call(journald: Journald, tmp_path: Path) -> None:
    ran = journald("write", tmp_path / "x.jsonl", "--engine", "gpt")
    assert ran.code == 2
    assert "'gpt' is not one of auto, vllm, extractive" in ran.err
    assert "Try: journald write" in ran.err
