import json
from pathlib import Path

import pytest

from tests.benchmarks.reading import main
from tests.rows import Rows


def test_reading_is_timed_against_plain_decoding_of_the_same_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = Rows()
    rows.user("Time me.")
    rows.add(b"not a row at all\n")
    path = rows.write(tmp_path / "project")
    assert main(["--corpus", str(tmp_path), "--rounds", "1", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["transcripts"].keys() == {f"project/{path.name}"}
    assert figures["all"]["bytes"] == path.stat().st_size
    assert figures["all"]["times_json"]["json"] == 1
    assert figures["all"]["ms_per_mb"].keys() >= {"json", "read", "ledger", "inspect"}
    assert main(["--corpus", str(tmp_path), "--rounds", "1"]) == 0
    assert "times json" in capsys.readouterr().out
