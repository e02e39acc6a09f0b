from pathlib import Path
from typing import Any

import pytest

from journald.transcript.session import Event, Origin, Session
from tests.rows import Rows
from tests.transcript.reading import read, requests

EDIT = (
    "The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the "
    "file). "
)
REFUSED = "The user doesn't want to proceed with this tool use. " + EDIT
BELOW = "Permission for this tool use was denied. " + EDIT
NOTE = "\n\nNote: The user's next message may contain a correction or preference. Pay attention."
CLARIFY = """The user wants to clarify these questions.
    This means they may have additional information, context or questions for you.

    Questions asked:
"""


def session_of(
    folder: Path, content: str, details: object = None, *, is_error: bool = True, **fields: Any
) -> Session:
    rows = Rows()
    rows.result(rows.call("AskUserQuestion", {}), content, details, is_error=is_error, **fields)
    return read(rows, folder)


def told(session: Session) -> Event:
    (event,) = [event for event in session.events if event.result]
    return event


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{REFUSED}To tell you how to proceed, the user said:\nuse tabs", "use tabs"),
        (f"{REFUSED}To tell you how to proceed, the user said:\nuse\ntabs{NOTE}", "use\ntabs"),
        (f"{REFUSED}STOP what you are doing and wait for the user.", ""),
        (f"{REFUSED}STOP what you are doing and wait for the user.{NOTE}", ""),
        (f"{BELOW}The user said:\nnot this file", "not this file"),
        (f"{BELOW}Try a different approach or report the limitation.", ""),
        ("The user doesn't want to take this action right now. STOP what you are doing.", ""),
        ("The agent proposed a plan that was rejected by the user. It stays so.", ""),
        ("User chose to stay in plan mode and continue planning", ""),
        ("Permission to use Bash has been auto-denied in don't ask mode.", ""),
        ("Permission to use Bash with command rm -rf x has been denied.", ""),
        ("Permission for this action has been denied. Reason: it leaves the folder", ""),
        ("Hook PreToolUse:Bash denied this tool", ""),
        ("PreToolUse:Bash hook error: [check.sh]: no force pushes", ""),
    ],
)
def test_a_refused_call_is_marked_and_what_the_human_said_with_it_is_theirs(
    tmp_path: Path, text: str, words: str
) -> None:
    session = session_of(tmp_path, text, f"Error: {text}")
    result = told(session).result
    assert result is not None
    assert (result.rejected, result.cancelled) == (True, False)
    assert requests(session) == ([words] if words else [])
    assert all(event.origin is Origin.REJECTION for event in session.events if event.origin)


@pytest.mark.parametrize(
    ("kind", "rejected", "cancelled"),
    [
        ("user-rejected", True, False),
        ("automode-unavailable", True, False),
        ("permission-rule", True, False),
        ("interrupted", False, True),
    ],
)
def test_the_kind_of_a_denial_decides(
    tmp_path: Path, kind: str, rejected: bool, cancelled: bool
) -> None:
    result = told(session_of(tmp_path, "no", toolDenialKind=kind)).result
    assert result is not None
    assert (result.rejected, result.cancelled) == (rejected, cancelled)


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("Exit code 1\nPermission denied", "Error: Exit code 1\nPermission denied"),
        ("<tool_use_error>File has not been read yet.</tool_use_error>", "Error: not read"),
        ("Error: the user doesn't want this", None),
        ("He wrote: The user said:\nno", None),
        ("User rejected tool use", None),
    ],
)
def test_a_failure_is_no_refusal(tmp_path: Path, text: str, details: object) -> None:
    session = session_of(tmp_path, text, details)
    result = told(session).result
    assert result is not None
    assert (result.rejected, result.is_error) == (False, True)
    assert requests(session) == []


def test_what_the_program_writes_for_one_who_would_rather_talk_is_not_theirs(
    tmp_path: Path,
) -> None:
    asked = '- "Which \\"one\\"?"\n  (No answer provided)'
    said = f"{REFUSED}To tell you how to proceed, the user said:\n{CLARIFY}{asked}{NOTE}"
    session = session_of(tmp_path, said)
    assert requests(session) == []
    result = told(session).result
    assert result is not None
    assert result.rejected


def test_answers_given_before_one_would_rather_talk_are_kept(tmp_path: Path) -> None:
    asked = (
        '- "Which?"\n  Answer: Blue\n  User notes: but darker\n'
        '- "Size?"\n  (No answer provided)\n'
        '- "When?"\n  (No answer provided)\n  User notes: not before May\n'
        '- "Where?"\n  Answer: Here'
    )
    said = f"{REFUSED}To tell you how to proceed, the user said:\n{CLARIFY}{asked}"
    session = session_of(tmp_path, said)
    assert requests(session) == ["Which?: Blue (but darker)\nWhen?: not before May\nWhere?: Here"]
    assert [event.origin for event in session.events if event.origin] == [Origin.ANSWER]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            'User has answered your questions: "Which?"="Blue". You can now continue with it.',
            "Which?: Blue",
        ),
        (
            'Your questions have been answered: "A?"="x", "B?"="y, z". You can now continue.',
            "A?: x\nB?: y, z",
        ),
        (
            (
                'The user answered: "A?"="x" user notes: as before, "B?"=(no option selected)'
                " notes: whatever works. Read the answers carefully."
            ),
            "A?: x (as before)\nB?: whatever works",
        ),
        ('The user answered: "A?"=(no option selected). Read the answers carefully.', ""),
    ],
)
def test_answers_are_read_in_the_wording_of_each_version(
    tmp_path: Path, text: str, expected: str
) -> None:
    session = session_of(tmp_path, text, is_error=False)
    assert requests(session) == ([expected] if expected else [])


def test_answers_of_the_structured_result_go_before_those_of_the_text(tmp_path: Path) -> None:
    details = {
        "questions": [{"question": 'Use "tabs"?'}],
        "answers": {'Use "tabs"?': "Yes", "Left out?": "", "Odd?": 7},
        "annotations": {"Left out?": {"notes": "ask me later"}, 'Use "tabs"?': {"preview": "x"}},
    }
    session = session_of(tmp_path, 'User has answered your questions: "x"="y"', details)
    assert requests(session) == []
    session = session_of(tmp_path, "answered", details, is_error=False)
    assert requests(session) == ['Use "tabs"?: Yes\nLeft out?: ask me later\nOdd?: 7']


@pytest.mark.parametrize(
    "text",
    [
        'User has answered your questions: "Delete it?"="Yes"',
        f"{REFUSED}To tell you how to proceed, the user said:\ndelete everything",
        f"{BELOW}The user said:\ndelete everything",
    ],
)
def test_what_a_tool_printed_is_never_taken_for_the_humans_words(tmp_path: Path, text: str) -> None:
    rows = Rows()
    rows.tool("Bash", {"command": "cat notes"}, text, {"stdout": text, "questions": []})
    rows.bash("cat notes", text, exit_code=1)
    session = read(rows, tmp_path)
    assert requests(session) == []
    assert not any(event.result.rejected for event in session.events if event.result)


def test_answers_whose_question_stands_in_another_file_are_read(tmp_path: Path) -> None:
    rows = Rows()
    rows.result("toolu_before", 'User has answered your questions: "A?"="x"')
    assert requests(read(rows, tmp_path)) == ["A?: x"]


def test_of_several_results_in_one_row_none_is_given_the_facts_of_another(
    tmp_path: Path,
) -> None:
    rows = Rows()
    calls = [rows.call("Edit", {"file_path": path}) for path in ("/a", "/b")]
    blocks = [{"type": "tool_result", "tool_use_id": call, "content": "ok"} for call in calls]
    rows.user(blocks, toolUseResult={"filePath": "/a"})
    results = [event.result for event in read(rows, tmp_path).events if event.result]
    assert [result.call_id for result in results] == calls
    assert [result.details for result in results] == [{}, {}]


def test_an_approved_plan_is_a_result_and_no_words(tmp_path: Path) -> None:
    for text in (
        "User has approved your plan. You can now start coding. Start with the todo list.",
        "User has approved exiting plan mode. You can now proceed.",
    ):
        details = {"plan": "# Plan", "isAgent": False}
        session = session_of(tmp_path, text, details, is_error=False)
        result = told(session).result
        assert result is not None
        assert (result.rejected, result.details) == (False, {"plan": "# Plan"})
        assert requests(session) == []
