from datetime import date, timedelta
from typing import Any

import pytest

from journald.ledger.facts import (
    Change,
    Command,
    Commit,
    Failure,
    FileChange,
    PullRequest,
    TestRun,
)
from journald.summary.grounding import FaultKind, Index, cited_ids
from journald.summary.spans import spans
from journald.transcript.session import Subagent
from tests.sessions import Script
from tests.summary.evidence import ledger_of


def run(event_id: str, *, ok: bool | None, failed: int = 0) -> TestRun:
    return TestRun(
        id=event_id, at=None, command="pytest", runner="pytest", passed=41, failed=failed, ok=ok
    )


def shop() -> Script:
    script = Script()
    script.user("Fix the total in src/shop/cart.py, it is off by 1,250 cents")
    script.tool(
        "Read",
        {"file_path": "/home/ada/shop/src/shop/cart.py"},
        "class Cart:\n    def total(self):\n        return sum_of_lines(self.lines)\n",
    )
    script.bash("pytest -q --maxfail=3", "E   AssertionError: expected 1250\n3 failed", 1)
    script.assistant("The loop skips the last line. See https://docs.python.org/3/tutorial/.")
    script.bash("pytest -q", "41 passed in 0.52s")
    script.bash("git commit -m fix", "[main 4f9a2bc] fix the total")
    return script


def index(script: Script | None = None, **facts: Any) -> Index:
    session = (script or shop()).session()
    return Index(session, ledger_of(session, **facts))


@pytest.mark.parametrize(
    "said",
    [
        "The user asked to fix `src/shop/cart.py`.",
        "The file cart.py was read.",
        "The file shop/cart.py was read.",
        "The file /home/ada/shop/src/shop/cart.py was read.",
        "`Cart.total()` calls sum_of_lines and read/write access and/or input/output is prose.",
        'The test said "expected 1250".',
        "The total was off by 1250 cents, that is 1,250.",
        "Claude ran `pytest   -q` with --maxfail=3.",
        "The commit is 4f9a2bc.",
        "Claude pointed to https://docs.python.org/3/tutorial/ for loops.",
        "It took 0.52 seconds on GitHub and JavaScript, e.g. or i.e. nothing.",
        "[REDACTED:token] stood in the file.",
    ],
)
def test_what_the_session_holds_is_found(said: str) -> None:
    assert index().check(said, ["e1"]).faults == ()


@pytest.mark.parametrize(
    ("said", "span"),
    [
        ("The file src/shop/basket.py was changed.", "src/shop/basket.py"),
        ("The file art.py was changed.", "art.py"),
        ("Claude called `compute_sum()`.", "compute_sum()"),
        ("Claude added ShoppingCart to it.", "ShoppingCart"),
        ("Claude added line_total to it.", "line_total"),
        ('The test said "expected 1300".', "expected 1300"),
        ("The total was off by 125 cents.", "125"),
        ("The commit is 4f9a2bd.", "4f9a2bd"),
        ("The commit is 4f9a2bc77.", "4f9a2bc77"),
        ("See https://docs.python.org/4/ for it.", "https://docs.python.org/4/"),
        ("Claude ran pytest --maxfail2.", "--maxfail2"),
        ("The error stands in `cart.py:77`.", "77"),
    ],
)
def test_what_the_session_does_not_hold_is_named(said: str, span: str) -> None:
    checked = index().check(said, ["e1"])
    assert [fault.kind for fault in checked.faults] == [FaultKind.UNFOUNDED]
    assert f'"{span}"' in checked.faults[0].words
    assert checked.unsound


def test_a_number_that_the_ledger_derives_is_true_though_no_text_holds_it() -> None:
    changed = FileChange(path="a.py", change=Change.EDITED, added=77, removed=15, ids=("e2",))
    found = index(files=(changed,), wall=timedelta(minutes=95), days=(date(2026, 3, 5),))
    assert not found.check("It added 77 lines and removed 15 in 95 minutes.", ["e2"]).faults
    assert found.check("It added 78 lines.", ["e2"]).unsound


@pytest.mark.parametrize(
    ("cited", "ids"),
    [
        (["e1"], ("e1",)),
        (["[e12]"], ("e12",)),
        (["e1, e2; e3"], ("e1", "e2", "e3")),
        (["e1-e3"], ("e1", "e2", "e3")),
        (["e1 \u2013 3"], ("e1", "e2", "e3")),
        (["e1-e400"], ("e1", "e400")),
        (["event e7", "agent-ab12.4"], ("e7", "agent-ab12.4")),
        (["none", "12", "1008.00"], ()),
    ],
)
def test_ids_are_understood_however_they_are_cited(cited: list[str], ids: tuple[str, ...]) -> None:
    assert cited_ids(cited) == ids


def test_ids_inside_a_statement_count_as_its_evidence_and_leave_the_text() -> None:
    checked = index().check("The total was fixed (e1, e2) by Claude [e4].", [])
    assert checked.text == "The total was fixed by Claude."
    assert checked.evidence == ("e1", "e2", "e4")


def test_an_unknown_id_beside_a_known_one_is_left_out_and_alone_it_is_no_evidence() -> None:
    beside = index().check("Claude read a file.", ["e2", "e99"])
    assert (beside.evidence, beside.unsound) == (("e2",), False)
    assert beside.number(FaultKind.UNKNOWN_ID) == 1
    alone = index().check("Claude read a file.", ["e99"])
    assert alone.unsound
    assert alone.number(FaultKind.NO_EVIDENCE) == 1


GREEN, RED = run("e7", ok=True), run("e4", ok=False, failed=3)
COMMIT = Commit(id="e9", at=None, hash="4f9a2bc", message="fix the total")
PUSH = Command(id="e9", at=None, command="git push origin main", ok=True, exit_status=0)
MERGED = PullRequest(id="e9", number=7, url="https://example.org/7", action="merged")


@pytest.mark.parametrize(
    ("said", "evidence", "facts"),
    [
        ("All tests pass.", ["e7"], {"tests": (RED, GREEN)}),
        ("The tests passed.", ["e10"], {"tests": (RED, GREEN)}),
        ("Claude committed the change, it was committed.", ["e9"], {"commits": (COMMIT,)}),
        ("The branch was pushed to the remote.", ["e9"], {"commands": (PUSH,)}),
        ("The pull request was merged.", ["e9"], {"pull_requests": (MERGED,)}),
        ("Claude opened a pull request.", ["e9"], {"pull_requests": (MERGED,)}),
        ("The tests do not pass.", ["e4"], {"tests": (RED,)}),
        ("Nothing was committed.", ["e4"], {}),
        ("The user asked that the change be committed.", ["e1"], {}),
        ("The user said that the tests pass.", ["e1"], {}),
        ("Claude will make sure the tests pass.", ["e1"], {}),
        ("Claude pushed back on the idea and merged two functions.", ["e4"], {}),
        ("The bug was not fixed.", ["e4"], {"tests": (RED,)}),
        ("The result of the tests is unknown; the tests passed.", ["e4"],
         {"tests": (run("e4", ok=None),)}),
    ],
)  # fmt: skip
def test_an_outcome_that_the_ledger_bears_out_stands(
    said: str, evidence: list[str], facts: dict[str, Any]
) -> None:
    assert index(**facts).check(said, evidence).faults == ()


@pytest.mark.parametrize(
    ("said", "evidence", "facts"),
    [
        ("All tests pass.", ["e4"], {"tests": (RED,)}),
        ("In the end the tests passed.", ["e8"], {"tests": (GREEN, run("e8", ok=False))}),
        ("All tests pass.", ["e4"], {}),
        ("The change was committed.", ["e4"], {}),
        ("The branch was pushed to origin.", ["e4"], {"commits": (COMMIT,)}),
        ("The branch was merged.", ["e4"], {"commits": (COMMIT,)}),
        ("Claude opened a pull request.", ["e4"], {"commits": (COMMIT,)}),
        ("The bug was fixed.", ["e4"], {"tests": (RED,)}),
        ("The bug is fixed.", ["e1"], {}),
        ("The user asked for a fix, and it was fixed. The tests pass.", ["e4"], {"tests": (RED,)}),
    ],
)
def test_an_outcome_that_the_ledger_contradicts_is_caught(
    said: str, evidence: list[str], facts: dict[str, Any]
) -> None:
    checked = index(**facts).check(said, evidence)
    assert {fault.kind for fault in checked.faults} == {FaultKind.CONTRADICTED}


def test_a_solved_error_backs_a_fix_even_where_later_tests_fail() -> None:
    error = Failure(id="e4", at=None, tool="Bash", text="broken", solved_by="e7")
    facts: dict[str, Any] = {"errors": (error,), "tests": (run("e9", ok=False),)}
    assert not index(**facts).check("The build was fixed.", ["e4"]).faults


def test_events_of_sub_agents_can_be_cited_and_their_texts_are_searched() -> None:
    inner = Script(prefix="a1.")
    inner.assistant("I found legacy_total in old.py")
    agent = Subagent(
        agent_id="a1", kind="Explore", description="Look for totals", call_id=None,
        events=tuple(inner.events), source="agent-a1.jsonl",
    )  # fmt: skip
    session = shop().session(agent)
    checked = Index(session, ledger_of(session)).check("It found `legacy_total`.", ["a1.1"])
    assert (checked.evidence, checked.faults) == (("a1.1",), ())


def test_text_in_another_unicode_form_is_the_same_text() -> None:
    script = Script()
    script.user("Look at re\u0301sume\u0301.txt")
    assert not index(script).check("The file `r\u00e9sum\u00e9.txt`.", ["e1"]).faults


def test_a_span_inside_another_is_not_looked_up_again() -> None:
    found = spans('See `src/a.py` and https://a.org/b_c/42 and "the 99 bottles"')
    assert [span.text for span in found] == ["https://a.org/b_c/42", "src/a.py", "the 99 bottles"]
