from dataclasses import replace
from datetime import UTC

import pytest

from journald.ledger.ledger import build_ledger
from journald.transcript.session import Session
from tests.sessions import Script

URL = "https://github.com/ada/shop/pull/12"


def commits(session: Session) -> list[tuple[str, str, str | None]]:
    found = build_ledger(session, UTC).commits
    return [(commit.hash, commit.message, commit.branch) for commit in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[main 1a2b3c4] Fix: the cart", ("1a2b3c4", "Fix: the cart", "main")),
        ("[main (root-commit) 1a2b3c4] Begin", ("1a2b3c4", "Begin", "main")),
        ("[feat/x-1 1a2b3c4d] [api] Add", ("1a2b3c4d", "[api] Add", "feat/x-1")),
        ("[detached HEAD 1a2b3c4] Try", ("1a2b3c4", "Try", None)),
    ],
)
def test_what_git_prints_tells_the_commit(line: str, expected: tuple[str, str, str | None]) -> None:
    script = Script()
    script.bash('git add -A && git commit -m "x"', f"hook ran\n{line}\n 1 file changed")
    assert commits(script.session()) == [expected]


def test_two_commits_of_one_command_are_two() -> None:
    script = Script()
    script.bash("git commit -m a; git commit -m b", "[main 1111111] a\n[main 2222222] b")
    assert [sha for sha, _, _ in commits(script.session())] == ["1111111", "2222222"]


@pytest.mark.parametrize(
    "command", ["git log", "cat commit.txt", "echo git commit", "grep -rn 'git commit' ."]
)
def test_a_line_that_only_looks_like_a_commit_is_none(command: str) -> None:
    script = Script()
    script.bash(command, "[main 1a2b3c4] Fix")
    assert commits(script.session()) == []


def test_what_claude_code_recorded_and_what_git_printed_are_one_commit() -> None:
    script = Script()
    sha = "1a2b3c4d5e6f70819293a4b5c6d7e8f901234567"
    operation = {"commit": {"sha": sha, "kind": "committed", "branch": "main"}}
    script.tool(
        "Bash",
        {"command": "git commit -m 'Fix'"},
        "[main 1a2b3c4] Fix",
        details={"gitOperation": operation},
    )
    assert commits(script.session()) == [(sha, "Fix", "main")]


def test_a_quiet_commit_is_known_from_the_record_and_its_message_from_the_command() -> None:
    script = Script()
    command = 'git commit -qm "$(cat <<\'EOF\'\nSay "hello"\n\nMore\nEOF\n)"'
    operation = {"commit": {"sha": "1a2b3c4d", "kind": "committed"}}
    script.tool("Bash", {"command": command}, "", details={"gitOperation": operation})
    assert commits(script.session()) == [("1a2b3c4d", 'Say "hello"', None)]


def test_a_commit_told_again_counts_once() -> None:
    script = Script()
    script.bash("git commit -m a", "[main 1a2b3c4] a")
    script.bash("git commit --amend --no-edit; true", "[main 1a2b3c4] a")
    assert len(commits(script.session())) == 1


def pulls(session: Session) -> list[tuple[int | None, str, str]]:
    found = build_ledger(session, UTC).pull_requests
    return [(pull.number, pull.url, pull.action) for pull in found]


def test_a_pull_request_is_known_from_what_gh_prints() -> None:
    script = Script()
    script.bash("git push && gh pr create --fill", f"Creating pull request\n\n{URL}")
    assert pulls(script.session()) == [(12, URL, "created")]


def test_one_pull_request_from_three_sources_is_one_and_the_strongest_act_is_told() -> None:
    script = Script()
    script.bash("gh pr create --fill", URL)
    script.bash("gh pr merge 12 --squash", "Merged pull request #12 (Fix)")
    session = replace(script.session(), pull_requests=((12, URL),))
    assert pulls(session) == [(12, URL, "merged")]


def test_a_linked_pull_request_is_told_as_such() -> None:
    assert pulls(replace(Script().session(), pull_requests=((12, URL),))) == [(12, URL, "linked")]


def test_the_record_of_claude_code_tells_a_pull_request() -> None:
    script = Script()
    operation = {"pr": {"number": 12, "url": URL, "action": "created"}}
    script.tool("Bash", {"command": "./ship.sh"}, "ok", details={"gitOperation": operation})
    assert pulls(script.session()) == [(12, URL, "created")]


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("git push", "Create a pull request by visiting:\n https://github.com/a/b/pull/new/x", 0),
        ("gh pr create --fill", URL, 1),
        ("gh pr view 12", URL, 0),
        ("curl -s " + URL, "page", 0),
    ],
)
def test_reading_about_a_pull_request_is_none(command: str, output: str, exit_code: int) -> None:
    script = Script()
    script.bash(command, output, exit_code)
    assert pulls(script.session()) == []
