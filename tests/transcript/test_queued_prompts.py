from pathlib import Path
from typing import Any

import pytest

from journald.transcript.session import EventKind, NoticeKind, Origin, Session
from tests.rows import Rows, image_block
from tests.transcript.reading import read, requests, texts

NOTICE = (
    "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>toolu_9</tool-use-id>\n"
    "<status>completed</status>\n<summary>Agent done</summary>\n"
    "<result>All <status>odd</status> well.</result>\n</task-notification>"
)


def queued(session: Session) -> list[str]:
    return [event.text for event in session.events if event.origin is Origin.QUEUED]


def test_a_prompt_that_stands_in_the_queue_alone_is_told_when_it_is_delivered(
    tmp_path: Path,
) -> None:
    rows = Rows()
    rows.queue("enqueue", "use tabs")
    rows.say("working")
    rows.queue("remove")
    rows.say("tabs it is")
    session = read(rows, tmp_path)
    assert texts(session.events) == ["working", "use tabs", "tabs it is"]
    assert queued(session) == ["use tabs"]


def test_a_prompt_that_is_taken_out_to_stand_as_a_row_is_told_once(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("enqueue", "first")
    rows.queue("enqueue", "second")
    rows.queue("dequeue")
    rows.user("first")
    rows.queue("remove")
    assert requests(read(rows, tmp_path)) == ["first", "second"]


def test_an_attachment_and_its_queue_rows_tell_one_prompt_in_either_order(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("enqueue", "before")
    rows.attachment("queued_command", prompt="before", commandMode="prompt")
    rows.queue("remove", "before")
    rows.queue("enqueue", "after")
    rows.queue("remove")
    rows.attachment(
        "queued_command",
        prompt=[{"type": "text", "text": "after"}],
        commandMode="prompt",
        origin={"kind": "human"},
    )
    rows.queue("enqueue", "third")
    rows.queue("remove")
    assert queued(read(rows, tmp_path)) == ["before", "after", "third"]


def test_the_same_prompt_queued_twice_is_told_twice(tmp_path: Path) -> None:
    rows = Rows()
    for _ in range(2):
        rows.queue("enqueue", "go on")
        rows.queue("remove")
    assert queued(read(rows, tmp_path)) == ["go on", "go on"]


def test_what_was_pulled_back_or_never_delivered_was_not_said(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("enqueue", "pulled back")
    rows.queue("popAll", "pulled back")
    rows.queue("dequeue")
    rows.queue("remove")
    rows.queue("enqueue", "left over")
    assert read(rows, tmp_path).events == ()


def test_a_queued_prompt_merged_into_a_result_is_told_once(tmp_path: Path) -> None:
    rows = Rows()
    call = rows.call("Bash", {"command": "ls"})
    rows.queue("enqueue", "with tests")
    rows.queue("remove")
    rows.result(call, "ok", said="with tests")
    assert requests(read(rows, tmp_path)) == ["with tests"]


def test_slash_commands_in_the_queue_are_commands(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("enqueue", "/model opus")
    rows.queue("remove")
    rows.command("model", "opus")
    session = read(rows, tmp_path)
    assert [(event.kind, event.text) for event in session.events] == [
        (EventKind.COMMAND, "/model opus")
    ]


def test_notices_of_ended_tasks_are_told_once_wherever_they_come(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("enqueue", NOTICE)
    rows.attachment("queued_command", prompt=NOTICE, commandMode="task-notification")
    rows.queue("remove", NOTICE)
    rows.user(NOTICE.replace("b1", "b2"), origin={"kind": "task-notification"})
    rows.queue("enqueue", '{"task_id":"b3","description":"lint","task_type":"local_bash"}')
    rows.queue("remove")
    session = read(rows, tmp_path)
    assert [(event.notice, event.text) for event in session.events] == [
        (NoticeKind.TASK, "Agent done\n\nAll <status>odd</status> well."),
        (NoticeKind.TASK, "Agent done\n\nAll <status>odd</status> well."),
    ]
    first = session.events[0].result
    assert first is not None
    assert (first.call_id, first.details) == ("toolu_9", {"status": "completed", "taskId": "b1"})


def test_the_first_prompt_of_a_headless_session_is_told_once(tmp_path: Path) -> None:
    rows = Rows(entrypoint="sdk-cli")
    rows.queue("enqueue", "do it\n")
    rows.queue("dequeue")
    rows.user("do it\n", promptSource="sdk")
    session = read(rows, tmp_path)
    assert requests(session) == ["do it"]
    assert queued(session) == []


def test_all_that_was_pulled_back_comes_again_only_when_it_is_sent(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("enqueue", "one")
    rows.queue("enqueue", "two")
    rows.queue("popAll")
    rows.queue("enqueue", "two, edited")
    rows.queue("remove", "two, edited")
    assert requests(read(rows, tmp_path)) == ["two, edited"]


def test_a_prompt_of_which_only_the_handing_over_is_left_is_told(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("remove", "use tabs")
    rows.queue("remove")
    assert queued(read(rows, tmp_path)) == ["use tabs"]


def test_an_attachment_without_queue_rows_is_told(tmp_path: Path) -> None:
    rows = Rows()
    rows.attachment("queued_command", prompt="use tabs", commandMode="prompt")
    assert queued(read(rows, tmp_path)) == ["use tabs"]


def test_queued_pictures_are_counted(tmp_path: Path) -> None:
    rows = Rows()
    content: Any = [{"type": "text", "text": "like this"}, image_block(), image_block()]
    picture: Any = [image_block()]
    rows.queue("enqueue", content)
    rows.queue("remove")
    rows.queue("enqueue", picture)
    rows.queue("remove")
    rows.attachment("queued_command", prompt=[image_block()], commandMode="prompt")
    events = read(rows, tmp_path).events
    assert [(event.text, event.images) for event in events] == [("like this", 2), ("", 1)]


@pytest.mark.parametrize(
    ("fields", "human"),
    [
        ({}, True),
        ({"commandMode": "prompt"}, True),
        ({"commandMode": "prompt", "origin": {"kind": "human"}}, True),
        ({"commandMode": "prompt", "origin": {"kind": "peer"}}, False),
        ({"commandMode": "prompt", "isMeta": True}, False),
        ({"commandMode": "task-notification"}, False),
        ({"commandMode": "something-new"}, False),
    ],
)
def test_an_attachment_says_whose_words_it_holds(
    tmp_path: Path, fields: dict[str, Any], human: bool
) -> None:
    rows = Rows()
    rows.attachment("queued_command", prompt="go on", **fields)
    session = read(rows, tmp_path)
    assert queued(session) == (["go on"] if human else [])
    assert texts(session.events) == ["go on"]


@pytest.mark.parametrize(
    "notice",
    [
        "<agent-notification><summary>done</summary></agent-notification>",
        "<teammate-message>done</teammate-message>",
        "<channel source='chat'>hello</channel>",
        "<system-reminder>be kind</system-reminder>",
        '{"task_id":"b3","tool_use_id":"t","description":"lint","task_type":"local_bash"}',
    ],
)
def test_what_the_program_queues_is_nobodys_words(tmp_path: Path, notice: str) -> None:
    rows = Rows()
    rows.queue("enqueue", notice)
    rows.queue("remove")
    assert requests(read(rows, tmp_path)) == []


def test_json_of_the_humans_is_theirs(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("enqueue", '{"task": "not a notice"}')
    rows.queue("remove")
    assert queued(read(rows, tmp_path)) == ['{"task": "not a notice"}']


def test_a_slash_command_that_waited_is_told_when_it_ran(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("enqueue", "/clear")
    rows.queue("dequeue")
    rows.command("clear")
    rows.queue("enqueue", "/theme")
    rows.queue("popAll", "/theme")
    rows.attachment("queued_command", prompt="/effort high", commandMode="prompt")
    events = read(rows, tmp_path).events
    assert [(event.kind, event.text) for event in events] == [
        (EventKind.COMMAND, "/clear"),
        (EventKind.COMMAND, "/effort high"),
    ]


def test_an_unknown_operation_is_counted(tmp_path: Path) -> None:
    rows = Rows()
    rows.queue("shuffle", "x")
    assert read(rows, tmp_path).lines.unknown_kinds == {"?/queue-operation/shuffle": 1}
