from datetime import UTC
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.facts import Ledger
from journald.ledger.ledger import build_ledger
from tests.ledger.agents import subagent
from tests.sessions import Script

Step = tuple[str, str, int]


def solved(*steps: Step, **more: Any) -> list[int | None]:
    """Return for each failure the place of the step that solved it."""
    script = Script()
    ids = [script.bash(*step) for step in steps]
    errors = build_ledger(script.session(**more), UTC).errors
    return [ids.index(error.solved_by) if error.solved_by else None for error in errors]


def is_solved(failed: str, later: str, output: str = "", **more: Any) -> bool:
    (found,) = solved((failed, "error", 1), (later, output, 0), **more)
    return found == 1


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("npm run build", "npm run build 2>&1"),
        ("npm run build", "cd /home/ada/shop && npm run build"),
        ("npm run build", "npm run lint && npm run build && ls"),
        ("npm run build --verbose", "npm run build --silent"),
        ("npm install", "npm install --legacy-peer-deps"),
        ("npx tsc --noEmit", "time npx tsc --noEmit"),
        ("ls types/", "mkdir -p types && ls -la types/"),
        ("pytest tests/test_a.py -x", "pytest -q"),
        ("pytest tests/test_a.py::test_b", "pytest tests/test_a.py -v"),
        ("pytest tests/unit/test_a.py", "pytest tests/unit"),
        ("pytest -k cart", "pytest"),
        ("pytest -k cart -q", "pytest -k cart -x"),
        ("uv run pytest", "FORCE_COLOR=1 uv run python -m pytest --tb=short"),
        ("go test ./cart/...", "go test ./..."),
        ("go build ./cmd/shop", "go build ./..."),
        ("python3 publish.py", "python3 publish.py 7"),
        ("rm old.txt", "rm -f old.txt"),
        ("docker compose up web", "docker compose up -d web"),
        ("make build", "make -j4 build"),
        ("mkdir a", "mkdir -p a"),
    ],
)
def test_the_same_done_later_under_another_line_is_a_solution(failed: str, later: str) -> None:
    assert is_solved(failed, later)


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("npm run build", "npm run lint"),
        ("npm run build", "npm run build || true"),
        ("npm run build", "npm run build | tail -3"),
        ("npm run build", "npm run build; ls"),
        ("npm run build", "echo npm run build"),
        ("npm run build && npm run lint", "npm run build"),
        ("npx tsc --noEmit", "npx tsc --noEmit --skipLibCheck"),
        ("cd api && npm test", "cd web && npm test"),
        ("cd /home/ada/shop/api && npm test", "npm test"),
        ("pytest", "pytest tests/test_a.py"),
        ("pytest", "pytest -k cart"),
        ("pytest -k cart", "pytest -k card"),
        ("pytest tests/unit", "pytest tests/integration"),
        ("pytest tests/unit", "pytest tests/unit/test_a.py"),
        ("pytest", "pytest --collect-only"),
        ("go test ./...", "go test ./cart"),
        ("python3 publish.py", "python3 collect.py"),
        ("python3 publish.py", "python3 publish.py --help"),
        ("python3 - <<'EOF'\na()\nEOF", "python3 - <<'EOF'\nb()\nEOF"),
        ("cat > a.txt <<'EOF'\nx\nEOF", "cat > b.txt <<'EOF'\nx\nEOF"),
        ("ls types/", "ls src/"),
        ("rm a.txt b.txt", "rm a.txt"),
        ("terraform apply", "terraform apply --dry-run"),
        ("git push origin main", "git push origin other"),
        ("git add a.py", "git add b.py"),
        ("make -C api test", "make -C web test"),
        ("./deploy.sh", "./deploy.sh --dry-run"),
    ],
)
def test_what_did_less_or_something_else_is_no_solution(failed: str, later: str) -> None:
    assert not is_solved(failed, later)


def test_what_is_done_piece_by_piece_is_solved_by_the_last_piece() -> None:
    assert solved(
        ("git add a.py b.py build", "ignored", 1),
        ("git add a.py b.py", "", 0),
        ("git add -f build", "", 0),
    ) == [2]


@pytest.mark.parametrize(
    ("failed", "error", "later", "output"),
    [
        (
            "git push",
            "fatal: The current branch cart has no upstream branch.",
            "git push --set-upstream origin cart",
            "To x\n * [new branch]      cart -> cart",
        ),
        ("git push origin cart", "rejected", "git push -f", "To x\n   1a2b3c4..5d6e7f8  cart -> cart"),
        ("git push 2>&1", "rejected", "git push 2>&1 | tail -1", "1a2b3c4..5d6e7f8  cart -> cart"),
        ("git commit -m 'Fix'", "hook failed", "git commit -am 'Fix it'", "[main 1a2b3c4] Fix it"),
        (
            "git commit -m 'Fix'",
            "no changes added to commit",
            "git add -A && git commit -m 'Fix' | tail -2",
            "[main 1a2b3c4] Fix",
        ),
        ("git commit -m 'Fix'", "hook failed", "git commit -qm 'Fix' --no-verify", ""),
    ],
)  # fmt: skip
def test_a_commit_or_push_is_solved_by_the_next_that_git_proves(
    failed: str, error: str, later: str, output: str
) -> None:
    assert solved((failed, error, 1), (later, output, 0)) == [1]


@pytest.mark.parametrize(
    ("failed", "error", "later", "output"),
    [
        ("git push", "rejected", "git push", "Everything up-to-date"),
        ("git push origin cart", "rejected", "git push", "To x\n   1a2b3c4..5d6e7f8  main -> main"),
        ("git push", "rejected", "git push -n", ""),
        ("git commit -m 'Fix'", "nothing to commit", "git commit -m 'New'", "[main 1a2b3c4] New"),
        ("git commit -m 'Fix'", "hook failed", "git commit -m 'Fix' | tail -1", "hook failed"),
        (
            "cd api && git commit -m 'Fix'",
            "hook failed",
            "cd ../web && git commit -m 'Fix'",
            "[main 1a2b3c4] Fix",
        ),
    ],
)  # fmt: skip
def test_a_commit_or_push_that_nothing_proves_solves_nothing(
    failed: str, error: str, later: str, output: str
) -> None:
    assert solved((failed, error, 1), (later, output, 0)) == [None]


@pytest.mark.parametrize("taken", ["git reset", "git stash", "git restore --staged a.py"])
def test_a_commit_of_something_else_solves_nothing(taken: str) -> None:
    steps = [
        ("git commit -m 'Fix'", "hook failed", 1),
        (taken, "", 0),
        ("git commit -m 'Other'", "[main 1a2b3c4] Other", 0),
    ]
    assert solved(*steps) == [None]
    assert solved(*steps, ("git commit -m 'Fix'", "[main 5d6e7f8] Fix", 0)) == [3]


def test_all_that_a_line_was_to_do_must_be_done_before_it_is_solved() -> None:
    commit = "git add a.py && git commit -m 'Fix'"
    assert solved(
        (commit, "hook failed", 1), ("git add a.py", "", 0), ("git commit -m 'Fix'", "[main 1a2b3c4] Fix", 0)
    ) == [2]  # fmt: skip


def test_a_commit_that_a_hook_stopped_is_solved_by_the_one_that_went_through() -> None:
    script = Script()
    command = {"command": "git commit -m 'Fix'"}
    script.tool("Bash", command, "Not formatted: a.py", is_error=True)
    made = script.bash("git add a.py && git commit -m 'Fix'", "[main 1a2b3c4] Fix")
    (failure,) = build_ledger(script.session(), UTC).errors
    assert (failure.tool, failure.text, failure.solved_by) == ("Bash", "Not formatted: a.py", made)


def test_tests_that_failed_behind_a_pipe_are_an_error_until_they_pass() -> None:
    assert solved(
        ("pytest | tail -3", "1 failed, 2 passed in 0.1s", 0),
        ("pytest | tail -3", "3 passed in 0.1s", 0),
    ) == [1]


def test_of_a_line_that_hid_its_failed_tests_these_alone_must_be_done_again() -> None:
    assert solved(
        ("npm run lint; pytest | tail -3", "1 failed, 2 passed in 0.1s", 0),
        ("pytest | tail -3", "3 passed in 0.1s", 0),
    ) == [1]


def test_the_folder_that_the_shell_stands_in_is_kept_in_mind() -> None:
    cwds = ("/home/ada/shop", "/home/ada/shop/api", "/home/ada/shop/web")
    steps = [
        ("cd api && npm install", "", 0),
        ("npm test", "2 failing", 1),
        ("cd ../web && npm test", "2 passing", 0),
        ("cd ../api && npm test", "2 passing", 0),
    ]
    assert solved(*steps, cwds=cwds) == [3]


def test_a_folder_that_claude_code_took_the_shell_back_from_is_left() -> None:
    cwds = ("/home/ada/shop", "/home/ada/shop/api")
    steps = [
        ("cd /tmp && ls", "Shell cwd was reset to /home/ada/shop", 0),
        ("npm run build", "error", 1),
        ("cd /home/ada/shop && npm run build", "", 0),
    ]
    assert solved(*steps, cwds=cwds) == [2]


def test_a_sub_agent_may_solve_what_failed_before() -> None:
    script = Script()
    script.bash("npm run build", "error", 1)
    task = script.call("Task", {"description": "x"})
    helper = Script(prefix="a1.")
    done = helper.bash("npm run build")
    script.result(task, "done")
    (failure,) = build_ledger(script.session(subagent(helper, "a1", task)), UTC).errors
    assert failure.solved_by == done


@pytest.mark.parametrize(
    ("name", "failed", "later", "solution"),
    [
        ("WebFetch", {"url": "https://a.example/x", "prompt": "Find all of it"},
         {"url": "https://a.example/y", "prompt": "Find all of it"}, False),
        ("WebFetch", {"url": "https://a.example/x", "prompt": "a"},
         {"url": "https://a.example/x", "prompt": "b"}, True),
        ("mcp__linear__create_issue", {"title": "Cart is empty", "team": 7},
         {"title": "Cart is empty", "team": "ADA"}, True),
        ("mcp__linear__create_issue", {"title": "Cart is empty"}, {"title": "Cart is full"}, False),
        ("Read", {"file_path": "a.py"}, {"file_path": "/home/ada/shop/a.py"}, True),
    ],
)  # fmt: skip
def test_another_tool_s_failure_is_solved_by_the_same_call_done(
    name: str, failed: dict[str, Any], later: dict[str, Any], solution: bool
) -> None:
    script = Script()
    script.tool(name, failed, "no such thing", is_error=True)
    done = script.tool(name, later, "ok")
    (failure,) = build_ledger(script.session(), UTC).errors
    assert failure.solved_by == (done if solution else None)


LINES = ["npm test", "cd api && npm test", "npm run build", "git add a", "git add a b",
         "git commit -m x", "git push", "git push origin main", "pytest -k a", "pytest",
         "npm test | tail -1", "ls a; ls b", "ls a && ls b", "cat <<E\nx\nE"]  # fmt: skip
OUTPUTS = ["", "[main 1a2b3c4] x", "1 failed in 1s", "3 passed in 1s",
           "To x\n   1a2b3c4..5d6e7f8  main -> main"]  # fmt: skip


@settings(max_examples=120)
@given(
    st.lists(
        st.tuples(st.sampled_from(LINES), st.sampled_from(OUTPUTS), st.integers(0, 1)), max_size=9
    )
)
def test_a_solution_is_always_later_and_never_a_failure_itself(steps: list[Step]) -> None:
    script = Script()
    order = [script.bash(*step) for step in steps]
    ledger: Ledger = build_ledger(script.session(), UTC)
    failed = {error.id for error in ledger.errors}
    for error in ledger.errors:
        if error.solved_by is not None:
            assert order.index(error.solved_by) > order.index(error.id)
            assert error.solved_by not in failed
