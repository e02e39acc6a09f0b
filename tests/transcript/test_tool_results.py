from pathlib import Path
from typing import Any

import pytest

from journald.transcript.session import EventKind, ToolResult
from tests.rows import Rows, image_block, text_block
from tests.transcript.reading import read, texts


def result_of(tmp_path: Path, content: Any, details: object = None, **more: Any) -> ToolResult:
    rows = Rows()
    rows.result(rows.call("Bash", {"command": "ls"}), content, details, **more)
    (result,) = [event.result for event in read(rows, tmp_path).events if event.result]
    return result


def test_the_text_of_a_result_is_free_of_wrappers_and_reminders(tmp_path: Path) -> None:
    rows = Rows()
    big = "<persisted-output>\nOutput too large (88KB).\n\nPreview:\nabc\n</persisted-output>"
    for content in (
        "fine<system-reminder>hidden</system-reminder>",
        big,
        "<tool_use_error>File has not been read yet.</tool_use_error>",
        [text_block("one"), image_block(), {"type": "tool_reference", "tool_name": "WebFetch"}],
    ):
        rows.result(rows.call("Read", {}), content)
    session = read(rows, tmp_path)
    assert texts(session.events, EventKind.TOOL_RESULT) == [
        "fine",
        "Output too large (88KB).\n\nPreview:\nabc",
        "File has not been read yet.",
        "one\nWebFetch",
    ]
    assert session.events[-1].images == 1


def test_a_result_without_content_and_one_of_no_call_are_kept(tmp_path: Path) -> None:
    rows = Rows()
    rows.user([{"type": "tool_result", "tool_use_id": "gone"}])
    session = read(rows, tmp_path)
    assert [event.result for event in session.events] == [ToolResult(call_id="gone")]


def test_several_results_in_one_row_are_all_read(tmp_path: Path) -> None:
    rows = Rows()
    first, second = rows.call("Read", {}), rows.call("Read", {})
    rows.user(
        [
            {"type": "tool_result", "tool_use_id": first, "content": "1"},
            {"type": "tool_result", "tool_use_id": second, "content": "2", "is_error": True},
        ]
    )
    results = [event.result for event in read(rows, tmp_path).events if event.result]
    assert [(result.call_id, result.is_error) for result in results] == [
        (first, False),
        (second, True),
    ]


def test_facts_are_kept_and_bodies_are_not(tmp_path: Path) -> None:
    patch = [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2, "lines": ["+x"] * 9000}]
    kept = result_of(
        tmp_path,
        "ok",
        {
            "filePath": "/a\0.py",
            "structuredPatch": patch,
            "originalFile": "secret body",
            "stdout": "body",
            "oldString": "body",
            "query": "q" * 100_000,
            "gitOperation": {"commit": {"sha": "abc123", "kind": "commit"}},
            "task": {"task_id": "t1", "status": "completed", "output": "body"},
            "newTodos": [{"content": "x", "status": "pending"}],
            "status": None,
        },
    )
    assert kept.details == {
        "filePath": "/a.py",
        "structuredPatch": patch,
        "gitOperation": {"commit": {"sha": "abc123", "kind": "commit"}},
        "task": {"task_id": "t1", "status": "completed"},
        "newTodos": [{"content": "x", "status": "pending"}],
        "todos": [{"content": "x", "status": "pending"}],
    }


@pytest.mark.parametrize("details", ["Error: no", ["a"], 7, None, {}])
def test_any_shape_of_details_is_accepted(tmp_path: Path, details: object) -> None:
    assert result_of(tmp_path, "ok", details).details == {}


@pytest.mark.parametrize(
    ("content", "details", "fields"),
    [
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", None, {}),
        ("stopped", "[Request interrupted by user for tool use]", {}),
        ("stopped", None, {"toolDenialKind": "interrupted"}),
    ],
)
def test_cancelled_calls_are_told_from_failed_ones(
    tmp_path: Path, content: str, details: object, fields: dict[str, Any]
) -> None:
    result = result_of(tmp_path, content, details, is_error=True, **fields)
    assert (result.cancelled, result.rejected) == (True, False)


@pytest.mark.parametrize(
    ("content", "fields"),
    [
        ("Permission to use Bash with command rm has been denied.", {}),
        ("User chose to stay in plan mode and continue planning", {}),
        ("no", {"toolDenialKind": "user-rejected"}),
        ("no", {"toolDenialKind": "automode-unavailable"}),
    ],
)
def test_refused_calls_are_marked(tmp_path: Path, content: str, fields: dict[str, Any]) -> None:
    assert result_of(tmp_path, content, is_error=True, **fields).rejected
