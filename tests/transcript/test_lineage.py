import copy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from journald.transcript.reader import read_session
from journald.transcript.session import Session
from tests.rows import Rows
from tests.transcript.reading import requests

FIRST = "aaaaaaaa-0b0a-4009-8008-070605040302"
SECOND = "bbbbbbbb-0b0a-4009-8008-070605040302"
THIRD = "00000000-0b0a-4009-8008-070605040302"


def original() -> Rows:
    rows = Rows(FIRST)
    rows.user("first question")
    rows.say("first answer")
    rows.bash("make", "ok")
    return rows


def resumed(rows: Rows, session_id: str, **changes: Any) -> Rows:
    """Copy all rows into a new session, as a resume in a new file does."""
    copied = Rows(session_id, start=rows.now + timedelta(hours=1))
    copied.meta("mode", mode="normal")
    for row in rows.rows:
        assert isinstance(row, dict)
        if "uuid" in row:
            copied.add(copy.deepcopy(row) | {"sessionId": session_id} | changes)
    copied.last_uuid = rows.last_uuid
    return copied


def test_a_resumed_copy_keeps_only_what_is_new(tmp_path: Path) -> None:
    first = original()
    second = resumed(first, SECOND)
    second.user("second question")
    second.say("second answer")
    parent = read_session(first.write(tmp_path))
    session = read_session(second.write(tmp_path))
    assert requests(session) == ["second question"]
    assert (session.parent, session.inherited) == (FIRST, 4)
    assert [event.id for event in session.events] == ["e5", "e6"]
    assert session.models == {"claude-sonnet-5": 1}
    again = read_session(tmp_path / f"{FIRST}.jsonl")
    assert (again.events, again.parent, again.inherited) == (parent.events, None, 0)


def test_ids_are_the_same_whether_the_original_is_there_or_not(tmp_path: Path) -> None:
    first = original()
    second = resumed(first, SECOND)
    second.user("second question")
    alone = read_session(second.write(tmp_path))
    path = first.write(tmp_path)
    beside = read_session(tmp_path / f"{SECOND}.jsonl")
    assert alone.inherited == 0
    assert alone.events[-1] == beside.events[-1]
    path.unlink()
    assert read_session(tmp_path / f"{SECOND}.jsonl") == alone


@pytest.mark.parametrize(
    "mark", [{"type": "history-suppression", "cause": "fork_inherit"}, {"sessionKind": "bg"}]
)
def test_a_copy_that_says_so_has_nothing_of_its_own(tmp_path: Path, mark: dict[str, str]) -> None:
    first = original()
    second = resumed(first, SECOND)
    second.rows.insert(0, mark)
    first.user("only in the original")
    parent = read_session(first.write(tmp_path))
    session = read_session(second.write(tmp_path))
    assert session.events == ()
    assert (session.parent, session.inherited) == (FIRST, 4)
    assert read_session(tmp_path / f"{FIRST}.jsonl").events == parent.events


def test_what_two_files_hold_is_told_once_even_when_neither_says_which_is_the_copy(
    tmp_path: Path,
) -> None:
    first = original()
    second = resumed(first, SECOND)
    first.user("only in the original")
    paths = [rows.write(tmp_path) for rows in (first, second)]
    told = [text for path in paths for text in requests(read_session(path))]
    assert sorted(told) == ["first question", "only in the original"]


def test_of_two_equal_files_one_owns_the_rows(tmp_path: Path) -> None:
    first = original()
    second = resumed(first, SECOND)
    sessions = [read_session(rows.write(tmp_path)) for rows in (first, second)]
    sessions = [read_session(Path(session.path)) for session in sessions]
    assert sorted(len(session.events) for session in sessions) == [0, 4]


def test_of_two_copies_that_both_went_on_the_one_that_did_so_first_owns_the_shared_rows(
    tmp_path: Path,
) -> None:
    first = original()
    second = resumed(first, SECOND)
    second.user("later")
    first.user("earlier")
    first.write(tmp_path)
    session = read_session(second.write(tmp_path))
    assert requests(session) == ["later"]
    assert requests(read_session(tmp_path / f"{FIRST}.jsonl")) == ["first question", "earlier"]


def test_in_a_chain_of_resumes_each_file_tells_its_part(tmp_path: Path) -> None:
    first = original()
    second = resumed(first, SECOND)
    second.user("second question")
    third = resumed(second, THIRD)
    third.user("third question")
    paths = [rows.write(tmp_path) for rows in (first, second, third)]
    sessions = [read_session(path) for path in paths]
    assert [requests(session) for session in sessions] == [
        ["first question"],
        ["second question"],
        ["third question"],
    ]
    assert [session.parent for session in sessions] == [None, FIRST, SECOND]


def test_a_copy_that_starts_at_a_compaction_is_found(tmp_path: Path) -> None:
    first = original()
    first.compact("the story so far")
    first.say("going on")
    second = resumed(first, SECOND)
    boundary = next(
        number
        for number, row in enumerate(second.rows)
        if isinstance(row, dict) and row.get("subtype") == "compact_boundary"
    )
    second.rows = second.rows[boundary:]
    second.user("new words")
    first.write(tmp_path)
    session = read_session(second.write(tmp_path))
    assert requests(session) == ["new words"]
    assert (session.parent, session.inherited) == (FIRST, 2)


def forked(parent: Rows) -> Rows:
    rows = resumed(parent, SECOND)
    for number, row in enumerate(rows.rows):
        if isinstance(row, dict) and "uuid" in row:
            row["forkedFrom"] = {"sessionId": FIRST, "messageUuid": row["uuid"]}
            row["uuid"] = f"forked-{number}"
    rows.user("on the branch")
    return rows


def test_rows_that_a_fork_copied_with_new_uuids_belong_to_the_parent(tmp_path: Path) -> None:
    first = original()
    first.write(tmp_path)
    session = read_session(forked(first).write(tmp_path))
    assert requests(session) == ["on the branch"]
    assert (session.parent, session.inherited) == (FIRST, 4)
    assert session.usage.output == 0


def test_a_fork_whose_parent_is_gone_tells_everything(tmp_path: Path) -> None:
    session = read_session(forked(original()).write(tmp_path))
    assert requests(session) == ["first question", "on the branch"]
    assert (session.parent, session.inherited) == (None, 0)


@pytest.mark.parametrize("there", [True, False])
def test_copied_rows_may_keep_the_parents_session_id(tmp_path: Path, there: bool) -> None:
    first = original()
    second = resumed(first, SECOND, sessionId=FIRST)
    second.user("second question")
    if there:
        first.write(tmp_path)
    session = read_session(second.write(tmp_path))
    assert session.session_id == SECOND
    expected = ["second question"] if there else ["first question", "second question"]
    assert requests(session) == expected


def test_a_set_aside_copy_owns_nothing(tmp_path: Path) -> None:
    rows = original()
    resumed(rows, SECOND).write(tmp_path, f"{FIRST}.orphaned-1700000000-x.jsonl")
    rows.user("more")
    session = read_session(rows.write(tmp_path))
    assert requests(session) == ["first question", "more"]


def test_queued_prompts_of_the_copied_part_are_not_told_again(tmp_path: Path) -> None:
    first = original()
    first.queue("enqueue", "and quickly")
    first.queue("remove")
    first.say("hurrying")
    second = resumed(first, SECOND)
    second.rows[-1:-1] = [row for row in first.rows if b"queue" in str(row).encode()]
    second.user("new words")
    first.write(tmp_path)
    session: Session = read_session(second.write(tmp_path))
    assert requests(session) == ["new words"]


def test_the_heads_of_unrelated_siblings_are_all_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Rows(SECOND)
    for number in range(2000):
        other.user(f"long session {number} " + "x" * 200)
    big = other.write(tmp_path)
    opened: list[int] = []
    real_open = Path.open

    def counting_open(path: Path, *more: Any, **options: Any) -> Any:
        stream = real_open(path, *more, **options)
        if path == big:
            read = stream.raw.readinto if hasattr(stream, "raw") else None
            assert read is not None
            opened.append(options["buffering"])
        return stream

    monkeypatch.setattr(Path, "open", counting_open)
    read_session(original().write(tmp_path))
    assert opened == [64 * 1024]


def test_a_sibling_that_cannot_be_read_is_no_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = original()
    path = rows.write(tmp_path)
    broken = rows.write(tmp_path, name=f"{SECOND}.jsonl")
    whole = Path.open

    def refuse(self: Path, *arguments: Any, **more: Any) -> Any:
        if self == broken:
            raise PermissionError(13, "Permission denied", str(self))
        return whole(self, *arguments, **more)

    monkeypatch.setattr(Path, "open", refuse)
    session = read_session(path)
    assert session.events
    assert session.parent is None


def test_a_head_that_changed_is_read_anew(tmp_path: Path) -> None:
    rows = original()
    rows.write(tmp_path)
    other = tmp_path / f"{SECOND}.jsonl"
    other.write_text("")
    assert read_session(other).parent is None
    resumed(rows, SECOND).write(tmp_path)
    assert read_session(other).parent == FIRST
