import json
from pathlib import Path

import pytest

from tests.benchmarks import memory
from tests.benchmarks.cases import CASES, make

SMALL = 400_000


@pytest.mark.parametrize("case", ["realistic", "progress"])
def test_what_is_written_is_the_same_every_time_and_is_read_whole(
    case: str, tmp_path: Path
) -> None:
    made = make(case, tmp_path / "one.jsonl", SMALL)
    make(case, tmp_path / "two.jsonl", SMALL)
    assert made.bytes == made.path.stat().st_size >= SMALL
    assert made.path.read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    report = memory.read(made.path)
    assert len(report["requests"]) == made.prompts
    assert (report["calls"], sum(report["models"].values())) == (made.calls, made.messages)


@pytest.mark.parametrize("case", [name for name in CASES if name.startswith("line-")])
def test_a_long_line_is_as_long_as_it_is_meant_to_be(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.benchmarks.longlines.LONGEST", SMALL)
    monkeypatch.setattr("tests.benchmarks.longlines.LINE_LIMIT", SMALL)
    made = make(case, tmp_path / "one.jsonl", 0)
    longest = max(len(line) for line in made.path.read_bytes().split(b"\n"))
    assert longest == SMALL + {"line-under-limit": -1024, "line-over-limit": 1024}.get(case, 0)


def test_a_case_is_measured_in_processes_of_its_own_and_its_file_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--case", "progress", "--size", "1", "--folder", str(tmp_path), "--json"]
    assert memory.main(given) == 0
    readings = json.loads(capsys.readouterr().out)
    assert [reading["reader"] for reading in readings] == ["inspect", "read"]
    assert all(reading["whole"] and reading["seconds"] > 0 for reading in readings)
    assert all(10 < reading["peak_megabytes"] < 300 for reading in readings)
    assert not [*tmp_path.iterdir()]


def test_a_case_that_needs_more_than_is_promised_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(memory, "MOST_MEGABYTES", 1)
    given = ["--case", "progress", "--reader", "read", "--size", "1", "--folder", str(tmp_path)]
    assert memory.main(given) == 1
    assert " NO " in capsys.readouterr().out
