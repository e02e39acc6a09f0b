import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from journald import config
from journald.daemon.scribe import KINDS_KEPT, OTHERS, SKIPPED, Scribe
from journald.daemon.warm import Absence
from journald.errors import TranscriptError, TranscriptMissingError
from journald.journal.notebook import Notebook
from journald.store.gaps import Gaps, UnknownKind
from journald.transcript import conversation, lines
from tests.rows import SESSION_ID, Rows, encode

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


def talk() -> Rows:
    made = Rows()
    made.user("count the words of the readme")
    made.bash("wc -w README.md", "7 README.md")
    made.say("There are seven words in the readme.")
    return made


def test_what_could_not_be_read_is_told_with_the_entry_and_in_it(
    scribe: Scribe, tmp_path: Path
) -> None:
    made = talk()
    made.tree("hologram", version="2.1.300")
    made.tree("hologram", version="2.1.300")
    made.system("new_moon", version="2.1.301")
    made.add(b"\x80\x81 no record at all\n")
    made.add(b"\x00\x00" + encode(made.rows[0]))
    made.add(b'{"type":"user","uuid":"cut o')
    result = scribe.write(made.write(tmp_path))
    assert result.gaps == Gaps(
        broken=1,
        recovered=1,
        unknown=3,
        truncated=True,
        kinds=(
            UnknownKind(version="2.1.300", kind="hologram", count=2),
            UnknownKind(version="2.1.301", kind="system/new_moon", count=1),
        ),
    )
    assert result.entry is not None
    (told,) = [line for line in result.entry.read_text().splitlines() if "transcript has" in line]
    assert told == (
        f"- the transcript has {len(made.rows)} lines: 1 unreadable, 1 damaged but read,"
        " 3 of an unknown kind (`2.1.300/hologram`, `2.1.301/system/new_moon`),"
        " the last one cut off; see line 8 of `0f0e0d0c-0b0a-4009-8008-070605040302.jsonl`"
    )


def test_a_line_over_the_limit_is_told_too(
    scribe: Scribe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LONG", 2000)
    monkeypatch.setattr(lines, "LINE_LIMIT", 4000)
    made = talk()
    made.tree("progress", data=[*range(2000)])
    result = scribe.write(made.write(tmp_path))
    assert result.gaps == Gaps(skipped_bytes=len(encode(made.rows[-1])))
    assert result.entry is not None
    assert f"{result.gaps.skipped_bytes:,} bytes too long to read" in result.entry.read_text()


def test_what_a_very_long_session_leaves_out_is_told(
    scribe: Scribe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "MOST", 1000)
    made = talk()
    made.bash("cat log", "a line of the log\n" * 1000)
    result = scribe.write(made.write(tmp_path))
    assert result.gaps.elided_chars > 0
    assert result.entry is not None
    told = f"{result.gaps.elided_chars:,} characters of tool calls and results left out"
    assert told in result.entry.read_text()


def test_a_transcript_that_was_read_in_full_has_no_gaps_and_its_entry_no_word_of_them(
    scribe: Scribe, tmp_path: Path
) -> None:
    result = scribe.write(talk().write(tmp_path))
    assert result.gaps == Gaps()
    assert result.entry is not None
    assert "the transcript has" not in result.entry.read_text()


def test_of_a_transcript_whose_every_row_is_of_its_own_kind_few_are_named(
    scribe: Scribe, tmp_path: Path
) -> None:
    made = talk()
    for number in range(100):
        made.tree(f"kind-{number}")
    made.tree("kind-7")
    gaps = scribe.write(made.write(tmp_path)).gaps
    assert gaps.unknown == 101
    assert gaps.kinds[0].kind == "kind-7"
    assert len(gaps.kinds) == KINDS_KEPT + 1
    assert gaps.kinds[-1] == UnknownKind(version="?", kind=OTHERS, count=101 - KINDS_KEPT - 1)


def test_a_skipped_session_has_gaps_as_well(scribe: Scribe, tmp_path: Path) -> None:
    made = Rows()
    made.meta("hologram")
    result = scribe.write(made.write(tmp_path))
    assert result.outcome == SKIPPED
    assert [kind.kind for kind in result.gaps.kinds] == ["hologram"]


def test_the_name_of_a_kind_holds_no_words_and_no_secret(scribe: Scribe, tmp_path: Path) -> None:
    made = talk()
    made.bash("cat .env", "DB_PASSWORD=Mb7-quince-Lantern-40\n")
    made.tree("Mb7-quince-Lantern-40", version="2.1.300")
    made.tree("what a person said", version="2.1.300")
    result = scribe.write(made.write(tmp_path))
    assert [kind.kind for kind in result.gaps.kinds] == ["[REDACTED:password]", "(no name)"]
    assert result.entry is not None
    assert "quince" not in result.entry.read_text()
    assert "what a person said" not in result.entry.read_text()


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
