"""Small sessions that hold every kind of row: what is mutated begins as one of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.rows import START, Rows, encode, image_block, stamp, text_block

AGENT = "a1b2c3d4"
OTHER_SESSION = "11111111-2222-4333-8444-555555555555"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """The rows of a session and of its sub-agent."""

    main: bytes
    agent: bytes
    meta: bytes


def _talk(rows: Rows) -> None:
    rows.meta("custom-title", customTitle="A shop")
    rows.user(
        "Add a basket, grüße \u2028 \U0001f600", promptSource="typed", origin={"kind": "human"}
    )
    rows.assistant({"type": "thinking", "thinking": "hm", "signature": "s"}, message_id="m1")
    rows.say("On it.", message_id="m1")
    rows.say("On it. Now.", message_id="m1", version="2.1.20")
    rows.user([image_block(), text_block("<ide_selection>x</ide_selection>like this")])
    rows.user([text_block("[Request interrupted by user]")])
    rows.user("<system-reminder>r</system-reminder>again", parentUuid=None)
    rows.meta("last-prompt", lastPrompt="again", leafUuid=rows.last_uuid)


def _files(rows: Rows) -> None:
    patch = [
        {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 2, "lines": ["-a", "+b", "+c"]}
    ]
    read = {"type": "text", "file": {"filePath": "/home/ada/shop/a.py", "content": "a"}}
    rows.tool("Read", {"file_path": "/home/ada/shop/a.py"}, "1\ta", read)
    edit = {"file_path": "/home/ada/shop/a.py", "old_string": "a", "new_string": "b\nc"}
    rows.tool("Edit", edit, "done", {"filePath": edit["file_path"], "structuredPatch": patch})
    rows.tool("Write", {"file_path": "b.py", "content": "x\ny"}, "File created", {"type": "create"})
    rows.tool("Write", {"file_path": "b.py", "content": "x\nz"}, "updated", {"type": "update"})
    edits = [{"old_string": "x", "new_string": "w", "replace_all": True}]
    rows.tool("MultiEdit", {"file_path": "b.py", "edits": edits}, "ok")
    rows.tool(
        "NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "1", "edit_mode": "insert"}, "ok"
    )
    rows.bash("cd src && rm -f b.py")


def _commands(rows: Rows) -> None:
    rows.bash("uv run pytest -q; echo exit: $?", "==== 2 failed, 3 passed in 0.12s ====\nexit: 1")
    rows.bash("npm test", "Tests:       1 failed, 4 passed, 5 total", 1)
    rows.bash("make test | tail -3", "ok  \tshop/cart\t0.1s\n--- PASS: TestA (0.00s)")
    rows.bash("git commit -m 'Add it'", "[main 1a2b3c4] Add it\n 1 file changed")
    made = {
        "commit": {"sha": "1a2b3c4d", "branch": "main"},
        "pr": {"number": 7, "url": "u", "action": "created"},
    }
    rows.tool(
        "Bash",
        {"command": "gh pr create"},
        "https://example.test/a/b/pull/7",
        {"gitOperation": made},
    )
    rows.meta(
        "pr-link", prNumber=7, prUrl="https://example.test/a/b/pull/7", timestamp=stamp(START)
    )
    rows.user("<bash-input>ls</bash-input>")
    rows.user("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>")


def _background(rows: Rows) -> None:
    call = rows.call("Bash", {"command": "sleep 9", "run_in_background": True})
    rows.result(call, "Command running in background with ID: b1", {"backgroundTaskId": "b1"})
    output = {
        "task": {"task_id": "b1", "task_type": "local_bash", "status": "completed", "exitCode": 0}
    }
    rows.tool("TaskOutput", {"task_id": "b1"}, "done", output)
    rows.tool(
        "BashOutput",
        {"bash_id": "b1"},
        "more",
        {"shellId": "b1", "status": "failed", "exitCode": 2},
    )
    rows.tool("KillShell", {"shell_id": "b1"}, "killed", {"message": "m", "shell_id": "b1"})
    rows.user(
        "<task-notification><task-id>b1</task-id><status>failed</status>"
        "<summary>failed with exit code 3</summary></task-notification>",
        origin={"kind": "task-notification"},
    )
    rows.queue("enqueue", '{"task_id":"b1","description":"d"}')
    rows.queue("remove")


def _agents(rows: Rows) -> None:
    prompt = {"prompt": "Look around", "description": "look", "subagent_type": "Explore"}
    call = rows.call("Task", prompt)
    found = {"agentId": AGENT, "agentType": "Explore", "status": "completed", "totalTokens": 5}
    rows.result(call, [text_block("Found it.\n\nagentId: a1\n<usage>total: 5</usage>")], found)
    late = rows.call("Agent", prompt)
    rows.result(
        late, "Async agent launched", {"status": "async_launched", "agentId": "b9", "isAsync": True}
    )
    rows.tree(
        "user",
        isSidechain=True,
        parentUuid=None,
        message={"role": "user", "content": "Look around"},
    )
    rows.tree("assistant", isSidechain=True, message={"id": "m9", "content": [text_block("seen")]})
    step = {"type": "agent_progress", "agentId": "c9", "message": {"uuid": "u1"}, "prompt": "p"}
    rows.tree("progress", data=step, parentToolUseID=call, toolUseID="t")


def _queue(rows: Rows) -> None:
    rows.queue("enqueue", "and the tests")
    rows.attachment(
        "queued_command", prompt="and the tests", commandMode="prompt", origin={"kind": "human"}
    )
    rows.queue("remove")
    rows.queue("enqueue", "/model opus")
    rows.queue("dequeue")
    rows.queue("popAll", "never")
    rows.attachment("edited_text_file", filename="/home/ada/shop/a.py", snippet="s")
    rows.attachment("date_change", newDate="2026-03-06")
    rows.attachment("hook_success", content="c")


def _program(rows: Rows) -> None:
    rows.compact("This session is being continued from a previous conversation that ran out.")
    rows.system(
        "api_error",
        error={"error": {"message": "Overloaded", "status": 529}},
        retryAttempt=1,
        maxRetries=10,
    )
    rows.system("local_command", content="<local-command-stdout>ok</local-command-stdout>")
    rows.system("stop_hook_summary", preventedContinuation=True, stopReason="no", hookCount=1)
    rows.system("away_summary", content="We are at the basket.")
    rows.system("turn_duration", durationMs=5)
    rows.command("model", "opus", output="Set model")
    rows.assistant(text_block("API Error: 529"), model="<synthetic>", isApiErrorMessage=True)
    rows.meta("summary", summary="A title", leafUuid=rows.last_uuid)
    rows.meta("file-history-snapshot", messageId="x", snapshot={"trackedFileBackups": {}})
    rows.meta("worktree-state", worktreeSession={"originalCwd": "/home/ada/shop"})
    rows.meta("made-up-type", anything=[1, 2.5, None])


def _asked(rows: Rows) -> None:
    questions = [{"question": "Which?", "options": [{"label": "A"}]}]
    answers = {
        "questions": questions,
        "answers": {"Which?": ["A", "B"]},
        "annotations": {"Which?": {"notes": "n"}},
    }
    rows.tool(
        "AskUserQuestion",
        {"questions": questions},
        'User has answered your questions: "Which?"="A"',
        answers,
    )
    refused = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell"
        " you how to proceed, the user said:\nno, ask me first"
    )
    rows.result(
        rows.call("Bash", {"command": "rm -rf x"}), refused, "Error: " + refused, is_error=True
    )
    rows.result(rows.call("Bash", {"command": "ls"}), "ok", {"stdout": "ok"}, said="and be quick")
    rows.tool(
        "TodoWrite", {"todos": [{"content": "c", "status": "pending"}]}, "ok", {"newTodos": []}
    )
    rows.tool(
        "TaskCreate", {"subject": "s"}, "Task #1 created successfully: s", {"task": {"id": "1"}}
    )
    rows.tool("TaskUpdate", {"taskId": "1", "status": "completed"}, "ok", {"success": True})
    rows.tool("WebFetch", {"url": "https://example.test", "prompt": "p"}, "text", {"code": 200})
    rows.assistant(
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "q"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s1",
            "content": [{"title": "t", "url": "u"}],
        },
    )


def _copied(rows: Rows) -> None:
    rows.meta("history-suppression", cause="fork_inherit")
    origin = {"sessionId": OTHER_SESSION, "messageUuid": "x"}
    rows.user("once", forkedFrom=origin)
    rows.user("instead", parentUuid="r1", uuid="r2")
    rows.user(
        "Implement the following plan:\n\n# Plan", planContent="# Plan", parentUuid="r1", uuid="r3"
    )
    again = rows.user("twice")
    rows.add(rows.rows[-1])
    rows.say(
        "answer",
        parentUuid=again,
        usage={"input_tokens": 1, "cache_creation": {"ephemeral_5m_input_tokens": 3}},
    )
    rows.user("moved", cwd="/home/ada/shop/.claude/worktrees/x", gitBranch="HEAD", version="1.0.98")


_MAKERS: dict[str, Callable[[Rows], None]] = {
    "talk": _talk,
    "files": _files,
    "commands": _commands,
    "background": _background,
    "agents": _agents,
    "queue": _queue,
    "program": _program,
    "asked": _asked,
    "copied": _copied,
}


def seeds() -> dict[str, Seed]:
    """Return the sessions by name; the same at every call."""
    return {name: _seed(make) for name, make in _MAKERS.items()}


def all_rows() -> tuple[dict[str, Any], ...]:
    """Return the rows of all sessions, to be mixed into one another."""
    found: list[dict[str, Any]] = []
    for make in _MAKERS.values():
        rows = Rows()
        make(rows)
        found.extend(row for row in rows.rows if isinstance(row, dict))
    return tuple(found)


def _seed(make: Callable[[Rows], None]) -> Seed:
    main = Rows()
    make(main)
    agent = Rows(isSidechain=True, agentId=AGENT, prefix="a9a9a9a9")
    agent.bash("ls", "a")
    agent.say("Found it.")
    meta = {
        "agentType": "Explore",
        "description": "look",
        "toolUseId": "toolu_0f0e0d0c1",
        "spawnDepth": 1,
    }
    return Seed(main=main.data(), agent=agent.data(), meta=encode(meta))
