from datetime import UTC
from typing import Any

import pytest

from journald.ledger.facts import Act
from journald.ledger.ledger import build_ledger
from tests.sessions import Script


def acts(script: Script) -> list[tuple[Act, str]]:
    return [(one.act, one.name) for one in build_ledger(script.session(), UTC).git_acts]


def acts_of(command: str, output: str = "", exit_code: int = 0) -> list[tuple[Act, str]]:
    script = Script()
    script.bash(command, output, exit_code)
    return acts(script)


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("git checkout -b feat/x", "Switched to a new branch 'feat/x'", (Act.CREATED, "feat/x")),
        ("git switch -c feat/x", "Switched to a new branch 'feat/x'", (Act.CREATED, "feat/x")),
        ("git checkout main", "Switched to branch 'main'\nbehind by 2", (Act.SWITCHED, "main")),
        ("git checkout 1a2b3c4", "Note: switching to '1a2b3c4'.", (Act.SWITCHED, "1a2b3c4")),
        ("gh pr checkout 12", "Switched to branch 'fix'", (Act.SWITCHED, "fix")),
        (
            "git worktree add ../w -b feat/y",
            "Preparing worktree (new branch 'feat/y')\nHEAD is now at 1a2b3c4 x",
            (Act.CREATED, "feat/y"),
        ),
        ("git branch -D old", "Deleted branch old (was 1a2b3c4).", (Act.DELETED, "old")),
        ("git merge feat/x", "Updating 1a2b3c4..5d6e7f8\nFast-forward\n a | 1 +",
         (Act.MERGED, "feat/x")),
        ("git merge --no-ff feat/x", "Merge made by the 'ort' strategy.", (Act.MERGED, "feat/x")),
        ("git pull", "Updating 1a2b3c4..5d6e7f8\nFast-forward", (Act.PULLED, "")),
        ("git pull origin main", "Merge made by the 'ort' strategy.", (Act.PULLED, "origin main")),
        ("git rebase main", "Successfully rebased and updated refs/heads/feat.",
         (Act.REBASED, "feat")),
        ("git reset --hard HEAD~1", "HEAD is now at 1a2b3c4 x", (Act.RESET, "1a2b3c4")),
    ],
)  # fmt: skip
def test_what_git_prints_tells_what_it_did(
    command: str, output: str, expected: tuple[Act, str]
) -> None:
    assert acts_of(f"cd web && {command} 2>&1 | head", output) == [expected]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git branch feat/x", [(Act.CREATED, "feat/x")]),
        ("git branch -m old new", [(Act.RENAMED, "new")]),
        ("git branch -qD a b", [(Act.DELETED, "a"), (Act.DELETED, "b")]),
        ("git checkout -q -b feat/x", [(Act.CREATED, "feat/x")]),
        ("git switch -q main", [(Act.SWITCHED, "main")]),
        ("git tag v1.0", [(Act.TAGGED, "v1.0")]),
        ("git tag -a v1.0 -m 'First one'", [(Act.TAGGED, "v1.0")]),
        ("git push -q origin main", [(Act.PUSHED, "main")]),
        ("git push -q", [(Act.PUSHED, "")]),
        ("git push -q origin HEAD:prod", [(Act.PUSHED, "prod")]),
        ("git push -q origin --delete old", [(Act.DELETED_REMOTE, "old")]),
        ("git push -q origin :old", [(Act.DELETED_REMOTE, "old")]),
        ("git push -q origin +main", [(Act.PUSHED, "main")]),
        ("git branch -f main HEAD~1", []),
        ("git branch feat/y | cat", []),
        ("ls x || (cd y && git push -q origin main)", []),
        ("! git push -q origin main && ls", []),
        ("git push -q origin main && ls | tail", [(Act.PUSHED, "main")]),
    ],
)
def test_what_git_does_without_a_word_is_told_by_the_exit_status(
    command: str, expected: list[tuple[Act, str]]
) -> None:
    assert acts_of(command) == expected
    assert acts_of(command, "error: no", 1) == []
    assert acts_of(f"{command} || true") == []
    assert acts_of(f"{command}; ls") == []


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("git branch", "* main"),
        ("git branch -a", "* main"),
        ("git branch --show-current", "main"),
        ("git branch -d -r origin/x", ""),
        ("git checkout main", "Already on 'main'"),
        ("git checkout -q a.py", ""),
        ("git tag", "v1.0"),
        ("git tag -l 'v*'", "v1.0"),
        ("git tag -d v1.0", "Deleted tag 'v1.0' (was 1a2b3c4)"),
        ("git merge feat/x", "Already up to date."),
        ("git merge feat/x", "CONFLICT (content): Merge conflict in a.py"),
        ("git pull", "Already up to date."),
        ("git push", "Everything up-to-date"),
        ("git push -n", ""),
        ("git rebase main", "Current branch feat is up to date."),
        ("echo \"Switched to branch 'main'\"", "Switched to branch 'main'"),
        ("git log", "Switched to branch 'main'"),
        ("cat push.log", "To github.com:ada/shop.git\n   1a2b3c4..5d6e7f8  main -> main"),
    ],
)
def test_what_changes_nothing_is_no_act(command: str, output: str) -> None:
    assert acts_of(command, output) == []


PUSHED = """remote: Resolving deltas
To github.com:ada/shop.git
   1a2b3c4..5d6e7f8  main -> main
 * [new branch]      feat/x -> feat/x
 + 1111111...2222222 wip -> wip (forced update)
 - [deleted]         old
 * [new tag]         v1.0 -> v1.0
 ! [rejected]        late -> late (fetch first)
 = [up to date]      same -> same
"""


def test_every_line_of_a_push_is_one_act() -> None:
    assert acts_of("git push --all", PUSHED, 1) == [
        (Act.PUSHED, "main"),
        (Act.PUSHED, "feat/x"),
        (Act.FORCE_PUSHED, "wip"),
        (Act.DELETED_REMOTE, "old"),
        (Act.PUSHED, "v1.0"),
    ]


def test_what_was_fetched_is_not_taken_for_pushed() -> None:
    output = (
        "From github.com:ada/shop\n   1a2b3c4..5d6e7f8  dev -> origin/dev\n"
        "To github.com:ada/shop.git\n   1a2b3c4..5d6e7f8  main -> main\n"
    )
    assert acts_of("git pull -q; git push", output) == [(Act.PUSHED, "main")]


def test_the_last_line_of_a_push_is_enough() -> None:
    assert acts_of("git push 2>&1 | tail -1", "1a2b3c4..5d6e7f8  main -> main") == [
        (Act.PUSHED, "main")
    ]


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ({"push": {"branch": "main"}}, [(Act.PUSHED, "main")]),
        ({"branch": {"ref": "feat/x", "action": "merged"}}, [(Act.MERGED, "feat/x")]),
        ({"branch": {"ref": "main", "action": "rebased"}}, [(Act.REBASED, "main")]),
        ({"branch": {"ref": "main", "action": "painted"}}, []),
        ({"push": {"branch": 7}, "branch": "main"}, []),
        ("main", []),
    ],
)
def test_the_record_of_claude_code_tells_an_act(
    operation: Any, expected: list[tuple[Act, str]]
) -> None:
    script = Script()
    script.tool("Bash", {"command": "./ship.sh"}, "", details={"gitOperation": operation})
    assert acts(script) == expected


def test_an_act_that_is_recorded_and_printed_is_one() -> None:
    script = Script()
    script.tool(
        "Bash",
        {"command": "git push -f"},
        "To x\n + 1111111...2222222 main -> main (forced update)",
        details={"gitOperation": {"push": {"branch": "main"}}},
    )
    assert acts(script) == [(Act.FORCE_PUSHED, "main")]
