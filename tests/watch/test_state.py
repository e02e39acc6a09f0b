import os
from collections.abc import Callable
from pathlib import Path

import pytest

from journald.watch.state import files_state


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    made = tmp_path / "p" / "a.jsonl"
    agents = tmp_path / "p" / "a" / "subagents"
    agents.mkdir(parents=True)
    made.write_text("{}\n")
    (agents / "agent-1.jsonl").write_text("{}\n")
    return made


def rewrite_in_place(path: Path) -> None:
    before = path.stat()
    path.write_text("[]\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace_by_another(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(path.read_bytes())
    other.rename(path)


CHANGES: dict[str, Callable[[Path], object]] = {
    "appended": lambda path: path.open("a").write("{}\n"),
    "same size and time": rewrite_in_place,
    "replaced": replace_by_another,
    "touched": lambda path: os.utime(path, (0, 0)),
    "sub-agent went on": lambda path: (
        (path.parent / "a" / "subagents" / "agent-1.jsonl").open("a").write("{}\n")
    ),
    "sub-agent began": lambda path: (path.parent / "a" / "subagents" / "agent-2.jsonl").write_text(
        ""
    ),
}


@pytest.mark.parametrize("change", [*CHANGES])
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_every_change_shows(transcript: Path, change: str) -> None:
    before = files_state(transcript)
    assert before == files_state(transcript)
    CHANGES[change](transcript)
    after = files_state(transcript)
    assert before is not None
    assert after is not None
    assert after.signature != before.signature


def test_reading_is_no_change(transcript: Path) -> None:
    before = files_state(transcript)
    transcript.read_bytes()
    assert files_state(transcript) == before


def test_what_is_gone_has_no_state(transcript: Path) -> None:
    transcript.unlink()
    assert files_state(transcript) is None
    assert files_state(transcript / "below.jsonl") is None


def test_the_latest_modification_counts(transcript: Path) -> None:
    os.utime(transcript, (1_000, 1_000))
    os.utime(transcript.parent / "a" / "subagents" / "agent-1.jsonl", (2_000, 2_000))
    state = files_state(transcript)
    assert state is not None
    assert state.modified.timestamp() == 2_000
