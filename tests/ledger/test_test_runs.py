"""What becomes of whole command lines: their runs, judged by output and exit status."""

from datetime import UTC
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.commands import make_ran
from journald.ledger.facts import Command, TestRun
from journald.ledger.ledger import build_ledger
from journald.ledger.tests import find_tests
from journald.transcript.clean import clean
from tests.sessions import Script

JEST_GOOD = "Test Suites: 1 passed, 1 total\nTests:       2 passed, 2 total"
JEST_BAD = "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total"


def runs(command: str, output: str = "", exit_code: int = 0) -> list[TestRun]:
    script = Script()
    script.bash(command, output, exit_code)
    return list(build_ledger(script.session(), UTC).tests)


def outcomes(command: str, output: str = "", exit_code: int = 0) -> list[tuple[Any, ...]]:
    return [
        (run.runner, run.passed, run.failed, run.ok) for run in runs(command, output, exit_code)
    ]


def ok(command: str, output: str = "", exit_code: int = 0) -> bool | None:
    (run,) = runs(command, output, exit_code)
    return run.ok


def test_skipped_tests_are_told() -> None:
    (run,) = runs("pytest", "2 passed, 3 skipped in 0.1s")
    assert (run.passed, run.failed, run.skipped, run.ok) == (2, 0, 3, True)


@pytest.mark.parametrize(
    ("command", "exit_code", "expected"),
    [
        ("pytest -qq", 0, True),
        ("pytest -qq", 1, False),
        ("cd api && pytest -qq", 1, False),
        ("cd api && pytest -qq && npm run build", 0, True),
        ("pytest -qq | tail -1", 0, None),
        ("set -o pipefail; pytest -qq | tail -1", 0, True),
        ("set -o pipefail; pytest -qq | tail -1", 1, False),
        ("pytest -qq || true", 0, None),
        ("! pytest -qq", 0, None),
        ("! pytest -qq", 1, None),
        ("pytest -qq; ls", 0, None),
        ("pytest -qq &", 0, None),
        ("for i in 1 2; do pytest -qq; done", 0, None),
        ("if pytest -qq; then ls; fi", 0, None),
        ("out=$(pytest -qq)", 0, None),
        ("timeout 60 pytest -qq", 124, None),
        ("pytest -qq", 130, None),
        ("pytest -qq", 137, None),
        ("pytest -qq", 143, None),
        ("pytest -qq", 139, False),
    ],
)
def test_a_silent_run_is_judged_by_an_exit_status_that_is_its_own(
    command: str, exit_code: int, expected: bool | None
) -> None:
    assert ok(command, "", exit_code) is expected


@pytest.mark.parametrize("command", ["jest | tail -5", "jest || true", "jest; ls", "jest &"])
def test_a_summary_decides_where_the_exit_status_is_hidden(command: str) -> None:
    assert ok(command, JEST_GOOD) is True
    assert ok(command, JEST_BAD) is False


def test_failures_in_a_summary_count_even_when_the_line_ended_well() -> None:
    assert ok("jest --forceExit", JEST_BAD) is False


@pytest.mark.parametrize(("exit_code", "expected"), [(1, False), (0, True), (124, True)])
def test_a_runner_that_fails_after_a_good_summary_failed(
    exit_code: int, expected: bool | None
) -> None:
    output = "12 passed in 1.0s\nFAIL Required test coverage of 90% not reached."
    assert outcomes("pytest --cov", output, exit_code) == [("pytest", 12, 0, expected)]


def test_a_script_may_fail_for_other_reasons_than_its_tests() -> None:
    assert outcomes("npm test", f"{JEST_GOOD}\n> eslint\n1 error", 1) == [("jest", 2, 0, True)]


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ('npm test -s >/dev/null; echo "exit: $?"', "exit: 0", True),
        ('npm test -s >/dev/null; echo "exit: $?"', "exit: 1", False),
        ("npm test -s >/dev/null; echo $?", "0", True),
        ("npm test -s | tail -3; echo $?", "0", None),
        ('npm test -s | tail -3; echo "rc ${PIPESTATUS[0]}"', "rc 1", False),
        ('cat in | npm test -s | tail -3; echo "rc ${PIPESTATUS[1]}"', "rc 0", True),
        ('cat in | npm test -s | tail -3; echo "rc ${PIPESTATUS[0]}"', "rc 0", None),
        ('npm test > o 2>&1; rc=$?; tail -5 o; echo "rc=$rc"', "...\nrc=1", False),
        ('npm test > o 2>&1\nrc=$?\necho "rc=${rc}"', "rc=0", True),
        ("npm test | tail; rc=$?; echo $rc", "0", None),
        ("npm test > o 2>&1 && echo GOOD || echo BAD", "GOOD", True),
        ("npm test > o 2>&1 && echo GOOD || echo BAD", "BAD", False),
        ("npm test > o 2>&1 && echo GOOD || echo BAD", "", None),
        ("npm test | tail && echo GOOD || echo BAD", "GOOD", None),
        ("npm test -s; echo done", "done", None),
    ],
)
def test_what_a_line_echoes_of_an_exit_status_counts(
    command: str, output: str, expected: bool | None
) -> None:
    assert ok(command, output) is expected


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("npm run build && npm test", "error TS2304", 2),
        ("pytest", "bash: pytest: command not found", 127),
        ("pytest | tail", "bash: line 1: pytest: command not found", 0),
        ("pytest | tail", "zsh: command not found: pytest", 0),
        ("python -m pytest | tail", "/usr/bin/python: No module named pytest", 0),
        ("rtk bun run test | tail", "error: unrecognized subcommand 'bun'\n\nUsage: rtk", 0),
        ("cargo nextest run | tail", "error: no such command: `nextest`", 0),
        ("npm test", 'npm error Missing script: "test"', 1),
        ("npm test", "> jest\n\nsh: 1: jest: not found", 127),
        ("npm test | tail", "> jest\n\nsh: jest: command not found", 0),
        ("yarn vitest", 'error Command "vitest" not found.', 1),
        ("make test | tail", "make: *** No rule to make target 'test'.  Stop.", 0),
        ("uv run pytest", "error: Failed to spawn: `pytest`", 2),
        (
            "node_modules/.bin/jest | tail",
            "bash: node_modules/.bin/jest: No such file or directory",
            0,
        ),
        ("docker exec web pytest", "Error response from daemon: No such container: web", 1),
        ("pytest --zzz", "ERROR: usage: pytest [options]\npytest: error: unrecognized", 4),
        ("pytest -k zzz", "2 deselected in 0.01s", 5),
        ("pytest tests", "no tests ran in 0.01s", 5),
        ("npx jest zzz | tail", "No tests found, exiting with code 1", 0),
        ("pnpm test zzz | tail", "> jest zzz\n\nNo tests found, exiting with code 0", 0),
        ("npx vitest run zzz", "No test files found, exiting with code 1", 1),
        ("go test ./c", "?   \tshop/c\t[no test files]", 0),
        ("cargo test zzz", "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured", 0),
        ("bun test zzz", "The following filters did not match any test files:\n zzz", 1),
        ("npx mocha zzz", 'Error: No test files found: "zzz"', 1),
        ("npx playwright test zzz", "Error: No tests found.", 1),
        ("mix test zzz.exs", 'Paths given to "mix test" did not match any directory/file', 1),
        ("nox -s zzz", "nox > Sessions not found: zzz", 3),
        ("tox -e zzz", "HandledError| provided environments not found in configuration file:", 1),
        ("ctest -R zzz", "No tests were found!!!", 0),
        ("python -m unittest", "Ran 0 tests in 0.000s\n\nOK", 0),
    ],
)
def test_tests_that_never_began_are_no_run(command: str, output: str, exit_code: int) -> None:
    assert runs(command, output, exit_code) == []


@pytest.mark.parametrize(
    ("command", "output", "exit_code", "runner"),
    [
        ("cargo test", "error: could not compile `shop` (lib test)", 101, "cargo test"),
        ("go test ./d", "d.go:3: undefined: x\nFAIL\tshop/d [build failed]", 2, "go test"),
        ("npx mocha", "Error: Cannot find module 'shop'", 1, "mocha"),
        ("pytest", "Fatal Python error: Aborted", 134, "pytest"),
        ("mvn test", "[ERROR] COMPILATION ERROR\n[INFO] BUILD FAILURE", 1, "maven"),
        ("mix test", "== Compilation error in file test/cart_test.exs ==", 1, "mix test"),
        ("php phpunit.phar", "PHP Parse error: syntax error", 255, "phpunit"),
    ],
)
def test_a_run_that_broke_before_its_summary_failed(
    command: str, output: str, exit_code: int, runner: str
) -> None:
    assert outcomes(command, output, exit_code) == [(runner, None, None, False)]


def test_a_run_that_a_failure_before_it_may_have_stopped_counts_with_a_summary() -> None:
    assert outcomes("npm run build && npm test", JEST_BAD, 1) == [("jest", 2, 1, False)]


def test_a_script_is_named_by_the_runner_that_its_output_shows() -> None:
    assert outcomes("make test", "== 4 passed in 1.00s ==") == [("pytest", 4, 0, True)]
    assert outcomes("npm test | tail -1", "nothing of use") == [("npm", None, None, None)]


def test_a_script_that_runs_two_suites_is_two_runs() -> None:
    output = f"== 4 passed in 1.00s ==\n{JEST_BAD}"
    assert outcomes("make test", output, 2) == [("pytest", 4, 0, True), ("jest", 2, 1, False)]


def test_what_may_run_tests_counts_only_with_a_summary() -> None:
    assert outcomes("npm run ci", "built in 3s") == []
    assert outcomes("npm run ci", "No tests found, exiting with code 0") == []
    assert outcomes("npm run ci", JEST_GOOD) == [("jest", 2, 0, True)]
    assert outcomes("mvn install", "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0") == [
        ("maven", 5, 0, True)
    ]


def test_two_runners_in_one_line_are_two_runs() -> None:
    output = "== 4 passed in 1.00s ==\ntest result: FAILED. 1 passed; 2 failed; 0 ignored"
    assert outcomes("pytest; cargo test", output, 101) == [
        ("pytest", 4, 0, True),
        ("cargo test", 1, 2, False),
    ]


def test_a_script_does_not_take_the_summary_of_a_runner_beside_it() -> None:
    assert outcomes("npm test --silent; pytest", "== 4 passed in 1.00s ==") == [
        ("npm", None, None, None),
        ("pytest", 4, 0, True),
    ]


def test_one_runner_that_ran_twice_in_a_line_is_one_run_with_the_sum() -> None:
    output = "2 passed in 0.01s\n2 passed in 0.01s"
    assert outcomes("pytest a; pytest b", output) == [("pytest", 4, 0, True)]
    assert outcomes("for d in a b; do pytest $d; done", output) == [("pytest", 4, 0, True)]


def test_a_summary_that_a_line_prints_again_counts_once() -> None:
    output = "1 failed, 2 passed in 0.51s\nFAILED a.py::b\n1 failed, 2 passed in 0.51s"
    command = "pytest -q 2>&1 | tee out.log; grep FAILED out.log; tail -1 out.log"
    assert outcomes(command, output) == [("pytest", 2, 1, False)]


def test_colours_of_a_terminal_do_not_matter() -> None:
    output = "\x1b[31m\x1b[1m1 failed\x1b[0m, \x1b[32m2 passed\x1b[0m\x1b[31m in 0.14s\x1b[0m"
    assert outcomes("pytest --color=yes", clean(output), 1) == [("pytest", 2, 1, False)]
    output = (
        "\x1b[2m      Tests \x1b[22m \x1b[1m\x1b[32m2 passed\x1b[39m\x1b[22m\x1b[90m (2)\x1b[39m"
    )
    assert outcomes("npx vitest run", clean(output)) == [("vitest", 2, 0, True)]


def test_a_progress_bar_before_the_summary_does_not_matter() -> None:
    output = clean("1/2\r2/2\rtest result: ok. 2 passed; 0 failed; 0 ignored")
    assert outcomes("cargo test", output) == [("cargo test", 2, 0, True)]


def test_a_background_run_is_read_from_what_was_fetched_later() -> None:
    script = Script()
    script.tool(
        "Bash",
        {"command": "pytest", "run_in_background": True},
        "Command running in background with ID: b9",
        details={"backgroundTaskId": "b9"},
    )
    script.tool(
        "TaskOutput",
        {"task_id": "b9"},
        "=== 1 failed, 9 passed in 8.0s ===",
        details={"task": {"task_id": "b9", "status": "completed", "exitCode": 1}},
    )
    (run,) = build_ledger(script.session(), UTC).tests
    assert (run.passed, run.failed, run.ok) == (9, 1, False)


def test_a_run_without_a_result_has_no_outcome() -> None:
    script = Script()
    script.call("Bash", {"command": "pytest"})
    (run,) = build_ledger(script.session(), UTC).tests
    assert (run.passed, run.failed, run.skipped, run.ok) == (None, None, None, None)


LINES = st.sampled_from(
    ["pytest", "npm test", "| tail", "; echo $?", "&& echo A || echo B", "; rc=$?; echo $rc",
     "$(pytest)", "(", ")", "{ ", "\n", "make", "&", "!", "for x in y; do", "done", "'", "bash -c"]
)  # fmt: skip
OUTPUTS = st.sampled_from(
    ["2 passed in 0.1s\n", "1 failed in 0.1s\n", "A\n", "B\n", "0\n", "1\n", "rc", JEST_BAD,
     "pytest: command not found\n", "usage: x\n", "no tests ran in 0.1s\n", "\x00", "9" * 40]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(
    st.lists(LINES, max_size=8).map(" ".join),
    st.lists(OUTPUTS, max_size=5).map("".join),
    st.one_of(st.none(), st.integers(-1, 255)),
)
def test_no_run_is_good_whose_output_tells_of_failures(
    command: str, output: str, status: int | None
) -> None:
    told = Command(
        id="e1",
        at=None,
        command=command,
        ok=None if status is None else status == 0,
        exit_status=status,
    )
    for run in find_tests((make_ran(told, output),)):
        assert not (run.failed and run.ok)
        assert run.passed or run.failed or run.skipped or run.passed is None
