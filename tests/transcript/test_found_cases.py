"""What fuzzing found, each as the smallest input that showed it."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from journald.ledger.facts import Ledger
from journald.ledger.ledger import build_ledger
from journald.transcript.persisted import Persisted
from journald.transcript.reader import read_session
from journald.transcript.session import EventKind, Session
from journald.watch.content import content_mark
from tests.rows import START, Rows, encode, stamp
from tests.transcript.reading import read, requests, texts

DIGITS = "9" * 5000
MANY = 300


def deep(levels: int) -> bytes:
    """Return a list in a list in a list, with a control character at the bottom."""
    return b"[" * levels + rb'"\u0001"' + b"]" * levels


def framed(rows: Rows) -> Rows:
    """Return `rows` between a prompt and an answer."""
    before, after = Rows(prefix="before"), Rows(prefix="after")
    before.user("before")
    after.say("after")
    rows.rows = [*before.rows, *rows.rows, *after.rows]
    return rows


def read_framed(rows: Rows, folder: Path) -> Session:
    session = read(framed(rows), folder)
    assert texts(session.events[:1]) == ["before"]
    assert texts(session.events[-1:]) == ["after"]
    return session


def ledger_of(rows: Rows, folder: Path) -> Ledger:
    return build_ledger(read_framed(rows, folder), UTC)


@pytest.mark.parametrize("status", [["running"], {"state": "running"}, 1, None])
@pytest.mark.parametrize("tool", ["TaskOutput", "BashOutput"])
def test_a_status_of_any_shape_is_no_word_for_running(
    tmp_path: Path, tool: str, status: object
) -> None:
    rows = Rows()
    call = rows.call("Bash", {"command": "sleep 9", "run_in_background": True})
    rows.result(call, "started", {"backgroundTaskId": "b1"})
    facts = {"task_id": "b1", "status": status}
    details = {"task": facts} if tool == "TaskOutput" else {"shellId": "b1", "status": status}
    rows.tool(tool, {"task_id": "b1", "bash_id": "b1"}, "some output", details)
    session = read_framed(rows, tmp_path)
    assert session.pending_calls == ()


def test_a_version_of_thousands_of_digits_is_no_version(tmp_path: Path) -> None:
    rows = Rows()
    rows.say("kept", version=DIGITS)
    session = read_framed(rows, tmp_path)
    assert texts(session.events, EventKind.ASSISTANT) == ["kept", "after"]
    assert session.usage.output_reliable


@pytest.mark.parametrize("levels", [300, 600, 900])
def test_what_is_nested_without_measure_leaves_the_call_and_its_row(
    tmp_path: Path, levels: int
) -> None:
    rows = Rows()
    call = rows.call("AskUserQuestion", {"questions": "DEEP"})
    rows.result(call, "an answer", {"answers": {"q": "DEEP"}, "questions": "DEEP"})
    rows.rows = [encode(row).replace(b'"DEEP"', deep(levels)) for row in rows.rows]
    session = read_framed(rows, tmp_path)
    assert texts(session.events, EventKind.TOOL_RESULT) == ["an answer"]
    assert [event.call.name for event in session.events if event.call] == ["AskUserQuestion"]
    build_ledger(session, UTC)


def test_a_lone_surrogate_that_a_nul_cuts_in_two_can_be_written(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("odd MARK end")
    rows.rows = [encode(row).replace(b"MARK", b"\\ud8\x003d") for row in rows.rows]
    session = read_framed(rows, tmp_path)
    assert requests(session) == ["before", "odd \ufffd end"]


def test_however_many_records_stand_in_one_line_all_are_read(tmp_path: Path) -> None:
    rows = Rows()
    for number in range(MANY):
        rows.user(f"prompt {number}")
    rows.rows = [b"".join(encode(row).strip() for row in rows.rows) + b"\n"]
    session = read_framed(rows, tmp_path)
    assert requests(session)[1:] == [f"prompt {number}" for number in range(MANY)]
    assert (session.lines.recovered, session.lines.broken) == (1, 0)


def test_a_file_name_that_is_not_utf8_gives_an_agent_an_id_that_can_be_written(
    tmp_path: Path,
) -> None:
    rows = Rows()
    rows.user("go")
    path = rows.write(tmp_path)
    agent = Rows(isSidechain=True, prefix="agent")
    agent.say("done")
    folder = tmp_path / rows.session_id / "subagents"
    folder.mkdir(parents=True)
    Path(os.fsdecode(os.fsencode(folder) + b"/agent-\xff.jsonl")).write_bytes(agent.data())
    session = read_session(path)
    (found,) = session.subagents
    assert found.agent_id == "\ufffd"
    content_mark(session)


@pytest.mark.parametrize("kind", ["folder", "pipe", "bytes", "deep"])
def test_what_stands_beside_an_agent_never_costs_the_session(tmp_path: Path, kind: str) -> None:
    rows = Rows()
    rows.user("go")
    path = rows.write(tmp_path)
    agent = Rows(isSidechain=True, prefix="agent")
    agent.say("done")
    folder = tmp_path / rows.session_id / "subagents"
    agent.write(folder, "agent-a1.jsonl")
    beside = folder / "agent-a1.meta.json"
    if kind == "folder":
        beside.mkdir()
    elif kind == "pipe":
        os.mkfifo(beside)
    else:
        beside.write_bytes(b"\xff\x00{" if kind == "bytes" else b"[" * 100_000)
    (found,) = read_session(path).subagents
    assert texts(found.events) == ["done"]


def test_two_agents_of_one_id_give_no_event_id_twice(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    path = rows.write(tmp_path)
    folder = tmp_path / rows.session_id / "subagents"
    for place, name in ((folder, "one"), (folder / "workflows" / "wf_1", "two")):
        agent = Rows(isSidechain=True, agentId="a1", prefix=name)
        agent.say(name)
        agent.write(place, "agent-a1.jsonl")
    session = read_session(path)
    ids = [event.id for agent in session.subagents for event in agent.events]
    assert len(ids) == len(set(ids)) == 2
    assert sorted(text for agent in session.subagents for text in texts(agent.events)) == [
        "one",
        "two",
    ]


@pytest.mark.timeout(20)
def test_blanks_without_end_in_a_persisted_output_take_no_time() -> None:
    blanks = " " * 300_000
    text = f"<persisted-output>\nsome{blanks}x"
    assert Persisted().unwrap(text) == f"some{blanks}x"


@pytest.mark.parametrize("told", [["create"], {"type": "create"}, 1])
def test_a_write_of_an_unknown_type_is_still_a_change(tmp_path: Path, told: object) -> None:
    rows = Rows()
    rows.tool("Write", {"file_path": "/a.py", "content": "x"}, "File created", {"type": told})
    assert [change.path for change in ledger_of(rows, tmp_path).files] == ["/a.py"]


def test_a_count_that_is_no_number_is_no_count(tmp_path: Path) -> None:
    rows = Rows()
    rows.bash("python -m unittest", "Ran 1 test in 1.0s\n\nFAILED (failures=x)", 1)
    (run,) = ledger_of(rows, tmp_path).tests
    assert run.ok is False


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("pytest", f"==== {DIGITS} passed in 1s ===="),
        ("npx jest", f"Tests:       {DIGITS} passed, {DIGITS} total"),
        ("npx vitest", f" Tests  {DIGITS} passed ({DIGITS})"),
        ("go test ./...", f"DONE {DIGITS} tests"),
        ("cargo test", f"test result: ok. {DIGITS} passed; 0 failed; 0 ignored"),
        ("mvn test", f"Tests run: {DIGITS}, Failures: 0, Errors: 0, Skipped: 0"),
        ("pytest; echo exit: $?", f"exit: {DIGITS}"),
        ("gh pr create", f"https://example.test/a/b/pull/{DIGITS}"),
        ("gh pr merge 7", f"Merged pull request #{DIGITS}"),
        (f"gh pr merge {DIGITS}", "merged"),
    ],
)
def test_a_number_of_thousands_of_digits_is_no_count(
    tmp_path: Path, command: str, output: str
) -> None:
    rows = Rows()
    rows.bash(command, output)
    ledger = ledger_of(rows, tmp_path)
    assert [ran.command for ran in ledger.commands] == [command]
    assert [(run.passed or 0) < 10**18 for run in ledger.tests] == [True] * len(ledger.tests)


def test_an_exit_code_of_thousands_of_digits_is_no_code(tmp_path: Path) -> None:
    rows = Rows()
    text = f"Exit code {DIGITS}"
    rows.result(rows.call("Bash", {"command": "x"}), text, f"Error: {text}", is_error=True)
    told = f"<status>failed</status><exit_code>{DIGITS}</exit_code>"
    rows.tool("BashOutput", {"bash_id": "b"}, told, {"shellId": "b"})
    ledger = ledger_of(rows, tmp_path)
    assert {command.exit_status for command in ledger.commands} <= {0, None}
    assert not [command for command in ledger.commands if command.command == "x" and command.ok]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_times_at_the_end_of_all_calendars_count_for_nothing(tmp_path: Path, zone: str) -> None:
    rows = Rows()
    for wrong in ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00Z"):
        rows.say(wrong, timestamp=wrong)
        rows.say("right", timestamp=stamp(START + timedelta(hours=1)))
    session = read_framed(rows, tmp_path)
    ledger = build_ledger(session, ZoneInfo(zone))
    assert ledger.started == datetime(2026, 3, 5, 9, 0, tzinfo=UTC)
    assert ledger.wall == timedelta(hours=1)


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cargo nextest run", "Summary [" + "] " * 50_000),
        ("dotnet test", "Test run summary" * 20_000),
        ("pytest", "1" * 50_000 + " skipped in 1s"),
        ("gh pr create", "http://" * 20_000),
        ("${" * 50_000, ""),
        ("! " * 50_000, ""),
        ("docker " * 300, ""),
        ("npm " * 300, ""),
        ("docker python -m npm " * 100, ""),
        ("echo " + "1" * 50_000, ""),
        ("[[" * 50_000, ""),
        ("python -c '" + "open(," * 20_000 + "'", ""),
        ("sleep 9", "Command " + "background " * 20_000),
    ],
    ids=[
        "nextest",
        "dotnet",
        "digits",
        "gh",
        "braces",
        "bangs",
        "docker",
        "npm",
        "mixed",
        "ones",
        "brackets",
        "opens",
        "background",
    ],
)
def test_no_command_and_no_output_takes_for_ever(tmp_path: Path, command: str, output: str) -> None:
    rows = Rows()
    rows.bash(command, output)
    ledger = ledger_of(rows, tmp_path)
    assert [ran.command for ran in ledger.commands] == [command]


@pytest.mark.timeout(30)
def test_a_report_full_of_blanks_takes_no_time(tmp_path: Path) -> None:
    rows = Rows()
    report = "a" + " " * 200_000 + "b"
    rows.tool("Task", {"prompt": "look", "description": "d"}, report)
    (delegation,) = ledger_of(rows, tmp_path).subagents
    assert delegation.outcome == report


@pytest.mark.timeout(30)
def test_an_edit_of_many_equal_lines_is_counted_in_no_time(tmp_path: Path) -> None:
    rows = Rows()
    texts_of = {"old_string": "x\n" * 20_000, "new_string": "y\n" + "x\n" * 20_000 + "z\n"}
    rows.tool("Edit", {"file_path": "/a.py", **texts_of}, "ok")
    (change,) = ledger_of(rows, tmp_path).files
    assert (change.added, change.removed) == (2, 0)


@pytest.mark.timeout(30)
def test_a_thousand_agents_are_read_in_no_time(tmp_path: Path) -> None:
    rows = Rows()
    for number in range(2000):
        rows.tree(
            "assistant",
            isSidechain=True,
            parentUuid=None,
            agentId=f"a{number}",
            message={"id": f"m{number}", "content": "x", "usage": {"input_tokens": 1}},
        )
    session = read_framed(rows, tmp_path)
    assert len(session.subagents) == 2000
    assert session.usage.input == 2000 + 10
