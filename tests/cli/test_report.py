"""The JSON of `journald inspect`: a contract that only grows."""

import io
import json
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from journald.cli import output
from journald.cli.overview import overview
from journald.cli.report import build_report, tell_digest
from journald.config import Plan as PlanSettings
from journald.digest.evidence import Digest, Item, Role
from journald.ledger.facts import (
    Change,
    Command,
    Commit,
    Delegation,
    Failure,
    Fetch,
    FileChange,
    Ledger,
    PullRequest,
    Request,
    TestRun,
)
from journald.summary.plan import make_plan
from journald.transcript.session import LineCounts, Origin, Usage
from tests.sessions import START, Script

LATER = START + timedelta(minutes=40)


def ledger(**more: Any) -> Ledger:
    settings: dict[str, Any] = {
        "session_id": "0f0e0d0c-0b0a-4009-8008-070605040302",
        "started": START,
        "ended": LATER,
        "wall": timedelta(minutes=40),
        "active": timedelta(minutes=25, milliseconds=500),
        "days": (START.date(),),
        "requests": (
            Request(id="e1", at=START, text="use password hunter2 now", origin=Origin.PROMPT),
        ),
        "slash_commands": (),
        "commands": (
            Command(id="e2", at=LATER, command="login hunter2", ok=False, exit_status=2),
            Command(id="e4", at=None, command="sleep 9 &", ok=None, exit_status=None),
        ),
        "files": (
            FileChange(
                path="/home/ada/shop/a.py", change=Change.EDITED, added=3, removed=1, ids=("e5",)
            ),
            FileChange(
                path="/home/ada/shopping", change=Change.DELETED, added=0, removed=9, ids=("e6",)
            ),
        ),
        "tests": (
            TestRun(
                id="e6",
                at=START,
                command="pytest -q",
                runner="pytest",
                passed=4,
                failed=1,
                ok=False,
            ),
        ),
        "commits": (Commit(id="e7", at=START, hash="5d2e81fabc12", message="no hunter2"),),
        "pull_requests": (PullRequest(id=None, number=7, url="https://x/7", action="opened"),),
        "errors": (Failure(id="e2", at=START, tool="Bash", text="bad hunter2", solved_by="e9"),),
        "fetched": (Fetch(id="e8", at=None, url=None, query="about hunter2", ok=True),),
        "subagents": (
            Delegation(
                id="e3", at=START, kind="Explore", description="find it", events=9, outcome="x"
            ),
        ),
        "questions": (),
        "tasks": (),
        "refusals": 1,
        "interrupts": 2,
        "compactions": 3,
        "models": {"claude-test": 5},
        "usage": Usage(input=1, output=2, cache_read=3, cache_creation=4),
    }
    return Ledger(**(settings | more))


DIGEST = Digest(
    items=(Item(id="e1", ids=("e1",), role=Role.USER, at=START, text="[e1] hi", tokens=9),),
    chars=80,
    tokens=9,
    elided_chars=5,
    redactions={"password": 2},
)


def report(**more: Any) -> dict[str, Any]:
    script = Script()
    script.user("hi")
    session = script.session(
        title="About hunter2",
        lines=LineCounts(
            total=9,
            broken=1,
            unknown=2,
            bytes=3000,
            elided_chars=1234,
            unknown_kinds={"2.1/x": 2},
            types={"assistant": 2, "user": 4},
        ),
    )
    plan = make_plan(DIGEST, PlanSettings(), 32768)

    def redact(text: str) -> str:
        return text.replace("hunter2", "[REDACTED]")

    return build_report(session, ledger(**more), tell_digest(DIGEST, plan, redact), redact)


def test_the_keys_that_the_readme_promises_are_there() -> None:
    found = report()
    assert set(found) >= {
        "schema", "session_id", "project", "cwd", "branch", "started", "ended", "wall_seconds",
        "active_seconds", "title", "versions", "lines", "requests", "commands", "files", "tests",
        "commits", "pull_requests", "errors", "fetched", "subagents", "compactions", "models",
        "tokens", "messages", "tool_calls", "events", "digest", "plan",
    }  # fmt: skip
    assert found["schema"] == 1
    assert set(found["lines"]) >= {"total", "broken", "recovered", "unknown", "bytes", "types"}
    assert set(found["requests"][0]) >= {"id", "at", "text"}
    assert set(found["commands"][0]) >= {"id", "at", "command", "ok", "exit_status"}
    assert set(found["files"][0]) >= {"path", "change", "added", "removed"}
    assert set(found["tests"][0]) >= {"id", "at", "command", "passed", "failed", "ok"}
    assert set(found["commits"][0]) >= {"id", "hash", "message"}
    assert set(found["errors"][0]) >= {"id", "at", "tool", "text"}
    assert set(found["subagents"][0]) >= {"id", "kind", "description", "events"}
    assert set(found["tokens"]) >= {"input", "output", "cache_read", "cache_creation"}
    assert set(found["digest"]) >= {"chars", "tokens", "elided_chars", "redactions"}
    assert found["plan"]["kind"] == "single"
    assert set(found["plan"]["chunks"][0]) == {"first", "last", "tokens", "topic"}


def test_times_are_rfc_3339_in_utc_and_durations_are_seconds() -> None:
    east = timezone(timedelta(hours=2))
    found = report(started=START.astimezone(east))
    assert found["started"] == "2026-03-05T09:00:00Z"
    assert found["ended"] == "2026-03-05T09:40:00Z"
    assert (found["wall_seconds"], found["active_seconds"]) == (2400.0, 1500.5)


def test_what_the_transcript_does_not_tell_is_null() -> None:
    found = report(started=None, ended=None)
    assert found["started"] is None
    assert found["commands"][1] == {
        "id": "e4",
        "at": None,
        "command": "sleep 9 &",
        "ok": None,
        "exit_status": None,
        "stopped": False,
        "by_user": False,
    }
    assert found["fetched"][0]["url"] is None


def test_no_text_leaves_unredacted() -> None:
    assert "hunter2" not in str(report())
    assert "hunter2" not in overview(report(), UTC)


def test_the_token_count_says_that_it_is_an_estimate() -> None:
    assert report()["digest"]["tokens_exact"] is False


def test_a_person_gets_one_screen() -> None:
    text = overview(report(), UTC)
    assert text.splitlines() == [
        "shop: About [REDACTED]",
        "  session   0f0e0d0c-0b0a-4009-8008-070605040302  (2.1.219)",
        "  folder    /home/ada/shop  on main",
        "  when      2026-03-05 09:00 to 2026-03-05 09:40, 25 min active of 40 min",
        "  models    claude-test (5)",
        "  tokens    1 in, 2 out, 3 read from and 4 written to the cache",
        "  lines     9 (3 KiB), 1 broken, 2 unknown, 1,234 characters of tools left out",
        "  records   4 user, 2 assistant",
        "  not known 2.1: 2 x",
        "",
        "Asked (1)",
        "  09:00  e1     use password [REDACTED] now",
        "",
        "Files (2)",
        "  edited   a.py  +3 -1",
        "  deleted  /home/ada/shopping  +0 -9",
        "",
        "Commands (2)",
        "  09:40  e2     login [REDACTED]  ✗ exit 2",
        "         e4     sleep 9 &",
        "",
        "Tests (1)",
        "  09:00  e6     pytest -q  4 passed, 1 failed",
        "",
        "Commits (1)",
        "  5d2e81fabc  no [REDACTED]",
        "",
        "Pull requests (1)",
        "  #7 opened  https://x/7",
        "",
        "Errors (1)",
        "  09:00  e2     Bash: bad [REDACTED]  (solved in e9)",
        "",
        "Sub-agents (1)",
        "  Explore: find it  (9 events)",
        "",
        "Fetched (1)",
        "  “about [REDACTED]”",
        "",
        "For the model: about 9 tokens (events: 1, characters left out: 5, redacted: 2 password)",
        "Plan: one pass",
    ]


def test_long_lists_and_texts_are_cut_for_a_person_and_say_so() -> None:
    many = tuple(
        Request(id=f"e{number}", at=START, text="word\n" * 99, origin=Origin.PROMPT)
        for number in range(20)
    )
    lines = overview(report(requests=many), UTC).splitlines()
    at = lines.index("Asked (20)")
    assert lines[at + 13] == "  … and 8 more; --json lists them all"
    assert all(len(line) < 130 for line in lines)


def test_an_empty_session_has_a_head_only() -> None:
    nothing: dict[str, Any] = dict.fromkeys(
        ("requests", "commands", "files", "tests", "commits", "pull_requests", "errors", "fetched",
         "subagents"), ()
    )  # fmt: skip
    text = overview(report(**nothing, started=None, ended=None, models={}), UTC)
    assert "when" not in text
    assert "(0)" not in text


def test_times_are_shown_in_the_zone_of_the_reader() -> None:
    assert "10:00  e1 " in overview(report(), timezone(timedelta(hours=1)))
    assert datetime(2026, 3, 5, 9, tzinfo=UTC) == START


@given(
    value=st.dictionaries(
        st.text(max_size=5),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.text(max_size=3), inner, max_size=2)
            ),
            max_leaves=6,
        ),
        max_size=4,
    )
)
def test_json_printed_piece_by_piece_is_json_on_one_line(
    value: dict[str, Any],
) -> None:
    printed = io.StringIO()
    with redirect_stdout(printed):
        output.data_json(value)
    text = printed.getvalue()
    assert text.count("\n") == 1
    assert json.loads(text) == json.loads(json.dumps(value))
