"""What is kept of `toolUseResult`, tool by tool; what is in `dropped` are bodies."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from journald.transcript.results import keep_details
from journald.transcript.session import ToolResult
from tests.rows import Rows
from tests.transcript.reading import read

PATCH = [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a", "+b"]}]
GIT = {
    "commit": {"sha": "abc1234", "kind": "commit"},
    "push": {"branch": "main"},
    "branch": {"ref": "main", "action": "created"},
    "pr": {"number": 7, "url": "https://git.example/7", "action": "created"},
}


def facts_of(folder: Path, tool: str, details: object) -> ToolResult:
    rows = Rows()
    rows.tool(tool, {}, "ok", details)
    (result,) = [event.result for event in read(rows, folder).events if event.result]
    return result


@pytest.mark.parametrize(
    ("tool", "kept", "dropped"),
    [
        (
            "Bash",
            {
                "interrupted": False,
                "returnCodeInterpretation": "No matches found",
                "backgroundTaskId": "b1",
                "backgroundedByUser": True,
                "timedOutAfterMs": 1000,
                "persistedOutputSize": 90_000,
                "gitOperation": GIT,
            },
            {"stdout": "x", "stderr": "y", "persistedOutputPath": "/x", "rawOutputPath": "/y"},
        ),
        ("PowerShell", {"interrupted": True}, {"stdout": "x", "stderr": ""}),
        (
            "BashOutput",
            {"shellId": "1", "status": "completed", "exitCode": 2},
            {"stdout": "x", "stderr": "", "stdoutLines": 1, "command": "make"},
        ),
        ("KillShell", {"shell_id": "1", "success": True}, {"message": "killed"}),
        (
            "TaskOutput",
            {
                "retrieval_status": "success",
                "task": {"task_id": "1", "task_type": "local_bash", "exitCode": 0},
            },
            {},
        ),
        ("TaskStop", {"task_id": "1"}, {"message": "stopped", "task_type": "local_bash"}),
        ("Read", {"type": "text"}, {"file": {"filePath": "/a", "content": "body"}}),
        (
            "Edit",
            {"filePath": "/a", "structuredPatch": PATCH, "userModified": False},
            {"oldString": "a", "newString": "b", "originalFile": "a", "replaceAll": False},
        ),
        (
            "MultiEdit",
            {"filePath": "/a", "structuredPatch": PATCH, "userModified": False},
            {"edits": [{"old_string": "a", "new_string": "b"}], "originalFileContents": "a"},
        ),
        (
            "Write",
            {"type": "create", "filePath": "/a", "structuredPatch": [], "contentLines": 1},
            {"content": "body", "originalFile": None},
        ),
        (
            "NotebookEdit",
            {"notebook_path": "/a.ipynb", "edit_mode": "insert"},
            {"new_source": "x", "original_file": "x", "updated_file": "y"},
        ),
        ("Glob", {"numFiles": 2, "truncated": False}, {"filenames": ["a", "b"]}),
        ("Grep", {"mode": "content", "numFiles": 1, "numLines": 3}, {"content": "a"}),
        (
            "Agent",
            {
                "status": "completed",
                "agentId": "a1",
                "agentType": "Explore",
                "totalDurationMs": 5,
                "totalTokens": 6,
                "totalToolUseCount": 7,
                "resolvedModel": "m",
                "worktreePath": "/w",
                "worktreeBranch": "b",
            },
            {"content": [{"text": "found"}], "prompt": "look", "usage": {"input_tokens": 1}},
        ),
        (
            "Agent",
            {"status": "async_launched", "isAsync": True, "agentId": "a1"},
            {"description": "x", "prompt": "look", "outputFile": "/x"},
        ),
        (
            "TodoWrite",
            {"newTodos": [{"content": "x", "status": "pending"}]},
            {"oldTodos": []},
        ),
        ("TaskCreate", {"task": {"id": "1", "subject": "Fix"}}, {}),
        (
            "TaskUpdate",
            {"success": True, "taskId": "1", "statusChange": {"from": "a", "to": "b"}},
            {"updatedFields": ["status"]},
        ),
        (
            "WebFetch",
            {"url": "https://x.example", "code": 200},
            {"bytes": 1, "codeText": "OK", "result": "body"},
        ),
        ("WebSearch", {"query": "x"}, {"results": [{"content": []}], "durationSeconds": 1}),
        ("AskUserQuestion", {"questions": [], "answers": {}, "annotations": {}}, {}),
        ("ExitPlanMode", {"plan": "# Plan", "planWasEdited": True}, {"isAgent": False}),
        ("Skill", {"success": True, "commandName": "x"}, {"allowedTools": []}),
        ("ToolSearch", {"query": "x"}, {"matches": [], "total_deferred_tools": 1}),
        ("LSP", {"operation": "hover", "filePath": "/a", "resultCount": 1}, {"result": "x"}),
        ("Monitor", {"taskId": "1"}, {"timeoutMs": 5, "persistent": True}),
        ("SendMessage", {"success": True}, {"message": "sent"}),
        ("Artifact", {"url": "https://x.example", "title": "T"}, {"path": "/a.html"}),
        ("EnterWorktree", {"worktreePath": "/w", "worktreeBranch": "b"}, {"message": "x"}),
        ("Workflow", {"status": "async_launched", "taskId": "w1"}, {"runId": "wf_1"}),
    ],
)
def test_the_facts_of_each_tool_are_kept_and_its_bodies_are_not(
    tmp_path: Path, tool: str, kept: dict[str, Any], dropped: dict[str, Any]
) -> None:
    details = dict(facts_of(tmp_path, tool, kept | dropped).details)
    details.pop("todos", None)
    assert details == kept


@pytest.mark.parametrize(
    "details",
    [
        "Error: Exit code 1\nno",
        "User rejected tool use",
        "Sibling tool call errored",
        "[Request interrupted by user for tool use]",
        [{"type": "text", "text": "x"}],
        {},
        7,
        None,
    ],
)
def test_details_that_are_no_object_are_no_facts(tmp_path: Path, details: object) -> None:
    assert facts_of(tmp_path, "Bash", details).details == {}


def test_strings_in_facts_are_clean(tmp_path: Path) -> None:
    details = {"title": "\x1b[1mbold\x1b[0m\0", "statusChange": {"from": "a\x07", "to": ["b\0"]}}
    assert facts_of(tmp_path, "TaskUpdate", details).details == {
        "title": "bold",
        "statusChange": {"from": "a", "to": ["b"]},
    }


@given(content=st.text(st.sampled_from('a\\\n\u00e9\u2028"') | st.characters(codec="utf-8")))
def test_a_created_files_lines_are_counted_as_written_to_the_disk(content: str) -> None:
    for ascii_ in (True, False):
        row = json.dumps({"type": "create", "content": content}, ensure_ascii=ascii_)
        lines = content.count("\n") + bool(content and not content.endswith("\n"))
        assert keep_details(Raw(row.encode())) == {"type": "create", "contentLines": lines}
