"""Histories that were rewound, compacted, forked or written again."""

from pathlib import Path
from typing import Any

import pytest

from journald.transcript.session import EventKind, Session
from tests.rows import SESSION_ID, Rows
from tests.transcript.reading import read, requests, texts

FORK = "bbbbbbbb-0b0a-4009-8008-070605040302"
SUMMARY = "This session is being continued from a previous conversation that ran out of context."
REVIEW = "<command-message>review</command-message>\n<command-name>/review</command-name>"


def lost(session: Session) -> list[str]:
    return [event.text for event in session.events if event.withdrawn]


def forked(rows: Rows, **more: Any) -> list[dict[str, Any]]:
    """Return the rows as a fork copies them."""
    return [
        row
        | {"sessionId": FORK, "uuid": f"fork-{number}"}
        | {"forkedFrom": {"sessionId": SESSION_ID, "messageUuid": row["uuid"]}}
        | more
        for number, row in enumerate(rows.rows)
        if isinstance(row, dict)
    ]


def test_a_rewind_before_a_compaction_is_known_after_it(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("start")
    fork = rows.say("ready")
    rows.user("wrong way")
    rows.say("going wrong")
    rows.user("right way", parentUuid=fork)
    rows.say("going right")
    rows.compact(SUMMARY)
    rows.user("and on")
    session = read(rows, tmp_path)
    assert lost(session) == ["wrong way", "going wrong"]
    assert texts(session.events)[-2:] == [SUMMARY, "and on"]


def test_a_rewind_behind_a_compaction_withdraws_what_came_after(tmp_path: Path) -> None:
    rows = Rows()
    fork = rows.say("ready")
    rows.user("wrong way")
    rows.compact(SUMMARY)
    rows.say("going wrong")
    rows.user("right way", parentUuid=fork)
    assert lost(read(rows, tmp_path)) == ["wrong way", SUMMARY, "going wrong"]


def test_a_custom_command_that_was_taken_back_is_withdrawn(tmp_path: Path) -> None:
    rows = Rows()
    fork = rows.say("ready")
    rows.user(REVIEW)
    rows.user("Review as follows …", isMeta=True)
    rows.say("reviewing")
    rows.user("no, fix it", parentUuid=fork)
    rows.say("fixing")
    assert lost(read(rows, tmp_path)) == ["/review", "reviewing"]


def test_a_built_in_command_beside_a_prompt_is_no_rewind(tmp_path: Path) -> None:
    rows = Rows()
    fork = rows.say("working")
    rows.command("cost", output="$1")
    rows.user("go on", parentUuid=fork)
    assert lost(read(rows, tmp_path)) == []


def test_what_was_queued_on_a_withdrawn_branch_falls_with_it(tmp_path: Path) -> None:
    rows = Rows()
    fork = rows.say("ready")
    rows.user("wrong way")
    rows.queue("enqueue", "faster")
    rows.queue("remove")
    rows.user("right way", parentUuid=fork)
    assert lost(read(rows, tmp_path)) == ["wrong way", "faster"]


def test_the_second_of_three_tries_may_be_the_one_that_counts(tmp_path: Path) -> None:
    rows = Rows()
    fork = rows.say("ready")
    kept = ""
    for text in ("one", "two", "three"):
        rows.user(text, parentUuid=fork)
        answer = rows.say(f"answer to {text}")
        kept = answer if text == "two" else kept
    rows.meta("last-prompt", lastPrompt="two", leafUuid=kept)
    assert requests(read(rows, tmp_path)) == ["one", "two", "three"]
    assert lost(read(rows, tmp_path)) == [
        "one",
        "answer to one",
        "three",
        "answer to three",
    ]


def test_several_compactions_tell_each_summary_once_and_no_request(tmp_path: Path) -> None:
    rows = Rows()
    for number in range(3):
        rows.user(f"part {number}")
        rows.compact(f"{SUMMARY} {number}", trigger="manual")
        rows.command("compact", output="Compacted")
    session = read(rows, tmp_path)
    assert requests(session) == ["part 0", "part 1", "part 2"]
    assert texts(session.events, EventKind.COMPACTION) == [f"{SUMMARY} {n}" for n in range(3)]


def test_a_boundary_without_its_summary_is_a_compaction(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("before")
    metadata = {"trigger": "auto", "preservedMessages": {"uuids": ["x"], "allUuids": ["x"]}}
    rows.system("compact_boundary", parentUuid=None, compactMetadata=metadata)
    rows.user("after")
    events = read(rows, tmp_path).events
    assert [(event.kind, event.text) for event in events] == [
        (EventKind.USER, "before"),
        (EventKind.COMPACTION, ""),
        (EventKind.USER, "after"),
    ]


def test_old_rows_appended_again_after_a_compaction_are_told_once(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("before")
    rows.bash("make", "ok")
    old = [*rows.rows]
    rows.compact(SUMMARY)
    rows.rows.extend(old)
    rows.user("after")
    session = read(rows, tmp_path)
    assert requests(session) == ["before", "after"]
    assert [event.kind for event in session.events] == [
        EventKind.USER,
        EventKind.TOOL_CALL,
        EventKind.TOOL_RESULT,
        EventKind.COMPACTION,
        EventKind.USER,
    ]


def test_rows_written_again_with_new_uuids_and_the_old_parents_and_times_are_told_once(
    tmp_path: Path,
) -> None:
    rows = Rows()
    rows.user("start")
    rows.user("before")
    rows.say("done")
    again = [row | {"uuid": f"new-{n}"} for n, row in enumerate(rows.rows) if isinstance(row, dict)]
    rows.compact(SUMMARY)
    rows.rows.extend(again)
    session = read(rows, tmp_path)
    assert texts(session.events) == ["start", "before", "done", SUMMARY]
    assert lost(session) == []


@pytest.mark.parametrize("twice", [False, True])
def test_a_fork_tells_what_is_new_in_it_though_its_history_stands_there_twice(
    tmp_path: Path, twice: bool
) -> None:
    rows = Rows()
    rows.user("go")
    rows.bash("make", "ok")
    rows.say("done")
    rows.write(tmp_path)
    fork = Rows(FORK, start=rows.now)
    fork.rows = [*forked(rows)]
    if twice:
        plain = [row for row in rows.rows if isinstance(row, dict)]
        fork.rows.extend(
            row | {"sessionId": FORK, "uuid": f"plain-{n}"} for n, row in enumerate(plain)
        )
    pure = read(fork, tmp_path)
    assert (pure.events, pure.parent, pure.models) == ((), SESSION_ID, {})
    fork.user("another way")
    session = read(fork, tmp_path)
    assert requests(session) == ["another way"]
    assert session.parent == SESSION_ID


def test_a_prompt_after_clear_is_the_first_of_its_own_session(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("<local-command-caveat>Caveat: …</local-command-caveat>", isMeta=True)
    rows.command("clear", output="")
    rows.user("a new start")
    session = read(rows, tmp_path)
    assert (session.parent, requests(session)) == (None, ["a new start"])
    assert texts(session.events, EventKind.COMMAND) == ["/clear"]


def test_two_processes_that_write_into_one_file_are_read_in_file_order(tmp_path: Path) -> None:
    rows = Rows()
    root = rows.user("start")
    one = rows.say("first process", parentUuid=root)
    two = rows.say("second process", parentUuid=root)
    rows.user("to the first", parentUuid=one)
    rows.user("to the second", parentUuid=two)
    session = read(rows, tmp_path)
    assert texts(session.events) == [
        "start",
        "first process",
        "second process",
        "to the first",
        "to the second",
    ]
    assert lost(session) == []


@pytest.mark.parametrize("parent", ["gone", "later", None])
def test_a_parent_that_is_missing_or_stands_later_loses_nothing(
    tmp_path: Path, parent: str | None
) -> None:
    rows = Rows()
    rows.user("one", parentUuid=parent)
    rows.say("two", uuid="later", parentUuid=parent)
    rows.user("three", parentUuid=parent)
    session = read(rows, tmp_path)
    assert texts(session.events) == ["one", "two", "three"]


def test_words_said_twice_in_a_file_whose_rows_have_one_time_are_both_told(
    tmp_path: Path,
) -> None:
    rows = Rows()
    for text in ("go", "yes", "yes"):
        rows.user(text)
        rows.say(f"after {text}")
    for row in rows.rows:
        assert isinstance(row, dict)
        row["timestamp"] = "2026-03-05T09:00:00.000Z"
    assert requests(read(rows, tmp_path)) == ["go", "yes", "yes"]


def test_a_prompt_that_stands_there_twice_in_a_row_is_told_once(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    rows.rows.extend(forked(rows))
    rows.say("done")
    assert requests(read(rows, tmp_path)) == ["go"]


def test_the_last_rows_written_again_are_told_once_though_they_have_one_time(
    tmp_path: Path,
) -> None:
    rows = Rows()
    rows.user("go")
    rows.say("done")
    rows.command("compact", output="Compacted")
    for row in rows.rows[2:]:
        assert isinstance(row, dict)
        row["timestamp"] = "2026-03-05T09:10:00.000Z"
    again = [row | {"uuid": f"new-{n}"} for n, row in enumerate(rows.rows) if isinstance(row, dict)]
    rows.rows.extend(again)
    assert texts(read(rows, tmp_path).events) == ["go", "done", "/compact", "Compacted"]
