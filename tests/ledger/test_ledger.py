from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from journald.ledger.facts import Ledger, Task
from journald.ledger.ledger import build_ledger
from journald.transcript.discovery import find_transcripts
from journald.transcript.reader import read_session
from journald.transcript.session import NoticeKind, Origin
from tests.ledger.agents import notify, subagent
from tests.sessions import START, Script


def ledger(script: Script, *agents: Any) -> Ledger:
    return build_ledger(script.session(*agents), UTC)


def test_requests_are_the_human_s_words_and_a_plan_is_not() -> None:
    script = Script()
    script.user("Fix the cart", images=1)
    script.user("Implement the following plan", Origin.PLAN)
    script.user("no, the other one", Origin.REJECTION)
    script.user("forget it", withdrawn=True)
    told = [(one.text, one.origin, one.withdrawn) for one in ledger(script).requests]
    assert told == [
        ("Fix the cart", Origin.PROMPT, False),
        ("no, the other one", Origin.REJECTION, False),
        ("forget it", Origin.PROMPT, True),
    ]


def test_a_failed_command_is_solved_by_its_later_success() -> None:
    script = Script()
    failed = script.bash("cd /home/ada/shop && npm run build", "error", 2)
    script.bash("npm run lint", "fine")
    solved = script.bash("npm run build 2>&1")
    script.bash("npm run build")
    (failure,) = ledger(script).errors
    assert (failure.id, failure.tool, failure.solved_by) == (failed, "Bash", solved)


def test_a_success_behind_a_pipe_solves_nothing_unless_its_tests_passed() -> None:
    script = Script()
    script.bash("pytest", "1 failed in 0.1s", 1)
    script.bash("npm run build", "error", 1)
    passed = script.bash("pytest | tail -3", "4 passed in 0.1s")
    script.bash("npm run build | tail -3", "error again")
    assert [failure.solved_by for failure in ledger(script).errors] == [passed, None]


def test_a_failed_edit_is_solved_by_a_later_change_of_the_same_file() -> None:
    script = Script()
    arguments = {"file_path": "/home/ada/shop/a.py", "old_string": "x", "new_string": "y"}
    script.tool("Edit", arguments, "String to replace not found in file.", is_error=True)
    solved = script.tool("Edit", arguments | {"file_path": "a.py"}, "ok")
    (failure,) = ledger(script).errors
    assert failure.solved_by == solved


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("no", {"rejected": True}),
        ("Sibling tool call errored", {"cancelled": True}),
        ("File has not been read yet. Read it first before writing to it.", {}),
        ("File content (30000 tokens) exceeds maximum allowed tokens (25000).", {}),
    ],
)
def test_refusals_cancelled_calls_and_wrong_use_of_a_tool_are_no_errors(
    text: str, more: dict[str, Any]
) -> None:
    script = Script()
    script.tool("Edit", {"file_path": "/a"}, text, is_error=True, **more)
    assert ledger(script).errors == ()


def test_pages_and_searches_are_told_with_their_outcome() -> None:
    script = Script()
    script.tool("WebFetch", {"url": "https://a.example"}, "text", details={"code": 200})
    script.tool("WebFetch", {"url": "https://b.example"}, "gone", details={"code": 404})
    script.tool("WebSearch", {"query": "how to"}, "results")
    script.tool("WebFetch", {"url": "https://c.example"}, "no", is_error=True, rejected=True)
    script.tool("mcp__web__fetch_page", {"url": "https://d.example"}, "text")
    script.tool("mcp__playwright__browser_navigate", {"url": "http://localhost:3000"}, "ok")
    script.tool("mcp__firecrawl__firecrawl_scrape", {"url": "https://e.example"}, "ok")
    script.tool("mcp__tavily__tavily-extract", {"urls": ["https://f.example", 7]}, "ok")
    script.tool("mcp__brave-search__brave_web_search", {"query": "what"}, "ok")
    script.tool("mcp__linear__search_issues", {"query": "cart"}, "ok")
    script.tool("mcp__linear__create_link", {"url": "https://g.example"}, "ok")
    told = [(one.url, one.query, one.ok) for one in ledger(script).fetched]
    assert told == [
        ("https://a.example", None, True),
        ("https://b.example", None, False),
        (None, "how to", True),
        ("https://d.example", None, True),
        ("http://localhost:3000", None, True),
        ("https://e.example", None, True),
        ("https://f.example", None, True),
        (None, "what", True),
    ]


def test_a_delegation_tells_what_the_agent_reported() -> None:
    script = Script()
    report = "All is well.\nagentId: a1 (for resuming)\n<usage>total_tokens: 5</usage>"
    task = script.tool("Task", {"description": "look", "subagent_type": "Explore"}, report)
    helper = Script(prefix="a1.")
    helper.assistant("All is well.")
    (told,) = ledger(script, subagent(helper, "a1", task)).subagents
    assert (told.id, told.kind, told.description) == (task, "Explore", "look")
    assert (told.events, told.outcome) == (1, "All is well.")


def test_a_background_agent_is_heard_through_its_notice() -> None:
    script = Script()
    task = script.tool(
        "Agent",
        {"description": "look", "subagent_type": "Explore"},
        "Async agent launched successfully.",
        details={"status": "async_launched", "agentId": "a9"},
    )
    assert ledger(script).subagents[0].outcome == ""
    notify(script, 'Agent "look" finished\n\nFound two bugs.', taskId="a9", status="completed")
    (told,) = ledger(script).subagents
    assert (told.id, told.outcome) == (task, "Found two bugs.")


@pytest.mark.parametrize("status", [["completed"], {}, 7, None])
def test_a_status_of_the_wrong_type_tells_nothing(status: object) -> None:
    script = Script()
    task = script.tool("Task", {"description": "look"}, "All is well.", details={"status": status})
    (told,) = ledger(script).subagents
    assert (told.id, told.outcome) == (task, "All is well.")


def test_a_sub_agent_without_a_call_is_told_under_its_own_id() -> None:
    helper = Script(prefix="a5.")
    helper.assistant("hm")
    (told,) = ledger(Script(), subagent(helper, "a5")).subagents
    assert (told.id, told.events, told.outcome) == ("a5", 1, "")


def test_a_sub_agent_of_which_only_steps_are_left_tells_how_many() -> None:
    script = Script()
    task = script.tool("Task", {"description": "look"}, "done")
    helper = replace(subagent(Script(prefix="a1."), "a1", task), steps=12)
    assert ledger(script, helper).subagents[0].events == 12


def test_a_refused_delegation_is_none() -> None:
    script = Script()
    script.tool("Task", {"description": "look"}, "no", is_error=True, rejected=True)
    assert ledger(script).subagents == ()


@pytest.mark.parametrize(
    ("text", "details", "expected"),
    [
        ("", {"answers": {"Which?": "Red"}}, [("Which?", "Red")]),
        ("", {"answers": {"Which?": ["Red", "Blue"]}}, [("Which?", "Red, Blue")]),
        ('User has answered your questions: "Which?"="Red".', {}, [("Which?", "Red")]),
        ("", {"answers": {}, "response": "neither"}, [("Which?", "neither")]),
        ("", {}, [("Which?", "")]),
        (
            "",
            {
                "answers": {"Which?": ["Red", "Blue"]},
                "annotations": {"Which?": {"notes": "dark ones"}},
            },
            [("Which?", "Red, Blue (dark ones)")],
        ),
        (
            'The user answered: "Which?"=(no option selected) user notes: none of\nthem. You can now',
            {},
            [("Which?", "none of\nthem")],
        ),
        ('Your questions have been answered: "Why?"="x", "Which?"="y".', {}, [("Which?", "y")]),
    ],
)
def test_questions_stand_with_their_answers(
    text: str, details: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    script = Script()
    asked = {"questions": [{"question": "Which?", "options": []}]}
    script.tool("AskUserQuestion", asked, text, details=details)
    assert [(one.question, one.answer) for one in ledger(script).questions] == expected


def test_the_task_list_is_told_in_its_last_state() -> None:
    script = Script()
    for status in ("pending", "completed"):
        script.tool("TodoWrite", {"todos": [{"content": "Fix", "status": status}]}, "ok")
    script.tool("TaskCreate", {"subject": "Test"}, "Task #1 created successfully: Test")
    script.tool(
        "TaskCreate", {"subject": "Ship"}, "ok", details={"task": {"id": "2", "subject": "Ship"}}
    )
    script.tool("TaskCreate", {"subject": "Drop"}, "Task #3 created successfully: Drop")
    script.tool("TaskUpdate", {"taskId": "1", "status": "in_progress"}, "ok")
    script.tool("TaskUpdate", {"taskId": "2", "status": "completed", "subject": "Ship it"}, "ok")
    script.tool("TaskUpdate", {"taskId": "3", "status": "deleted"}, "ok")
    assert ledger(script).tasks == (
        Task(subject="Fix", status="completed"),
        Task(subject="Test", status="in_progress"),
        Task(subject="Ship it", status="completed"),
    )


def test_refusals_interrupts_and_compactions_are_counted() -> None:
    script = Script()
    script.tool("Bash", {"command": "rm x"}, "no", is_error=True, rejected=True)
    script.notice("[Request interrupted by user]", NoticeKind.INTERRUPT)
    script.compaction("so far")
    told = ledger(script)
    assert (told.refusals, told.interrupts, told.compactions) == (1, 1, 1)


def test_pauses_are_left_out_of_active_time() -> None:
    script = Script()
    script.user("a")
    script.wait(timedelta(minutes=29))
    script.assistant("b")
    script.wait(timedelta(minutes=29, seconds=1))
    script.user("c")
    told = ledger(script)
    assert told.wall == timedelta(minutes=60, seconds=1)
    assert told.active == timedelta(minutes=30)


def test_the_work_of_sub_agents_is_active_time() -> None:
    script = Script()
    task = script.call("Task", {"description": "long"})
    helper = Script(prefix="a1.")
    for _ in range(6):
        helper.wait(timedelta(minutes=14))
        helper.assistant("working")
    script.wait(timedelta(minutes=95))
    script.result(task, "done")
    assert ledger(script, subagent(helper, "a1", task)).active == timedelta(minutes=96)


def test_days_are_those_of_the_local_clock() -> None:
    script = Script(start=datetime(2026, 3, 29, 21, 30, tzinfo=UTC))
    script.user("before midnight in Berlin, after the clocks went forward")
    script.wait(timedelta(hours=1))
    script.assistant("after midnight")
    days = build_ledger(script.session(), ZoneInfo("Europe/Berlin")).days
    assert [day.isoformat() for day in days] == ["2026-03-29", "2026-03-30"]
    assert len(build_ledger(script.session(), UTC).days) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(2099, 1, 1, tzinfo=UTC),
        START + timedelta(days=3),
        START - timedelta(days=3),
    ],
)
def test_a_time_that_cannot_be_is_ignored(wrong: datetime) -> None:
    script = Script()
    for text in "abcde":
        script.user(text)
    script.events[2] = replace(script.events[2], at=wrong)
    told = ledger(script)
    assert (told.started, told.ended) == (START, START + timedelta(minutes=4))
    assert [one.text for one in told.requests] == [*"abcde"]


def test_times_after_the_present_are_ignored_where_the_present_is_known() -> None:
    script = Script()
    script.user("a")
    script.wait(timedelta(days=5))
    script.assistant("b")
    told = build_ledger(script.session(), UTC, now=START + timedelta(days=1))
    assert told.ended == START


def test_a_session_resumed_after_weeks_keeps_both_ends() -> None:
    script = Script()
    script.user("a")
    script.wait(timedelta(days=60))
    script.assistant("b")
    assert ledger(script).wall == timedelta(days=60, minutes=1)


def test_a_session_without_any_time_has_no_duration() -> None:
    script = Script()
    script.user("a")
    script.events[0] = replace(script.events[0], at=None)
    told = ledger(script)
    assert (told.started, told.ended, told.wall, told.active) == (
        None,
        None,
        timedelta(),
        timedelta(),
    )
    assert told.days == ()


def test_an_empty_session_has_an_empty_ledger() -> None:
    told = ledger(Script())
    assert (told.requests, told.commands, told.files, told.errors) == ((), (), (), ())


@pytest.mark.corpus
def test_every_fact_of_a_real_transcript_names_an_event(corpus: Path) -> None:
    for path in find_transcripts(corpus):
        session = read_session(path)
        told = build_ledger(session, UTC)
        known = {event.id for event in session.events}
        for helper in session.subagents:
            known |= {event.id for event in helper.events} | {helper.agent_id}
        parts = (
            *(told.commands, told.tests, told.commits, told.errors, told.subagents),
            *(told.shell_changes, told.git_acts, told.refused, told.model_refusals),
        )
        assert {one.id for part in parts for one in part} <= known
        assert {event for file in told.files for event in file.ids} <= known


@pytest.mark.corpus
def test_what_solved_an_error_of_a_real_transcript_came_later_and_went_well(corpus: Path) -> None:
    for path in find_transcripts(corpus):
        session = read_session(path)
        told = build_ledger(session, UTC)
        events = [*session.events, *(event for one in session.subagents for event in one.events)]
        times = {event.id: event.at or START for event in events}
        failed = {error.id for error in told.errors}
        for error in told.errors:
            if error.solved_by is not None:
                assert error.solved_by not in failed
                assert times[error.solved_by] >= times[error.id]
