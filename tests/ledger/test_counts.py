import time

import pytest

from journald.ledger.counts import Counts
from journald.ledger.readers import READERS, detect

SUMMARIES = [
    ("pytest", "=== 1 failed, 12 passed, 2 skipped, 1 warning in 0.12s ===", 12, 1, False),
    ("pytest", "12 passed in 1.02s", 12, 0, True),
    ("pytest", "=== 3 passed in 75.31s (0:01:15) ===", 3, 0, True),
    (
        "pytest",
        "!!! Interrupted: 1 error during collection !!!\n== 1 error in 0.20s ==",
        0,
        1,
        False,
    ),
    ("pytest", "=== no tests ran in 0.01s ===", 0, 0, None),
    ("pytest", "== 2 passed, 1 error in 3.00s ==", 2, 1, False),
    ("unittest", "....\n-----\nRan 4 tests in 0.001s\n\nOK", 4, 0, True),
    (
        "unittest",
        "Ran 9 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)",
        5,
        3,
        False,
    ),
    ("jest", "Test Suites: 3 passed, 3 total\nTests:       72 passed, 72 total", 72, 0, True),
    (
        "jest",
        "Test Suites: 1 failed, 1 total\nTests:       2 failed, 1 skipped, 5 passed, 8 total",
        5,
        2,
        False,
    ),
    (
        "jest",
        "Test Suites: 1 failed, 2 passed, 3 total\nTests:       5 passed, 5 total",
        5,
        0,
        False,
    ),
    (
        "vitest",
        " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 10 passed | 1 skipped (12)",
        10,
        1,
        False,
    ),
    ("vitest", " Test Files  2 passed (2)\n      Tests  8 passed (8)", 8, 0, True),
    (
        "vitest",
        " Test Files  2 passed (2)\n      Tests  8 passed (8)\n     Errors  1 error",
        8,
        0,
        False,
    ),
    ("vitest", " Test Files  1 failed (1)\n      Tests  no tests", None, None, False),
    ("mocha", "\n  14 passing (20ms)\n  1 pending\n  2 failing\n", 14, 2, False),
    ("mocha", "  14 passing (2s)", 14, 0, True),
    ("node --test", "# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0", 2, 1, False),
    ("node --test", "ℹ tests 3\nℹ pass 3\nℹ fail 0", 3, 0, True),  # noqa: RUF001 - the sign that node prints
    ("go test", "ok  \texample.com/a\t0.01s\n?   \texample.com/b\t[no test files]", None, 0, True),
    (
        "go test",
        (
            "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\n"
            "--- FAIL: TestB (0.00s)\nFAIL\nFAIL\texample.com/a\t0.01s\nFAIL"
        ),
        1,
        1,
        False,
    ),
    (
        "go test",
        "# example.com/a\n./a.go:1: bad\nFAIL\texample.com/a [build failed]",
        None,
        None,
        False,
    ),
    ("go test", "ok  \texample.com/a\t(cached)", None, 0, True),
    ("go test", "DONE 10 tests, 1 skipped, 2 failures in 1.2s", 7, 2, False),
    (
        "cargo test",
        (
            "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured\n"
            "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured"
        ),
        7,
        0,
        True,
    ),
    ("cargo test", "test result: FAILED. 5 passed; 1 failed; 0 ignored", 5, 1, False),
    (
        "cargo nextest",
        "     Summary [   0.1s] 6 tests run: 5 passed, 1 failed, 2 skipped",
        5,
        1,
        False,
    ),
    (
        "maven",
        (
            "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in A\n"
            "[INFO] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n[INFO] BUILD FAILURE"
        ),
        2,
        2,
        False,
    ),
    ("maven", "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS", 5, 0, True),
    ("gradle", "5 tests completed, 2 failed\n\nBUILD FAILED in 3s", 3, 2, False),
    ("gradle", "BUILD SUCCESSFUL in 3s", None, None, True),
    ("rspec", "12 examples, 1 failure, 2 pending", 9, 1, False),
    ("rspec", "0 examples, 0 failures, 1 error occurred outside of examples", 0, 1, False),
    ("minitest", "5 runs, 7 assertions, 1 failures, 0 errors, 1 skips", 3, 1, False),
    ("phpunit", "OK (5 tests, 7 assertions)", 5, 0, True),
    (
        "phpunit",
        "FAILURES!\nTests: 6, Assertions: 7, Errors: 1, Failures: 1, Skipped: 1.",
        3,
        2,
        False,
    ),
    ("pest", "  Tests:    1 failed, 5 passed (7 assertions)", 5, 1, False),
    ("ctest", "80% tests passed, 1 tests failed out of 5", 4, 1, False),
    (
        "dotnet test",
        "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 9 ms",
        5,
        0,
        True,
    ),
    ("dotnet test", "Total tests: 6\n     Passed: 5\n     Failed: 1", 5, 1, False),
    (
        "dotnet test",
        "Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s",
        4,
        1,
        False,
    ),
    (
        "swift test",
        (
            "\t Executed 2 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n"
            "\t Executed 5 tests, with 1 failure (0 unexpected) in 0.2 (0.2) seconds"
        ),
        4,
        1,
        False,
    ),
    ("swift test", "✔ Test run with 5 tests passed after 0.1 seconds.", 5, 0, True),
    ("mix test", "3 doctests, 5 tests, 1 failure, 2 excluded", 5, 1, False),
    ("mix test", "424 tests, 0 failures", 424, 0, True),
    ("playwright", "  1 failed\n    a.spec.ts\n  5 passed (3.2s)", 5, 1, False),
    ("bun test", " 5 pass\n 1 fail\nRan 6 tests across 1 files.", 5, 1, False),
    ("deno test", "ok | 5 passed | 0 failed (10ms)", 5, 0, True),
    ("tox", "== 5 passed in 0.1s ==\n  py311: OK (2.30 seconds)\n  lint: FAIL code 1", 5, 0, False),
    ("nox", "nox > Session tests was successful.\n3 passed in 0.1s", 3, 0, True),
    ("nox", "nox > Session tests failed.", None, None, False),
    ("bats", "1..3\nok 1 a\nnot ok 2 b\nok 3 c # skip", 1, 1, False),
    ("flutter test", "00:02 +5 -1: Some tests failed.", 5, 1, False),
]


@pytest.mark.parametrize(("runner", "output", "passed", "failed", "ok"), SUMMARIES)
def test_the_summary_of_each_runner_is_read(
    runner: str, output: str, passed: int | None, failed: int | None, ok: bool | None
) -> None:
    text = f"noise before\n{output}\n"
    assert READERS[runner](text) == Counts(passed=passed, failed=failed, ok=ok)


@pytest.mark.parametrize("runner", sorted(READERS))
def test_output_without_a_summary_tells_nothing(runner: str) -> None:
    assert READERS[runner]("Compiling shop v0.1.0\nwarning: 3 passed the gate\n") is None


@pytest.mark.parametrize("runner", sorted(READERS))
@pytest.mark.parametrize(
    "line",
    ["Tests  1 1 1 1 1 1 1 1 1", "Tests: 1 a11 a11 a11 ", "1 passed, ", " ", "a" * 30, "1 a "],
)
def test_nonsense_of_any_length_is_read_fast(runner: str, line: str) -> None:
    started = time.process_time()
    READERS[runner](line * 2_000 + "!")
    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("runner", "output"),
    [
        (runner, output)
        for runner, output, passed, failed, _ in SUMMARIES
        if runner in {"pytest", "unittest", "jest", "vitest", "cargo test", "rspec", "mix test"}
        and (passed or failed)
    ],
)
def test_a_script_s_output_tells_its_runner(runner: str, output: str) -> None:
    found = detect(output)
    assert found is not None
    assert found[0] == runner


def test_a_summary_that_was_printed_twice_counts_once() -> None:
    line = "=== 3 passed in 0.51s ==="
    assert READERS["pytest"](f"{line}\n{line}\n") == Counts(passed=3, failed=0, ok=True)
