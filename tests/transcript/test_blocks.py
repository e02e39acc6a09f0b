"""The blocks of the model's messages, those that the API runs itself included."""

from pathlib import Path
from typing import Any

import pytest

from journald.transcript.session import EventKind, NoticeKind
from tests.rows import Rows, encode, text_block
from tests.transcript.reading import read, texts


def server_call(name: str, kind: str = "server_tool_use", **arguments: Any) -> dict[str, Any]:
    return {"type": kind, "id": "s1", "name": name, "input": arguments}


@pytest.mark.parametrize(
    ("kind", "content", "text", "failed"),
    [
        (
            "web_search_tool_result",
            [{"type": "web_search_result", "title": "T", "url": "https://t.example", "x": 1}],
            "T https://t.example",
            False,
        ),
        (
            "web_search_tool_result",
            {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
            "max_uses_exceeded",
            True,
        ),
        (
            "web_fetch_tool_result",
            {"type": "web_fetch_result", "url": "https://t.example", "content": {"type": "x"}},
            "https://t.example",
            False,
        ),
        (
            "code_execution_tool_result",
            {"type": "code_execution_result", "stdout": "1", "stderr": "warn", "return_code": 0},
            "1\nwarn",
            False,
        ),
        (
            "bash_code_execution_tool_result",
            {"type": "bash_code_execution_result", "stdout": "", "stderr": "no", "return_code": 2},
            "no",
            True,
        ),
        ("mcp_tool_result", [{"type": "text", "text": "one"}, "two", 3], "one\ntwo", False),
        ("mcp_tool_result", "plain", "plain", False),
        ("mcp_tool_result", None, "", False),
    ],
)
def test_results_of_tools_at_the_apis_side_are_read(
    tmp_path: Path, kind: str, content: object, text: str, failed: bool
) -> None:
    rows = Rows()
    block = {"type": kind, "tool_use_id": "s1", "content": content}
    rows.assistant(server_call("web_search", query="x"), block)
    session = read(rows, tmp_path)
    call, result = session.events
    assert call.call is not None
    assert call.call.input == {"query": "x"}
    assert result.kind is EventKind.TOOL_RESULT
    assert result.result is not None
    assert (result.text, result.result.call_id, result.result.is_error) == (text, "s1", failed)
    assert session.pending_calls == ()
    assert session.lines.unknown == 0


def test_a_failed_tool_of_an_mcp_server_is_marked_by_its_block(tmp_path: Path) -> None:
    rows = Rows()
    rows.assistant(
        server_call("query", "mcp_tool_use", sql="select 1"),
        {"type": "mcp_tool_result", "tool_use_id": "s1", "content": "no", "is_error": True},
    )
    results = [event.result for event in read(rows, tmp_path).events if event.result]
    assert [result.is_error for result in results] == [True]


def test_a_result_at_the_apis_side_that_is_written_again_is_told_once(tmp_path: Path) -> None:
    rows = Rows()
    block = {"type": "mcp_tool_result", "tool_use_id": "s1", "content": "found"}
    for _ in range(2):
        rows.assistant(server_call("query", "mcp_tool_use"), block, message_id="m1")
    assert texts(read(rows, tmp_path).events) == ["", "found"]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "redacted_thinking", "data": "x"},
        {"type": "thinking", "thinking": "", "signature": "x"},
        {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}},
        {"type": "container_upload", "file_id": "f"},
        {"type": "text", "text": ""},
        {"type": "text", "text": "(no content)", "citations": [{"type": "x"}]},
    ],
)
def test_blocks_without_words_are_known_and_tell_nothing(
    tmp_path: Path, block: dict[str, Any]
) -> None:
    rows = Rows()
    rows.assistant(block)
    session = read(rows, tmp_path)
    assert session.events == ()
    assert session.lines.unknown == 0
    assert session.models == {"claude-sonnet-5": 1}


@pytest.mark.parametrize(
    "arguments",
    [{"__unparsedToolInput": '{"command":"l'}, "broken", None, [], 7],
)
def test_a_call_with_a_broken_input_is_a_call_without_one(
    tmp_path: Path, arguments: object
) -> None:
    rows = Rows()
    block: dict[str, object] = {"type": "tool_use", "id": "t1", "name": "Bash"}
    block["input"] = arguments
    rows.assistant(block | {"caller": {"type": "direct"}})
    (event,) = read(rows, tmp_path).events
    assert event.call is not None
    assert (event.call.call_id, event.call.name, event.call.input) == ("t1", "Bash", {})


@pytest.mark.parametrize(
    ("name", "read_as"),
    [
        ('Task" >\n<parameter name="description', 'Task" >\n<parameter name="description'),
        ("mcp__my_server__do_it", "mcp__my_server__do_it"),
        ("mcp__Claude Browser__open", "mcp__Claude Browser__open"),
        ("", ""),
        (None, ""),
        ("\x1b[1mBash\x1b[0m\0", "Bash"),
    ],
)
def test_a_tool_may_have_any_name(tmp_path: Path, name: str | None, read_as: str) -> None:
    rows = Rows()
    rows.assistant({"type": "tool_use", "id": "t1", "name": name, "input": {}})
    rows.result("t1", "ok")
    events = read(rows, tmp_path).events
    assert events[0].call is not None
    assert events[0].call.name == read_as
    assert [event.kind for event in events] == [EventKind.TOOL_CALL, EventKind.TOOL_RESULT]


def test_results_of_parallel_calls_that_stand_between_the_rows_of_a_message(
    tmp_path: Path,
) -> None:
    rows = Rows()
    for call in ("t1", "t2"):
        block: dict[str, Any] = {"type": "tool_use", "id": call, "name": "Read", "input": {}}
        rows.assistant(block, message_id="m1")
        rows.result(call, f"of {call}")
    rows.assistant(text_block("Both read."), message_id="m1")
    session = read(rows, tmp_path)
    assert [(event.message_id, event.text) for event in session.events] == [
        ("m1", ""),
        (None, "of t1"),
        ("m1", ""),
        (None, "of t2"),
        ("m1", "Both read."),
    ]
    assert session.models == {"claude-sonnet-5": 1}


def test_a_result_far_from_its_call_and_one_without_a_call_are_both_told(tmp_path: Path) -> None:
    rows = Rows()
    call = rows.call("Bash", {"command": "make"})
    rows.result("toolu_of_another_file", "alone")
    for number in range(20):
        rows.say(f"waiting {number}")
    rows.result(call, "done")
    rows.result(call, "done again")
    results = [event for event in read(rows, tmp_path).events if event.result]
    assert [event.text for event in results] == ["alone", "done"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("API Error: 529 Overloaded", [(NoticeKind.API_ERROR, "API Error: 529 Overloaded")]),
        ("No response requested.", []),
        ("", []),
    ],
)
def test_a_message_of_the_program_is_no_answer_and_costs_nothing(
    tmp_path: Path, text: str, expected: list[tuple[NoticeKind, str]]
) -> None:
    rows = Rows()
    rows.say(text, model="<synthetic>", isApiErrorMessage=bool(expected), requestId=None)
    session = read(rows, tmp_path)
    assert [(event.notice, event.text) for event in session.events] == expected
    assert (session.usage.input, session.models) == (0, {})


def test_an_error_of_the_api_under_a_real_models_name_is_a_notice(tmp_path: Path) -> None:
    rows = Rows()
    rows.say("Prompt is too long", isApiErrorMessage=True, error="invalid_request")
    (event,) = read(rows, tmp_path).events
    assert event.notice is NoticeKind.API_ERROR


def test_rows_of_a_message_without_an_id_are_messages_of_their_own(tmp_path: Path) -> None:
    rows = Rows()
    for text in ("Done.", "Done."):
        rows.say(text)
    for row in rows.rows:
        assert isinstance(row, dict)
        del row["message"]["id"]
        row["costUSD"] = 0.1
    session = read(rows, tmp_path)
    assert texts(session.events) == ["Done.", "Done."]
    assert session.usage.input == 20


def test_usage_may_be_missing_or_of_another_shape(tmp_path: Path) -> None:
    rows = Rows()
    usages: tuple[object, ...] = (None, [], "much", {"input_tokens": None, "iterations": None})
    for usage in usages:
        rows.say("hello")
        row = rows.rows[-1]
        assert isinstance(row, dict)
        row["message"]["usage"] = usage
    session = read(rows, tmp_path)
    assert session.usage.input == 0
    assert session.models == {"claude-sonnet-5": 4}


@pytest.mark.parametrize(
    ("details", "kept"),
    [
        ({"task": {"task_id": "b1", "status": "completed", "output": "x" * 99_000}}, True),
        ({"task": {"task_id": "b1", "status": "completed", "prompt": {"a": ["b"] * 9}}}, True),
        ({"task": None}, False),
        ({"task": "b1"}, False),
    ],
)
def test_the_end_of_a_task_is_known_however_much_it_printed(
    tmp_path: Path, details: dict[str, Any], kept: bool
) -> None:
    rows = Rows()
    rows.tool("TaskOutput", {"task_id": "b1"}, "…", details)
    (result,) = [event.result for event in read(rows, tmp_path).events if event.result]
    known = {"task": {"task_id": "b1", "status": "completed"}}
    assert (result.details == known) is kept


def test_the_facts_of_a_result_that_is_a_list_of_blocks_are_none(tmp_path: Path) -> None:
    rows = Rows()
    rows.tool("mcp__x__y", {}, "ok", [{"type": "text", "text": "ok", "url": "https://x.example"}])
    (result,) = [event.result for event in read(rows, tmp_path).events if event.result]
    assert result.details == {}


def test_raw_separators_and_lone_surrogates_in_blocks_are_kept_or_replaced(
    tmp_path: Path,
) -> None:
    rows = Rows()
    rows.say("one\u2028two MARK")
    rows.call("Bash", {"command": "echo '\u2029' MARK"})
    rows.rows = [
        encode(row).replace(b"MARK", rb"\udcb2") for row in rows.rows if isinstance(row, dict)
    ]
    said, called = read(rows, tmp_path).events
    assert said.text == "one\u2028two \ufffd"
    assert called.call is not None
    assert called.call.input == {"command": "echo '\u2029' \ufffd"}
