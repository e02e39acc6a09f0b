from typing import Any

import pytest

from journald.journal.markdown import render
from journald.ledger.facts import (
    Act,
    Change,
    Command,
    Commit,
    Failure,
    FileChange,
    GitAct,
    ModelRefusal,
    PullRequest,
    Refusal,
    Refuser,
    ShellChange,
    TestRun,
)
from tests.journal.entries import entry
from tests.sessions import START


def text(**facts: Any) -> str:
    return render(entry(facts=facts), lambda words: words)


def section(written: str, heading: str) -> list[str]:
    """Return the lines of one part of the facts, empty ones left out."""
    _, _, rest = written.partition(f"### {heading}\n")
    part = rest.partition("\n### ")[0].partition("\n<!-- journald:end")[0]
    return [line for line in part.split("\n") if line.strip()]


def shell_change(number: int, command: str, *signs: str) -> ShellChange:
    return ShellChange(id=f"e{number}", at=START, command=command, signs=signs or ("rm",))


def command(number: int, **more: Any) -> Command:
    given: dict[str, Any] = {"command": "npm test", "ok": True, "exit_status": 0}
    return Command(id=f"e{number}", at=START, **(given | more))


def test_commands_that_may_have_changed_files_stand_below_the_files() -> None:
    file = FileChange(
        path="/home/ada/shop/a.py", change=Change.EDITED, added=1, removed=0, ids=("e1",)
    )
    written = text(files=(file,), shell_changes=(shell_change(2, "sed -i s/a/b/ b.py"),))
    assert section(written, "Files") == [
        "- `a.py` edited +1",
        "Also changed by commands, which may have changed further files:",
        "- `sed -i s/a/b/ b.py` <sub>[e2]</sub>",
    ]


def test_a_session_whose_commands_alone_changed_files_says_so() -> None:
    assert section(text(shell_changes=(shell_change(2, "rm a"),)), "Files")[-1] == (
        "- `rm a` <sub>[e2]</sub>"
    )


def test_of_many_such_commands_the_rest_is_counted_and_the_same_one_stands_once() -> None:
    changes = [shell_change(number, f"rm file{number}") for number in range(1, 30)]
    changes += [shell_change(40, "rm file1"), shell_change(41, "rm  file1")]
    lines = section(text(shell_changes=tuple(changes)), "Files")
    assert lines[1] == "- `rm file1` (3 times) <sub>[e1 e40 e41]</sub>"
    assert lines[-1] == "- and 19 more commands"


def test_of_a_long_command_what_changes_files_is_named() -> None:
    change = shell_change(2, "cd web\nrm a.txt && mv b c", "rm", "mv")
    assert section(text(shell_changes=(change,)), "Files")[-1] == (
        "- `cd web …`: `rm`, `mv` <sub>[e2]</sub>"
    )


def test_a_file_tells_where_it_was_moved_and_that_its_lines_are_not_all_known() -> None:
    file = FileChange(
        path="/home/ada/shop/a.py",
        change=Change.CREATED,
        added=3,
        removed=0,
        ids=("e1",),
        exact=False,
        moved_to="/home/ada/shop/src/a.py",
        by_user=True,
    )
    assert section(text(files=(file,)), "Files") == [
        "- `a.py` created +3 (about), moved to `src/a.py`, edited by the user before it was written"
    ]


def test_a_failed_command_tells_what_made_up_for_it() -> None:
    failed = command(1, ok=False, exit_status=2)
    failure = Failure(id="e1", at=START, tool="Bash", text="x", solved_by="e9")
    written = text(commands=(failed,), errors=(failure,))
    assert section(written, "Commands")[-1].endswith(
        "`npm test` exit 2 <sub>[e1]</sub>, solved <sub>[e9]</sub>"
    )
    assert section(written, "Errors") == []


def test_stopped_commands_are_counted_and_no_failures() -> None:
    commands = (command(1), command(2, ok=None, exit_status=None, stopped=True))
    assert section(text(commands=commands), "Commands") == ["2 commands ran, 1 stopped."]


def test_failed_tests_are_told_as_tests_and_not_as_errors_again() -> None:
    run = TestRun(
        id="e1", at=START, command="pytest | tail", runner="pytest", passed=1, failed=2, ok=False
    )
    failure = Failure(id="e1", at=START, tool="Bash", text="2 failed")
    written = text(commands=(command(1),), tests=(run,), errors=(failure,))
    assert section(written, "Errors") == []


def test_commits_branches_and_pull_requests_stand_together() -> None:
    commit = Commit(id="e1", at=START, hash="1a2b3c4", message="Fix", kind="amended")
    acts = [
        GitAct(id=f"e{number}", at=START, act=Act.PUSHED, name="main") for number in range(2, 5)
    ]
    acts.append(GitAct(id="e6", at=None, act=Act.COMMITTED, name=""))
    pull = PullRequest(
        id="e7", at=START, number=3, url="https://a.example/pull/3", action="created"
    )
    written = text(commits=(commit,), git_acts=tuple(acts), pull_requests=(pull,))
    assert [
        line.removeprefix("- 10:00 ").removeprefix("- ")
        for line in section(written, "Commits, branches and pull requests")
    ] == [
        "`1a2b3c4` Fix (amended) <sub>[e1]</sub>",
        "pushed `main` (3 times) <sub>[e2 e3 e4]</sub>",
        "committed <sub>[e6]</sub>",
        "pull request #3 created <https://a.example/pull/3> <sub>[e7]</sub>",
    ]


def test_the_model_s_refusal_is_told_among_the_errors() -> None:
    refusal = ModelRefusal(id="e5", at=START, text="Flagged.\nSwitched to another model.")
    (line,) = section(text(model_refusals=(refusal,)), "Errors")
    assert "the model refused, or another one took over: Flagged. Switched" in line


@pytest.mark.parametrize(
    ("refusers", "told"),
    [
        ([Refuser.HUMAN], "1 refused tool call"),
        ([Refuser.HUMAN] * 2, "2 refused tool calls"),
        ([Refuser.HOOK], "1 refused tool call (1 by a hook)"),
        (
            [Refuser.HUMAN, Refuser.RULE, Refuser.HUMAN, Refuser.AUTO_MODE],
            "4 refused tool calls (2 by the user, 1 by a rule, 1 by the auto mode)",
        ),
    ],
)
def test_refusals_tell_who_refused(refusers: list[Refuser], told: str) -> None:
    refused = tuple(Refusal(id="e1", at=START, tool="Bash", by=by) for by in refusers)
    lines = section(text(refused=refused, refusals=len(refused)), "Times and tokens")
    assert f"- {told}" in lines


def test_errors_of_the_api_are_counted() -> None:
    lines = section(text(api_retries=9, api_errors=1), "Times and tokens")
    assert "- 9 errors of the API, tried again, 1 error of the API" in lines


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"passed": 2, "failed": 0, "skipped": 3, "ok": True}, "2 passed, 0 failed, 3 skipped"),
        ({"passed": 2, "failed": 0, "ok": False}, "2 passed, 0 failed, but the run failed"),
        ({"passed": 2, "failed": 1, "ok": False}, "2 passed, 1 failed"),
    ],
)
def test_a_run_of_tests_tells_what_was_skipped_and_a_failure_that_no_count_shows(
    more: dict[str, Any], told: str
) -> None:
    run = TestRun(id="e1", at=START, command="pytest", runner="pytest", **more)
    (line,) = section(text(tests=(run,)), "Tests")
    assert f"`pytest`: {told} <sub>" in line
