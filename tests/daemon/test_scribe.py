import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from journald import config
from journald.daemon.scribe import SKIPPED, Scribe
from journald.daemon.warm import Absence
from journald.errors import TranscriptError, TranscriptMissingError
from journald.journal.notebook import Notebook
from tests.rows import SESSION_ID, Rows

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def scribe(tmp_path: Path) -> Scribe:
    settings = config.defaults({"HOME": str(tmp_path)})
    return Scribe(
        settings,
        Notebook(settings.notes_dir, settings.journal),
        lambda: Absence(reason="none is wanted", pending=False),
        zone=UTC,
        now=lambda: NOW,
    )


def test_damage_is_not_taken_for_silence(scribe: Scribe, tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION_ID}.jsonl"
    path.write_bytes(b"\x80\x81garbage\n{{{{\n")
    result = scribe.write(path)
    assert result.outcome == SKIPPED
    assert result.reason == "nothing was said; 2 of its 2 lines could not be read"


def test_a_file_without_a_line_is_skipped_as_silent(scribe: Scribe, tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION_ID}.jsonl"
    path.touch()
    assert scribe.write(path).reason == "nothing was said"


@pytest.mark.parametrize(
    ("make", "kind"), [(os.mkfifo, "a pipe or a device"), (os.mkdir, "a folder")]
)
def test_what_is_no_file_is_refused_without_being_opened(
    scribe: Scribe, tmp_path: Path, make: object, kind: str
) -> None:
    path = tmp_path / f"{SESSION_ID}.jsonl"
    assert callable(make)
    make(path)
    with pytest.raises(TranscriptError, match=f"is {kind}, not a file"):
        scribe.write(path)


def test_a_path_with_no_file_is_said_to_have_none(scribe: Scribe, tmp_path: Path) -> None:
    with pytest.raises(TranscriptMissingError, match="There is no transcript"):
        scribe.write(tmp_path / "nowhere.jsonl")


def test_a_secret_that_one_line_names_is_taken_out_of_all_the_entry(
    scribe: Scribe, tmp_path: Path
) -> None:
    made = Rows()
    made.user("why does the login fail? I typed Mb7-quince-Lantern-40 as always")
    made.bash("cat .env", "DB_PASSWORD=Mb7-quince-Lantern-40\n")
    made.bash("psql -c 'select 1' # Mb7-quince-Lantern-40", "1")
    made.say("Mb7-quince-Lantern-40 is the password of another database.")
    result = scribe.write(made.write(tmp_path))
    assert result.entry is not None
    text = result.entry.read_text()
    assert "quince" not in text
    assert "[REDACTED:password]" in text


def test_a_long_paste_is_told_by_its_ends(scribe: Scribe, tmp_path: Path) -> None:
    made = Rows()
    made.user("see this log:\n" + "a line of the log, and another\n" * 40_000 + "what is wrong?")
    made.say("The disk is full.")
    result = scribe.write(made.write(tmp_path))
    assert result.entry is not None
    text = result.entry.read_text()
    assert "see this log" in text
    assert "what is wrong?" in text
    assert "more characters]" in text
    assert len(text) < 10_000
