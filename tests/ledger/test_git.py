from datetime import UTC

import pytest

from journald.ledger.facts import Act
from journald.ledger.ledger import build_ledger
from journald.transcript.session import Session
from tests.ledger.agents import subagent
from tests.sessions import Script


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


@pytest.mark.parametrize(
    ("command", "output", "kinds"),
    [
        ("git commit -m a", "[main 1111111] a", ["committed"]),
        ("git commit --amend --no-edit", "[main 1111111] a", ["amended"]),
        ("git cherry-pick 9a8b7c6 5d4e3f2", "[main 1111111] a\n[main 2222222] b",
         ["cherry-picked", "cherry-picked"]),
        ("git revert --no-edit HEAD", '[main 1111111] Revert "a"', ["reverted"]),
        ("git commit -m a && git commit --amend -m b", "[main 1111111] a\n[main 2222222] b",
         ["committed", "amended"]),
        ("git commit -m a; git revert HEAD", "[main 1111111] a", ["committed"]),
    ],
)  # fmt: skip
def test_a_commit_tells_how_it_was_made(command: str, output: str, kinds: list[str]) -> None:
    script = Script()
    script.bash(command, output)
    assert [one.kind for one in build_ledger(script.session(), UTC).commits] == kinds


def test_claude_code_s_record_tells_how_a_commit_was_made() -> None:
    script = Script()
    operation = {"commit": {"sha": "1a2b3c4d", "kind": "cherry-picked"}}
    script.tool("Bash", {"command": "./pick.sh"}, "", details={"gitOperation": operation})
    (commit,) = build_ledger(script.session(), UTC).commits
    assert (commit.hash, commit.kind) == ("1a2b3c4d", "cherry-picked")


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git log --oneline -2", "1a2b3c4 Fix the cart\n9f8e7d6 Begin"),
        ("git log --oneline --graph", "* 1a2b3c4 (HEAD -> main, origin/main) Fix the cart"),
        (
            "git show --stat",
            "commit 1a2b3c4\nAuthor: Ada <ada@example.com>\nDate:   Mon\n\n    Fix the cart\n",
        ),
    ],
)
def test_a_quiet_commit_is_known_by_what_git_prints_next(command: str, output: str) -> None:
    script = Script()
    made = script.bash("git add -A && git commit -q -m 'Fix the cart'")
    script.bash("ls")
    script.bash(command, output)
    (commit,) = build_ledger(script.session(), UTC).commits
    assert (commit.id, commit.hash, commit.message) == (made, "1a2b3c4", "Fix the cart")


def test_a_quiet_commit_is_known_by_the_hash_that_its_own_line_asks_for() -> None:
    script = Script()
    script.bash("git commit -qm x && git rev-parse --short HEAD", "1a2b3c4")
    assert commits(script.session()) == [("1a2b3c4", "x", None)]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git log --oneline -2", "1a2b3c4 Fix the card\n9f8e7d6 Begin"),
        ("cat notes.txt", "1a2b3c4 Fix the cart"),
        ("git rev-parse HEAD", "1a2b3c4"),
    ],
)
def test_no_hash_is_guessed_for_a_quiet_commit(command: str, output: str) -> None:
    script = Script()
    script.bash("git commit -q -m 'Fix the cart'")
    script.bash(command, output)
    ledger = build_ledger(script.session(), UTC)
    assert ledger.commits == ()
    assert [(act.act, act.name) for act in ledger.git_acts] == [(Act.COMMITTED, "Fix the cart")]


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("git commit -q -m x", "", 1),
        ("git commit -q -m x || true", "", 0),
        ("git commit -q -m x; ls", "", 0),
        ("git commit --dry-run -m x", "", 0),
        ("echo git commit -q -m x", "", 0),
    ],
)
def test_a_commit_that_is_not_proven_is_none(command: str, output: str, exit_code: int) -> None:
    script = Script()
    script.bash(command, output, exit_code)
    ledger = build_ledger(script.session(), UTC)
    assert (ledger.commits, ledger.git_acts) == ((), ())


def test_a_commit_behind_a_pipe_is_proven_by_its_statistics() -> None:
    script = Script()
    script.bash("git commit -m x 2>&1 | tail -1", " 2 files changed, 3 insertions(+)")
    (act,) = build_ledger(script.session(), UTC).git_acts
    assert (act.act, act.name) == (Act.COMMITTED, "x")


def test_commits_of_sub_agents_count() -> None:
    script = Script()
    task = script.tool("Task", {"description": "x"}, "done")
    helper = Script(prefix="a1.")
    made = helper.bash("cd web && git commit -m a", "[main 1111111] a")
    (commit,) = build_ledger(script.session(subagent(helper, "a1", task)), UTC).commits
    assert commit.id == made


def test_what_the_human_committed_counts() -> None:
    script = Script()
    made = script.command("!git commit -am fix", "[main 1111111] fix")
    (commit,) = build_ledger(script.session(), UTC).commits
    assert commit.id == made
