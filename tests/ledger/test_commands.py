from datetime import UTC, timedelta
from typing import Any

import pytest

from journald.ledger.ledger import build_ledger
from tests.ledger.agents import notify, subagent
from tests.sessions import START, Script


def commands(script: Script) -> list[tuple[str, bool | None, int | None]]:
    ledger = build_ledger(script.session(), UTC)
    return [(one.command, one.ok, one.exit_status) for one in ledger.commands]


@pytest.mark.parametrize(
    ("text", "more", "ok", "status"),
    [
        ("fine", {}, True, 0),
        ("Exit code 2\nno such file", {"is_error": True}, False, 2),
        ("Exit code 124", {"is_error": True}, False, 124),
        ("Exit code 143\nCommand timed out after 2m 0.0s", {"is_error": True}, False, 143),
        ("Command timed out after 2m 0.0s", {"is_error": True}, False, None),
        (
            "Output too large (8KB). Saved to: /x\n\nPreview (first 2KB):\nExit code 3\nx",
            {"is_error": True},
            False,
            3,
        ),
        ("", {"details": {"returnCodeInterpretation": "No matches found"}}, True, 1),
        (
            "",
            {"details": {"returnCodeInterpretation": "Command failed with exit code 3"}},
            False,
            3,
        ),
        ("part", {"details": {"interrupted": True, "timedOutAfterMs": 120000}}, False, None),
        ("done", {"details": {"exitCode": 0}}, True, 0),
        ("done", {"details": {"exitCode": 5}}, False, 5),
        ("Exit code 1 is what the log says", {}, True, 0),
    ],
)
def test_the_end_of_a_command_is_read_however_it_is_told(
    text: str, more: dict[str, Any], ok: bool, status: int | None
) -> None:
    script = Script()
    script.tool("Bash", {"command": "work"}, text, **more)
    assert commands(script) == [("work", ok, status)]


def test_a_command_without_a_result_has_no_known_end() -> None:
    script = Script()
    script.call("Bash", {"command": "sleep 100"})
    assert commands(script) == [("sleep 100", None, None)]


@pytest.mark.parametrize(
    "more",
    [
        {"rejected": True, "is_error": True},
        {"cancelled": True, "is_error": True},
    ],
)
def test_a_command_that_never_ran_is_not_listed(more: dict[str, Any]) -> None:
    script = Script()
    script.tool("Bash", {"command": "rm -rf build"}, "no", **more)
    assert commands(script) == []


def test_a_call_that_its_tool_did_not_understand_is_no_command() -> None:
    script = Script()
    script.tool("Bash", {"command": "ls"}, "InputValidationError: timeout", is_error=True)
    ledger = build_ledger(script.session(), UTC)
    assert ledger.commands == ()
    assert ledger.errors == ()


def background(script: Script, task: str = "b12") -> str:
    return script.tool(
        "Bash",
        {"command": "npm run dev", "run_in_background": True},
        f"Command running in background with ID: {task}. Output is being written elsewhere",
        details={"backgroundTaskId": task},
    )


def test_a_background_command_is_open_until_something_is_heard() -> None:
    script = Script()
    background(script)
    assert commands(script) == [("npm run dev", None, None)]


def test_task_output_tells_how_a_background_command_ended() -> None:
    script = Script()
    background(script)
    task = {"task_id": "b12", "task_type": "local_bash", "status": "completed", "exitCode": 3}
    script.tool("TaskOutput", {"task_id": "b12"}, "log", details={"task": task})
    assert commands(script) == [("npm run dev", False, 3)]


def test_bash_output_tells_how_a_background_command_ended() -> None:
    script = Script()
    script.tool(
        "Bash", {"command": "make"}, "Command running in background with ID: bash_1", details={}
    )
    script.tool(
        "BashOutput",
        {"bash_id": "bash_1"},
        "...",
        details={"shellId": "bash_1", "status": "running", "exitCode": None},
    )
    script.tool(
        "BashOutput",
        {"bash_id": "bash_1"},
        "done",
        details={"shellId": "bash_1", "status": "completed", "exitCode": 0},
    )
    assert commands(script) == [("make", True, 0)]


@pytest.mark.parametrize(
    ("text", "status", "ok", "code"),
    [
        ('Background command "dev" completed (exit code 0)', "completed", True, 0),
        ('Background command "dev" failed with exit code 7', "failed", False, 7),
        ('Background command "echo exit code 9" completed (exit code 0)', "completed", True, 0),
        ('Background command "dev" completed', "completed", True, None),
        ('Background command "dev" failed', "failed", False, None),
    ],
)
def test_a_notice_tells_how_a_background_command_ended(
    text: str, status: str, ok: bool, code: int | None
) -> None:
    script = Script()
    background(script)
    notify(script, text, taskId="b12", status=status)
    assert commands(script) == [("npm run dev", ok, code)]


def test_a_notice_may_name_the_call_alone() -> None:
    script = Script()
    call = background(script)
    notify(script, "completed (exit code 0)", call, status="completed")
    assert commands(script) == [("npm run dev", True, 0)]


def test_what_the_human_ran_is_marked_and_its_end_is_not_known() -> None:
    script = Script()
    script.command("!git pull", "Already up to date.")
    script.command("/compact")
    ledger = build_ledger(script.session(), UTC)
    (command,) = ledger.commands
    assert (command.command, command.by_user, command.ok) == ("git pull", True, None)
    assert [command.text for command in ledger.slash_commands] == ["/compact"]


def test_the_tests_that_the_human_ran_are_read_from_what_was_printed() -> None:
    script = Script()
    script.command("!pytest -q", "3 passed in 0.02s")
    (run,) = build_ledger(script.session(), UTC).tests
    assert (run.passed, run.failed, run.ok) == (3, 0, True)


def test_commands_of_sub_agents_stand_in_order_of_time_with_the_parent_s() -> None:
    script = Script()
    script.bash("first")
    task = script.call("Task", {"description": "look", "subagent_type": "Explore"})
    helper = Script(prefix="a77.", start=script.events[-1].at or START)
    helper.bash("inside")
    script.wait(timedelta(minutes=10))
    script.result(task, "done")
    script.bash("last")
    ledger = build_ledger(script.session(subagent(helper, "a77", task)), UTC)
    told = [(one.id, one.command, one.agent_id) for one in ledger.commands]
    assert told == [
        ("e1", "first", None),
        ("a77.1", "inside", "a77"),
        ("e5", "last", None),
    ]


def test_a_command_is_kept_whole() -> None:
    text = "cat > a <<'EOF'\n" + "x" * 5000 + "\nEOF"
    script = Script()
    script.bash(text)
    assert commands(script)[0][0] == text
