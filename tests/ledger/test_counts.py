import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.counts import Counts
from journald.ledger.readers import READERS, detect, empty, read
from tests.ledger import test_nativecounts, test_pythoncounts, test_reportcounts, test_scriptcounts
from tests.ledger.summaries import Summary

# What each runner prints when all went well and when something failed: a script that prints it
# shows which runner it started.
TELLING = [
    ("pytest", "=== 1 failed, 12 passed in 0.12s ==="),
    ("unittest", "Ran 9 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)"),
    ("jest", "Tests:       2 failed, 5 passed, 7 total"),
    ("vitest", " Test Files  2 passed (2)\n      Tests  8 passed (8)"),
    ("mocha", "  14 passing (20ms)\n  2 failing"),
    ("node --test", "# tests 3\n# pass 2\n# fail 1"),
    ("go test", "ok  \texample.com/a\t0.01s"),
    ("go test", "FAIL\texample.com/a [build failed]"),
    ("cargo test", "test result: FAILED. 5 passed; 1 failed; 0 ignored; 0 measured"),
    ("cargo nextest", "     Summary [   0.1s] 6 tests run: 5 passed, 1 failed, 2 skipped"),
    ("maven", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0"),
    ("gradle", "5 tests completed, 2 failed"),
    ("rspec", "12 examples, 1 failure, 2 pending"),
    ("minitest", "5 runs, 7 assertions, 1 failures, 0 errors, 1 skips"),
    ("phpunit", "OK (5 tests, 7 assertions)"),
    ("phpunit", "  Tests:    5 passed (7 assertions)"),
    ("ctest", "100% tests passed, 0 tests failed out of 5"),
    ("dotnet test", "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5"),
    ("swift test", "\u2714 Test run with 5 tests passed after 0.1 seconds."),
    ("mix test", "3 doctests, 5 tests, 1 failure"),
    ("playwright", "  5 passed (3.2s)"),
    ("bun test", " 5 pass\n 0 fail"),
    ("deno test", "ok | 5 passed | 0 failed (10ms)"),
    ("jasmine", "3 specs, 1 failure"),
    ("ava", "  2 tests passed"),
    ("flutter test", "00:02 +5: All tests passed!"),
    ("tap", "1..2\nok 1 a\nnot ok 2 b"),
]
ROWS = [
    *test_pythoncounts.PYTEST,
    *test_pythoncounts.UNITTEST,
    *(
        row
        for table in (test_scriptcounts, test_nativecounts, test_reportcounts)
        for rows in table.SUMMARIES.values()
        for row in rows
    ),
]


@pytest.mark.parametrize(("runner", "output"), TELLING)
def test_the_output_of_a_script_tells_which_runner_it_started(runner: str, output: str) -> None:
    assert [*detect(f"> shop@1.0.0 test\n{output}\n")] == [runner]


def test_a_script_that_started_two_runners_is_two_runs() -> None:
    found = detect("2 passed in 0.1s\nTests:       1 failed, 1 total\n")
    assert {runner: counts.ok for runner, counts in found.items()} == {
        "pytest": True,
        "jest": False,
    }


@pytest.mark.parametrize(
    "output",
    [
        "OK",
        "BUILD SUCCESS",
        "BUILD SUCCESSFUL in 3s",
        "congratulations :)",
        "ERROR src/cart.py: syntax",
        "compiled 3 passed",
        "2 tests collected in 0.01s",
        "5 passing the gate",
        "FAIL src/cart.test.ts",
        "FAIL",
        "   5 passed",
        "error: test failed, to rerun pass `--lib`",
        "Tests: see below",
        "ok",
    ],
)
def test_lines_that_other_programs_print_too_tell_no_runner(output: str) -> None:
    assert detect(f"{output}\n") == {}


@pytest.mark.parametrize(
    "prefix", ["web:test: ", "web-1  | ", "[web] ", "apps/web test: ", "@shop/web:test:unit: "]
)
def test_what_starts_many_runners_may_name_each_line(prefix: str) -> None:
    output = f"{prefix}Tests:       5 passed, 5 total\n{prefix}Time:        1 s\n"
    assert read("jest", output) == Counts(passed=5, failed=0, skipped=0, ok=True)
    assert [*detect(output)] == ["jest"]


@pytest.mark.parametrize("runner", sorted(READERS))
def test_output_without_a_summary_tells_nothing(runner: str) -> None:
    assert read(runner, "Compiling shop v0.1.0\nwarning: 3 passed the gate\n") is None


@pytest.mark.parametrize("summary", ROWS, ids=str)
def test_a_run_is_empty_only_when_no_test_ran(summary: Summary) -> None:
    assert empty(summary.counts) == (summary.ok is None)


# Each repeated, a line that a pattern of some reader begins to match and never ends.
LINES = [
    "Tests  1 1 1 1 1 1 1 1 1",
    "Tests: 1 a11 a11 a11 ",
    "Tests:       1 passed, ",
    "Test Suites: 1 passed, ",
    "Test Files  1 passed | ",
    "1 passed, ",
    " ",
    "1",
    "a" * 30,
    "1 a ",
    "a::a",
    "a:a:a ",
    "[a",
    "| ",
    "Test run summary: ",
    "Summary [",
    "Summary [  1s] 1 tests run: ",
    "Executed 1 tests, with ",
    "Total tests: 1 ",
    "Ran 1 test in 1s ",
    "FAIL a.b.",
    "FAIL x",
    "\u25cf a \u203a",
    "\u2718 Test a failed after",
    "Tests: 1, Assertions: 1, A: 1",
    "test a FAILED",
    "ok 1 #",
    '"numPassedTests": 1',
    '{"Time":"',
    "ok | 1 passed ",
    "Test Suite 'All tests' passed at ",
    "ERROR a.py",
    "OK (",
    "error: \n",
    "\n",
    "\t",
]


@pytest.mark.parametrize("line", LINES)
def test_nonsense_of_any_length_is_read_fast(line: str) -> None:
    output = line * (40_000 // len(line)) + "!"
    started = time.process_time()
    for runner in READERS:
        read(runner, output)
    assert time.process_time() - started < 2


PIECES = st.sampled_from(
    [*(row.output for row in ROWS), *LINES, "9" * 30, "\n", "passed", "failed", "\x00", "\ud800"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(PIECES, st.text(max_size=20)), max_size=8).map("".join))
def test_any_output_is_read_without_an_error(output: str) -> None:
    for runner in READERS:
        counts = read(runner, output)
        if counts is not None:
            assert min(counts.passed or 0, counts.failed or 0, counts.skipped or 0) >= 0
            assert not (counts.failed and counts.ok)
    detect(output)
