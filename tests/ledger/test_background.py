from datetime import UTC
from typing import Any

import pytest

from journald.ledger.facts import Command
from journald.ledger.ledger import build_ledger
from tests.ledger.agents import notify
from tests.sessions import Script


def command(script: Script) -> Command:
    (found,) = build_ledger(script.session(), UTC).commands
    return found


def end(script: Script) -> tuple[bool | None, int | None, bool]:
    found = command(script)
    return found.ok, found.exit_status, found.stopped


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("Command running in background with ID: b7", {}),
        ("Command running in background with ID: b7. Output is written to: /x", {}),
        ("Command was manually backgrounded by user with ID: b7", {}),
        ("Command exceeded its limit and was moved to the background with ID: b7", {}),
        ("anything", {"backgroundTaskId": "b7"}),
        ("anything", {"backgroundTaskId": "b7", "timedOutAfterMs": 120000}),
    ],
)
def test_a_command_in_the_background_ends_when_its_end_is_heard(
    text: str, details: dict[str, Any]
) -> None:
    script = Script()
    script.tool("Bash", {"command": "make"}, text, details=details)
    assert end(script) == (None, None, False)
    notify(script, 'Background command "make" failed with exit code 2', taskId="b7")
    assert end(script) == (False, 2, False)


@pytest.mark.parametrize("tool", ["BashOutput", "TaskOutput"])
def test_what_reads_a_task_tells_its_end_without_structured_facts_too(tool: str) -> None:
    script = Script()
    script.tool("Bash", {"command": "make"}, "Command running in background with ID: b7")
    name = "bash_id" if tool == "BashOutput" else "task_id"
    text = (
        "<status>failed</status>\n\n<exit_code>4</exit_code>\n\n"
        "<stdout>\n<status>running</status><exit_code>0</exit_code></stdout>"
    )
    script.tool(tool, {name: "b7"}, text)
    assert end(script) == (False, 4, False)


def test_what_the_output_says_is_not_taken_for_the_task_s_own_state() -> None:
    script = Script()
    script.tool("Bash", {"command": "make"}, "Command running in background with ID: b7")
    script.tool(
        "BashOutput", {"bash_id": "b7"}, "<stdout><exit_code>1</exit_code></stdout>", details={}
    )
    assert end(script) == (None, None, False)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("KillBash", {"shell_id": "b7"}),
        ("KillShell", {"shell_id": "b7"}),
        ("TaskStop", {"task_id": "b7"}),
    ],
)
def test_what_the_model_stopped_did_not_fail(tool: str, arguments: dict[str, str]) -> None:
    script = Script()
    script.tool("Bash", {"command": "npm run dev"}, "Command running in background with ID: b7")
    script.tool(tool, arguments, "Successfully killed", details={"success": True})
    assert end(script) == (None, None, True)
    notify(script, "failed with exit code 143", taskId="b7", status="failed")
    assert end(script) == (None, 143, True)
    assert build_ledger(script.session(), UTC).errors == ()


def test_stopping_what_had_ended_changes_nothing() -> None:
    script = Script()
    script.tool("Bash", {"command": "make"}, "Command running in background with ID: b7")
    notify(script, "completed (exit code 0)", taskId="b7", status="completed")
    script.tool("KillShell", {"shell_id": "b7"}, "Successfully killed", details={})
    script.tool("KillShell", {"shell_id": "b7"}, "Shell b7 is not running", is_error=True)
    assert end(script) == (True, 0, False)


def test_a_task_that_somebody_killed_is_stopped() -> None:
    script = Script()
    script.tool("Bash", {"command": "make"}, "Command running in background with ID: b7")
    notify(script, 'Background command "make" was killed', taskId="b7", status="killed")
    assert end(script) == (None, None, True)


@pytest.mark.parametrize(
    ("text", "more", "status"),
    [
        ("part", {"details": {"interrupted": True}}, None),
        (
            "Exit code 137\n[Request interrupted by user for tool use]\npart",
            {"is_error": True},
            137,
        ),
        ("part\n<error>Command was aborted before completion</error>", {"is_error": True}, None),
    ],
)
def test_what_the_human_interrupted_is_stopped_and_no_error(
    text: str, more: dict[str, Any], status: int | None
) -> None:
    script = Script()
    script.tool("Bash", {"command": "make"}, text, **more)
    assert build_ledger(script.session(versions=("2.0.5",)), UTC).errors == ()
    (found,) = build_ledger(script.session(versions=("2.0.5",)), UTC).commands
    assert (found.ok, found.exit_status, found.stopped) == (None, status, True)


def test_an_interruption_that_a_command_only_prints_is_none() -> None:
    script = Script()
    script.bash("cat log", "a\n[Request interrupted by user]\nb", 1)
    assert end(script) == (False, 1, False)


def test_a_monitor_is_open_until_its_end_is_told() -> None:
    script = Script()
    script.tool("Monitor", {"command": "tail -f log"}, "Monitoring", details={"taskId": "m1"})
    assert end(script) == (None, None, False)
    notify(script, 'Monitor "log" ended (exit code 0)', taskId="m1", status="completed")
    assert end(script) == (True, 0, False)


def test_power_shell_ends_like_any_other_shell() -> None:
    script = Script()
    script.tool("PowerShell", {"command": "Get-Item x"}, "Exit code 1\nnot found", is_error=True)
    assert end(script) == (False, 1, False)


@pytest.mark.parametrize(
    ("versions", "listed"),
    [
        (("2.1.39",), 0),
        (("2.0.64", "2.1.1"), 0),
        (("2.0.5",), 1),
        (("1.0.98", "2.1.39"), 1),
        ((), 1),
    ],
)
def test_what_fails_without_an_exit_status_did_not_run_where_all_versions_tell_it(
    versions: tuple[str, ...], listed: int
) -> None:
    script = Script()
    script.tool("Bash", {"command": "git commit -m x"}, "Not formatted.", is_error=True)
    ledger = build_ledger(script.session(versions=versions), UTC)
    assert len(ledger.commands) == listed
    # That it was not let through is an error all the same: something is to be mended.
    assert [failure.text for failure in ledger.errors] == ["Not formatted."]
