from datetime import UTC
from typing import Any

import pytest

from journald.ledger.facts import Refuser
from journald.ledger.ledger import build_ledger
from journald.transcript.session import NoticeKind
from tests.ledger.agents import subagent
from tests.sessions import Script


@pytest.mark.parametrize(
    ("text", "more", "by"),
    [
        ("The user doesn't want to proceed with this tool use.", {"rejected": True}, "human"),
        ("no", {"rejected": True}, "human"),
        ("Permission to use Bash has been denied.", {"rejected": True}, "rule"),
        ("Permission to use Bash with command x has been auto-denied", {}, "rule"),
        ("Claude requested permissions to use Bash, but you haven't granted it yet.", {}, "rule"),
        ("This command requires approval", {}, "rule"),
        (
            "Permission for this action was denied by the Claude Code auto mode classifier.",
            {},
            "auto mode",
        ),
        (
            "claude-x[1m] is temporarily unavailable, so auto mode cannot determine the safety of",
            {"rejected": True},
            "auto mode",
        ),
        ("PreToolUse:Bash hook error: not on main", {}, "hook"),
    ],
)
def test_a_refusal_is_told_with_who_refused_and_nothing_ran(
    text: str, more: dict[str, Any], by: str
) -> None:
    script = Script()
    call = script.tool("Bash", {"command": "ls"}, text, is_error=True, **more)
    ledger = build_ledger(script.session(), UTC)
    assert [(one.id, one.tool, one.by) for one in ledger.refused] == [(call, "Bash", Refuser(by))]
    assert ledger.refusals == 1
    assert (ledger.commands, ledger.errors) == ((), ())


def test_a_result_that_only_speaks_of_a_refusal_is_none() -> None:
    script = Script()
    script.tool("Read", {"file_path": "/a"}, "Permission to use Bash has been denied.")
    script.bash("cat log", "This command requires approval", 1)
    assert build_ledger(script.session(), UTC).refused == ()


def test_a_file_that_was_not_let_be_written_is_not_changed() -> None:
    script = Script()
    script.tool(
        "Write",
        {"file_path": "/a", "content": "x"},
        "Claude requested permissions to write to /a, but you haven't granted it yet.",
        is_error=True,
    )
    assert build_ledger(script.session(), UTC).files == ()


def test_an_interruption_counts_once_however_many_sub_agents_note_it() -> None:
    script = Script()
    task = script.tool("Task", {"description": "x"}, "done")
    script.notice("[Request interrupted by user]", NoticeKind.INTERRUPT)
    helper = Script(prefix="a1.")
    helper.notice("[Request interrupted by user]", NoticeKind.INTERRUPT)
    assert build_ledger(script.session(subagent(helper, "a1", task)), UTC).interrupts == 1


def test_errors_of_the_api_that_were_tried_again_are_told_from_those_that_were_not() -> None:
    script = Script()
    for text in ("API error: Overloaded (retry 1 of 10)", "API error: Overloaded (retry 2)"):
        script.notice(text, NoticeKind.API_ERROR)
    script.notice("You've hit your session limit", NoticeKind.API_ERROR)
    ledger = build_ledger(script.session(), UTC)
    assert (ledger.api_retries, ledger.api_errors) == (2, 1)


def test_the_model_s_own_refusal_is_told() -> None:
    script = Script()
    told = script.notice("Flagged. Switched to another model.", NoticeKind.REFUSAL)
    (refusal,) = build_ledger(script.session(), UTC).model_refusals
    assert (refusal.id, refusal.text) == (told, "Flagged. Switched to another model.")
