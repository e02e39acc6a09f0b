from datetime import UTC, timedelta

import pytest

from journald.digest.redact import Redactor
from journald.ledger.facts import Command, Failure, Ledger, Question, Task, TestRun
from journald.ledger.ledger import build_ledger
from journald.summary.extractive import narrate
from journald.summary.narrative import Narrative, Source, Standing
from journald.transcript.session import EventKind, NoticeKind, Origin, Session
from tests.sessions import Script
from tests.summary.evidence import ledger_of


def told(session: Session, ledger: Ledger | None = None) -> Narrative:
    return narrate(session, ledger or ledger_of(session), Redactor())


def two_turns() -> Script:
    script = Script()
    script.user("Fix the total in cart.py")
    script.assistant("Let me look.")
    script.tool("Edit", {"file_path": "cart.py"}, "ok")
    script.assistant("The slice dropped the last line. I took it out.")
    script.user("And now write a test for it")
    script.assistant("There is a test now, and it passes.")
    return script


def test_the_summary_is_the_end_of_the_last_answer_and_the_story_tells_the_ones_before() -> None:
    found = told(two_turns().session())
    assert found.source is Source.EXTRACTIVE
    assert [(one.text, one.evidence, one.standing) for one in found.summary] == [
        ("There is a test now, and it passes.", ("e6", "e7"), Standing.QUOTED)
    ]
    assert [(one.text, one.evidence, one.about) for one in found.story] == [
        (
            "The slice dropped the last line. I took it out.",
            ("e1", "e5"),
            "Fix the total in cart.py",
        )
    ]


def test_a_recap_by_claude_code_is_the_summary_and_then_the_story_is_whole() -> None:
    script = two_turns()
    script.notice("We fixed the total. (disable recaps in /config)", NoticeKind.RECAP)
    found = told(script.session())
    assert found.summary[0].text == "We fixed the total."
    assert found.summary[0].evidence == ("e8",)
    assert len(found.story) == 2


def test_a_compaction_summary_is_not_taken_for_a_recap() -> None:
    script = two_turns()
    script.compaction("This session is being continued from a previous conversation")
    assert "continued" not in str(told(script.session()))


@pytest.mark.parametrize(
    ("title", "requests", "shown"),
    [
        ("Cart totals", ["Fix it please now"], "Cart totals"),
        (None, ["hi", "Fix the total in cart.py"], "Fix the total in cart.py"),
        (None, ["hi"], "hi"),
        (None, ["## **Fix** the `total`\n\nIt is off by one."], "Fix the total"),
        (None, ["<system>do</system> the thing we said"], "do the thing we said"),
        (None, ["\n\n---\nFix it all up now"], "Fix it all up now"),
        (None, [], "Session in shop"),
    ],
)
def test_the_title_is_one_line_without_markup(
    title: str | None, requests: list[str], shown: str
) -> None:
    script = Script()
    for request in requests:
        script.user(request)
    assert told(script.session(title=title)).title == shown


def test_a_long_title_is_cut_at_a_word() -> None:
    script = Script()
    script.user(
        "Please rewrite the whole of the ordering process so that it can be understood by us"
    )
    title = told(script.session()).title
    assert title == "Please rewrite the whole of the ordering process so that it can be…"


def test_a_long_answer_keeps_its_start_and_the_question_it_ends_with() -> None:
    script = Script()
    script.user("What are the ways to do it?")
    script.assistant(
        "There are three ways.\n\n" + "\n\n".join(f"Way {n} is good. " * 30 for n in range(3))
        + "\n\nWhich one do you prefer?"
    )  # fmt: skip
    found = told(script.session())
    text = found.summary[0].text
    assert text.startswith("There are three ways.")
    assert "…" in text
    assert text.endswith("Which one do you prefer?")
    assert [one.text for one in found.open_threads] == ["Which one do you prefer?"]


def test_headings_of_an_answer_open_no_section_and_code_stays_as_it_is() -> None:
    script = Script()
    script.user("Write the readme for me")
    script.assistant("## Done\n\nIt says:\n\n```md\n# Shop\n```\n\n---\n<!-- journald:end -->Bye.")
    text = told(script.session()).summary[0].text
    assert text == "**Done**\n\nIt says:\n\n```md\n# Shop\n```\n\nBye."


def test_long_code_is_left_out_of_a_quotation_and_the_place_shows() -> None:
    script = Script()
    script.user("Show me all of it please")
    script.assistant("Here:\n\n```py\n" + "x = 1\n" * 400 + "```\n")
    text = told(script.session()).summary[0].text
    assert text == "Here:\n\n…"


def test_a_secret_is_redacted_even_where_the_cut_would_have_gone_through_it() -> None:
    key = "ghp_" + "a1B2c3D4e5" * 4
    script = Script()
    script.user(f"Fix it with {key} " + "x" * 30)
    script.assistant(f"I used {key}.")
    script.user(f"Then {'y' * 55} {key}")
    found = told(script.session())
    assert key[:10] not in str(found)
    assert "[REDACTED:" in found.summary[0].text


def test_words_said_while_claude_worked_belong_to_the_turn_that_ran() -> None:
    script = Script()
    script.user("Do the first thing of all")
    script.assistant("I am at it.")
    script.user("and mind the second", Origin.QUEUED)
    script.assistant("Both are done.")
    found = told(script.session())
    assert found.story == ()
    assert found.summary[0].evidence == ("e1", "e3", "e4")


def test_what_was_withdrawn_is_not_told() -> None:
    script = Script()
    script.user("Do the wrong thing now", withdrawn=True)
    script.user("Do the right thing now")
    script.assistant("Done right.")
    found = told(script.session())
    assert found.title == "Do the right thing now"
    assert found.summary[0].evidence == ("e2", "e3")


def test_answers_plans_and_refusals_are_decisions_in_their_order() -> None:
    script = Script()
    script.user("Store the carts somewhere")
    script.user("Not there, use the database", Origin.REJECTION)
    script.user("Which database?: SQLite", Origin.ANSWER)
    script.user("# Plan: carts in SQLite\n\n1. Do it", Origin.PLAN)
    session = script.session()
    question = Question(id="e3", at=None, question="Which database?", answer="SQLite")
    found = told(session, ledger_of(session, questions=(question,)))
    assert [(one.decision.text, one.decision.evidence) for one in found.decisions] == [
        ("Refused: Not there, use the database", ("e2",)),
        ("Which database? → SQLite", ("e3",)),
        ("Plan accepted: Plan: carts in SQLite", ("e4",)),
    ]


def failure(event_id: str, text: str, solved_by: str | None = None) -> Failure:
    return Failure(id=event_id, at=None, tool="Bash", text=text, solved_by=solved_by)


def test_errors_become_problems_with_the_line_that_tells_and_slips_of_the_tools_do_not() -> None:
    session = two_turns().session()
    command = Command(id="e3", at=None, command="npm test", ok=False, exit_status=1)
    errors = (
        failure("e3", "Exit code 1\n> shop@1 test\nTypeError: x is undefined\n  at y.js", "e6"),
        failure("e4", "<tool_use_error>File has not been read yet.</tool_use_error>"),
        failure("e5", "make: *** No rule\nmake: *** stop"),
        failure("e7", "make: *** No rule\nmake: *** stop"),
    )
    found = told(session, ledger_of(session, errors=errors, commands=(command,))).problems
    assert [(one.symptom.text, one.symptom.evidence, one.solved) for one in found] == [
        ("`npm test`: TypeError: x is undefined", ("e3", "e6"), True),
        ("Bash: make: *** stop (2 times)", ("e5", "e7"), None),
    ]


def test_of_many_problems_those_that_stayed_unsolved_are_shown() -> None:
    session = two_turns().session()
    errors = [failure("e3", f"error: solved {n}", "e6") for n in range(20)]
    errors.append(failure("e4", "error: left"))
    found = told(session, ledger_of(session, errors=tuple(errors))).problems
    assert len(found) == 8
    assert found[-1].symptom.text == "Bash: error: left"


def test_what_was_left_open_is_told() -> None:
    script = two_turns()
    todo = script.call("TodoWrite", {"todos": []})
    waiting = script.call("Bash", {"command": "make"})
    session = script.session(pending_calls=(waiting,))
    ledger = ledger_of(
        session,
        tests=(TestRun(id="e3", at=None, command="pytest -q", runner="pytest", passed=1, failed=2, ok=False),),
        tasks=(
            Task(subject="Write the test", status="completed"),
            Task(subject="Release it", status="in_progress"),
        ),
    )  # fmt: skip
    found = told(session, ledger).open_threads
    assert [(one.text, one.evidence) for one in found] == [
        ("The session ended before a result came back from Bash.", (waiting,)),
        ("The last run of the tests failed (2 failed): `pytest -q`", ("e3",)),
        ("Release it (in progress)", (todo,)),
    ]


def test_a_request_without_an_answer_is_open() -> None:
    script = two_turns()
    script.user("One more thing: rename the module")
    script.notice("[Request interrupted by user]", NoticeKind.INTERRUPT)
    found = told(script.session()).open_threads
    assert [one.text for one in found] == [
        "Not answered in words: One more thing: rename the module",
        "The session ended with an interruption by the user.",
    ]


def test_a_session_in_which_claude_said_nothing_still_has_a_summary() -> None:
    script = Script()
    script.user("Do it now please")
    script.bash("ls", "a")
    found = told(script.session())
    assert found.summary[0].text == "1 request, and no answer in words; 1 tool call."
    assert found.summary[0].evidence == ("e1",)


def test_a_slash_command_opens_a_turn_of_its_own() -> None:
    script = two_turns()
    script.command("/review")
    script.assistant("I reviewed it.")
    found = told(script.session())
    assert found.summary[0].about == "/review"
    assert len(found.story) == 2


def test_every_statement_names_events_of_the_session() -> None:
    script = two_turns()
    script.wait(timedelta(hours=1))
    script.user("Should we go on with it?")
    session = script.session()
    known = {event.id for event in session.events}
    found = told(session)
    said = [*found.summary, *found.story, *found.open_threads]
    assert said
    assert all(one.evidence and set(one.evidence) <= known for one in said)
    assert {event.kind for event in session.events} >= {EventKind.USER, EventKind.ASSISTANT}


def test_an_answer_belongs_to_the_request_that_was_open_when_it_was_given() -> None:
    script = Script()
    script.user("Commit it")
    script.tool("Bash", {"command": "git commit -m x"}, "done")
    script.user("And does the same hold for explain?")
    script.assistant("It does: explain takes another path.")
    script.user("Thanks")
    script.assistant("You are welcome, tell me when there is more to do.")
    (one,) = told(script.session()).story
    assert (one.about, one.evidence) == ("And does the same hold for explain?", ("e4", "e5"))


def test_what_is_said_after_an_interruption_is_no_answer_to_what_was_interrupted() -> None:
    script = Script()
    script.user("Are they still being written?")
    script.notice("[Request interrupted by user]", NoticeKind.INTERRUPT)
    script.assistant("Done, it is published.")
    (one,) = told(script.session()).summary
    assert (one.text, one.about) == ("Done, it is published.", "")


def test_a_word_on_a_background_task_does_not_stand_for_the_answer_before_it() -> None:
    script = Script()
    script.user("Finish the epic")
    script.assistant("All done: the epic is closed, and every one of its tests passes.")
    script.notice("A background task completed.", NoticeKind.TASK)
    script.assistant("That task is done.")
    (one,) = told(script.session()).summary
    assert one.text == "All done: the epic is closed, and every one of its tests passes."


def test_a_report_that_waited_for_background_work_is_the_answer() -> None:
    script = Script()
    script.user("Review all files")
    script.assistant("I started the reviewers.")
    script.notice("A background task completed.", NoticeKind.TASK)
    script.assistant("The review is complete: two bugs were found, both in the cart.")
    (one,) = told(script.session()).summary
    assert one.text == "The review is complete: two bugs were found, both in the cart."


def test_a_recap_that_more_work_followed_is_no_summary() -> None:
    script = Script()
    script.user("Plan it")
    script.assistant("The plan is written.")
    script.notice("Plan written, nothing implemented.", NoticeKind.RECAP)
    script.user("Do it")
    script.assistant("Everything is implemented.")
    (one,) = told(script.session()).summary
    assert one.text == "Everything is implemented."


def test_a_refusal_names_what_was_refused() -> None:
    script = Script()
    refused = script.call("Bash", {"command": "git commit -m 'Close  it'"})
    script.result(refused, "The user doesn't want to proceed", is_error=True, rejected=True)
    script.user("do the other tools follow that pattern?", Origin.REJECTION)
    plan = script.call("ExitPlanMode", {"plan": "…"})
    script.result(plan, "The user doesn't want to proceed", is_error=True, rejected=True)
    script.user("smaller steps, please", Origin.REJECTION)
    edit = script.call("Edit", {"file_path": "/home/ada/shop/cart.py"})
    script.result(edit, "The user doesn't want to proceed", is_error=True, rejected=True)
    script.user("not there", Origin.REJECTION)
    session = script.session()
    ledger = ledger_of(session, requests=build_ledger(session, UTC).requests)
    assert [one.decision.text for one in told(session, ledger).decisions] == [
        "Refused `git commit -m 'Close it'`: do the other tools follow that pattern?",
        "Refused the plan: smaller steps, please",
        "Refused Edit of `cart.py`: not there",
    ]


def test_what_came_of_it_opens_the_summary() -> None:
    script = Script()
    script.user("Fix the total")
    edit = script.tool("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y\nz"}, "ok")
    run = script.bash("pytest -q", "3 passed in 0.1s")
    script.assistant("Fixed.")
    session = script.session()
    outcome, _ = told(session, build_ledger(session, UTC)).summary
    assert outcome.text == "1 request: 1 file changed (+2 -1), the last test run passed."
    assert outcome.evidence == (run,)
    assert edit
