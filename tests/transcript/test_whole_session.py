import tracemalloc
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.transcript.project import project_name
from journald.transcript.reader import read_session
from journald.transcript.session import EventKind
from tests.rows import Rows, image_block, text_block
from tests.transcript.reading import read

STEPS = st.lists(
    st.sampled_from(
        "user say call result queue compact command replay grow side meta interrupt".split()  # noqa: SIM905  # a list is longer
    ),
    max_size=25,
)


def perform(rows: Rows, step: str, calls: list[str]) -> None:
    simple: dict[str, Any] = {
        "user": lambda: rows.user(f"prompt {rows.number()}"),
        "say": lambda: rows.say(f"text {rows.number()}"),
        "call": lambda: calls.append(rows.call("Bash", {"command": "ls"})),
        "result": lambda: rows.result(calls.pop(), "ok") if calls else None,
        "compact": lambda: rows.compact("story"),
        "command": lambda: rows.command("model", output="set"),
        "side": lambda: rows.user("look", isSidechain=True, parentUuid=None),
        "meta": lambda: rows.meta("custom-title", customTitle="T"),
        "interrupt": lambda: rows.user([text_block("[Request interrupted by user]")]),
        "replay": lambda: rows.rows.extend(rows.rows[-4:]),
    }
    if step == "queue":
        rows.queue("enqueue", f"queued {rows.number()}")
        rows.queue("remove")
    elif step == "grow":
        message = f"m{rows.number()}"
        rows.say("grow", message_id=message)
        rows.say("growing", message_id=message)
    else:
        simple[step]()


@given(STEPS)
@settings(max_examples=50, deadline=None)
def test_ids_never_change_when_a_file_grows(
    tmp_path_factory: pytest.TempPathFactory, steps: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("growing")
    rows, calls = Rows(), list[str]()
    for step in steps:
        perform(rows, step, calls)
    lines = [*rows.rows]
    known: dict[str, tuple[EventKind, int]] = {}
    for count in range(0, len(lines) + 1, 3):
        rows.rows = lines[:count]
        session = read(rows, folder)
        told = [*session.events, *(one for agent in session.subagents for one in agent.events)]
        now = {event.id: (event.kind, event.line) for event in told}
        assert len(now) == len(told)
        assert known.items() <= now.items()
        assert [event.line for event in session.events] == sorted(
            event.line for event in session.events
        )
        known = now


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-05T10:00:00.250+01:00", datetime(2026, 3, 5, 9, 0, 0, 250_000, UTC)),
        ("2026-03-05T09:00:00", datetime(2026, 3, 5, 9, tzinfo=UTC)),
        (1_772_701_200_000, datetime(2026, 3, 5, 9, tzinfo=UTC)),
        ("NaN", None),
        ("yesterday", None),
        (1e300, None),
        (None, None),
        (True, None),
        ({}, None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_times_are_aware_or_none(tmp_path: Path, value: object, expected: datetime | None) -> None:
    rows = Rows()
    rows.user("hello", timestamp=value)
    (event,) = read(rows, tmp_path).events
    assert event.at == expected
    assert event.at is None or event.at.tzinfo is UTC


def test_a_row_without_a_time_has_none(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("hello")
    assert isinstance(rows.rows[0], dict)
    del rows.rows[0]["timestamp"]
    (event,) = read(rows, tmp_path).events
    assert event.at is None


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/home/ada/shop", "shop"),
        ("/home/ada/shop/", "shop"),
        ("/home/ada/shop/.claude/worktrees/fix-1", "shop"),
        ("/home/ada/shop/.claude/worktrees/fix-1/src", "shop"),
        ("/home/ada/shop/.worktrees/ada/fix", "shop"),
        ("/home/ada/shop-worktrees/fix", "shop"),
        ("/home/ada/shop.worktrees/fix", "shop"),
        ("/home/ada/worktrees/fix", "fix"),
        ("/home/ada/my-shop", "my-shop"),
        (r"C:\Users\ada\shop", "shop"),
        (r"C:\Users\ada\shop\.claude\worktrees\fix", "shop"),
        (r"\\server\share\shop", "shop"),
        (r"/home/ada/odd\name", r"odd\name"),
        ("/", "/"),
        (None, "unknown"),
    ],
)
def test_a_project_is_its_folder_and_a_worktree_its_repository(
    folder: str | None, name: str
) -> None:
    assert project_name(folder) == name


def test_folders_branches_and_versions_in_the_order_they_appear(tmp_path: Path) -> None:
    rows = Rows()
    rows.meta("file-history-snapshot", messageId="x", snapshot={})
    rows.user("a", gitBranch="")
    rows.user("b", cwd="/home/ada/shop/api", gitBranch="fix", version="2.2.0")
    rows.user("c", gitBranch="main", entrypoint="sdk-py")
    rows.user("d", gitBranch="HEAD")
    rows.user("e", cwd="/elsewhere", isSidechain=True, parentUuid=None)
    session = read(rows, tmp_path)
    assert (session.cwd, session.project) == ("/home/ada/shop", "shop")
    assert session.cwds == ("/home/ada/shop", "/home/ada/shop/api")
    assert (session.branch, session.branches) == ("main", ("fix", "main"))
    assert session.versions == ("2.1.219", "2.2.0")
    assert session.entrypoints == ("cli", "sdk-py")


def test_a_session_in_a_worktree_belongs_to_where_it_came_from(tmp_path: Path) -> None:
    rows = Rows(cwd="/var/wt/xyz")
    rows.user("a")
    rows.meta("worktree-state", worktreeSession={"originalCwd": "/home/ada/shop"})
    rows.meta("worktree-state", worktreeSession=None)
    assert read(rows, tmp_path).project == "shop"


def test_titles_in_their_order_of_precedence(tmp_path: Path) -> None:
    rows = Rows()
    rows.meta("summary", summary="Of another session", leafUuid="elsewhere")
    uuid = rows.user("a")
    rows.meta("last-prompt", lastPrompt="a", leafUuid=uuid)
    assert read(rows, tmp_path).title is None
    rows.meta("summary", summary="Summary", leafUuid=uuid)
    assert read(rows, tmp_path).title == "Summary"
    rows.meta("ai-title", aiTitle="By the\nmachine")
    assert read(rows, tmp_path).title == "By the machine"
    rows.meta("custom-title", customTitle="First name")
    rows.meta("custom-title", customTitle="By hand")
    rows.meta("ai-title", aiTitle="Again by the machine")
    assert read(rows, tmp_path).title == "By hand"


def test_tags_and_pull_requests(tmp_path: Path) -> None:
    rows = Rows()
    rows.meta("tag", tag="old")
    rows.meta("tag", tag="billing")
    for _ in range(2):
        rows.meta("pr-link", prNumber=7, prUrl="https://git.example/7", prRepository="ada/shop")
    session = read(rows, tmp_path)
    assert session.tags == ("billing",)
    assert session.pull_requests == ((7, "https://git.example/7"),)


def test_a_file_of_metadata_alone_has_no_events_and_nothing_unknown(tmp_path: Path) -> None:
    rows = Rows()
    for kind in (
        "file-history-snapshot", "file-history-delta", "agent-name", "mode", "permission-mode",
        "relocated", "continued-in", "cost-state", "content-replacement", "teleported-from",
        "history-suppression", "fork-context-ref", "bridge-session", "frame-link",
    ):  # fmt: skip
        rows.meta(kind)
    session = read(rows, tmp_path)
    assert session.events == ()
    assert session.lines.unknown == 0


def test_a_file_under_any_name_is_read_and_named_after_it(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("a")
    session = read_session(rows.write(tmp_path, "claude-session.jsonl"))
    assert session.session_id == "claude-session"
    assert session.path == str(tmp_path / "claude-session.jsonl")


def test_memory_is_bounded_by_what_is_kept(tmp_path: Path) -> None:
    rows = Rows()
    rows.user([text_block("look"), image_block("A" * 3_000_000)])
    call = rows.call("Bash", {"command": "make"})
    for _ in range(20):
        rows.tree("progress", data={"type": "bash_progress", "fullOutput": "x" * 500_000})
    rows.result(call, "ok", {"stdout": "x" * 3_000_000, "originalFile": "x" * 3_000_000})
    path = rows.write(tmp_path)
    del rows
    tracemalloc.start()
    session = read_session(path)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(session.events) == 3
    assert path.stat().st_size > 19_000_000
    assert kept < 500_000
    assert peak < 20_000_000
