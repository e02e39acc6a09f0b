from pathlib import Path

import pytest

from tests.rows import Rows, text_block
from tests.transcript.reading import read


def launched(rows: Rows, task: str = "b1") -> str:
    call = rows.call("Bash", {"command": "make", "run_in_background": True})
    rows.result(call, "Running in background", {"backgroundTaskId": task})
    return call


def notice(task: str) -> str:
    return f"<task-notification><task-id>{task}</task-id><status>completed</status></task-notification>"


def test_calls_without_a_result_are_pending_in_order(tmp_path: Path) -> None:
    rows = Rows()
    rows.bash("ls", "a")
    first, second = rows.call("Bash", {}), rows.call("Read", {})
    assert read(rows, tmp_path).pending_calls == (first, second)
    rows.result(first, "ok")
    assert read(rows, tmp_path).pending_calls == (second,)


def test_calls_that_a_crash_left_open_end_with_the_next_prompt(tmp_path: Path) -> None:
    rows = Rows()
    rows.call("Bash", {})
    rows.user("are you there?")
    assert read(rows, tmp_path).pending_calls == ()


def test_an_interrupt_ends_open_calls(tmp_path: Path) -> None:
    rows = Rows()
    rows.call("Bash", {})
    rows.user([text_block("[Request interrupted by user for tool use]")])
    assert read(rows, tmp_path).pending_calls == ()


def test_a_prompt_queued_meanwhile_ends_nothing(tmp_path: Path) -> None:
    rows = Rows()
    call = rows.call("Bash", {})
    rows.queue("enqueue", "and then the docs")
    rows.queue("remove")
    assert read(rows, tmp_path).pending_calls == (call,)


def test_background_work_is_pending_beyond_prompts_until_it_is_heard_of(tmp_path: Path) -> None:
    rows = Rows()
    shell = launched(rows)
    agent = rows.call("Agent", {"prompt": "look"})
    rows.result(agent, "launched", {"status": "async_launched", "agentId": "a1"})
    rows.user("meanwhile")
    assert read(rows, tmp_path).pending_calls == (shell, agent)
    rows.user(notice("a1"))
    assert read(rows, tmp_path).pending_calls == (shell,)
    rows.queue("enqueue", notice("b1"))
    assert read(rows, tmp_path).pending_calls == ()


def test_a_notice_may_name_the_call_alone(tmp_path: Path) -> None:
    rows = Rows()
    call = launched(rows)
    rows.user(notice("other").replace("<status>", f"<tool-use-id>{call}</tool-use-id><status>"))
    assert read(rows, tmp_path).pending_calls == ()


@pytest.mark.parametrize(
    ("tool", "arguments", "details", "open_calls"),
    [
        ("TaskOutput", {}, {"task": {"task_id": "b1", "status": "completed"}}, 0),
        ("TaskOutput", {}, {"task": {"task_id": "b1", "status": "running"}}, 1),
        ("TaskStop", {"task_id": "b1"}, None, 0),
        ("KillShell", {"shell_id": "b1"}, None, 0),
        ("BashOutput", {}, {"shellId": "b1", "status": "completed"}, 0),
        ("BashOutput", {}, {"shellId": "b1", "status": "running"}, 1),
    ],
)
def test_tools_that_ask_for_or_stop_background_work(
    tmp_path: Path,
    tool: str,
    arguments: dict[str, str],
    details: dict[str, object] | None,
    open_calls: int,
) -> None:
    rows = Rows()
    launched(rows)
    rows.tool(tool, arguments, "ok", details)
    assert len(read(rows, tmp_path).pending_calls) == open_calls
