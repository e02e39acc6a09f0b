import pytest

from journald.ledger.readers import read
from tests.ledger.summaries import Summary

SUMMARIES = {
    "jest": [
        Summary(
            "passed",
            "Test Suites: 3 passed, 3 total\nTests:       72 passed, 72 total\nSnapshots:   0 total",
            72, 0, 0, True,
        ),
        Summary(
            "everything",
            "Test Suites: 1 failed, 1 total\n"
            "Tests:       2 failed, 1 skipped, 1 todo, 5 passed, 9 total",
            5, 2, 1, False,
        ),
        Summary(
            "a suite that did not start",
            "Test Suites: 1 failed, 2 passed, 3 total\nTests:       5 passed, 5 total",
            5, 0, 0, False,
        ),
        Summary(
            "no suite started", "Test Suites: 1 failed, 1 total\nTests:       0 total",
            0, 0, 0, False,
        ),
        Summary(
            "only skipped", "Test Suites: 1 skipped, 0 of 1 total\nTests:       2 skipped, 2 total",
            0, 0, 2, True,
        ),
        Summary("nothing there", "No tests found, exiting with code 1", 0, 0, 0),
        Summary("a failure alone", "FAIL src/cart.test.ts\n  \u25cf cart \u203a adds up", ok=False),
        Summary(
            "watching", "Tests:       1 failed, 1 total\nTests:       1 passed, 1 total\n\nWatch Usage",
            1, 0, 0, True,
        ),
        Summary("several projects", "Tests:       1 passed, 1 total\nTests:       2 passed, 2 total",
                3, 0, 0, True),
        Summary("json", '{"numFailedTestSuites":1,"numFailedTests":1,"numPassedTests":2,'
                '"numPendingTests":3,"numTotalTests":6}', 2, 1, 3, False),
    ],
    "vitest": [
        Summary(
            "passed", " Test Files  2 passed (2)\n      Tests  8 passed (8)\n   Start at  04:42:07",
            8, 0, 0, True,
        ),
        Summary(
            "everything",
            " Test Files  1 failed | 2 passed (3)\n"
            "      Tests  1 failed | 10 passed | 1 skipped | 2 todo (14)",
            10, 1, 1, False,
        ),
        Summary(
            "an error beside the tests",
            " Test Files  2 passed (2)\n      Tests  8 passed (8)\n     Errors  1 error",
            8, 0, 0, False,
        ),
        Summary("no file loaded", " Test Files  1 failed (1)\n      Tests  no tests", ok=False),
        Summary(
            "one file of two loaded",
            " Test Files  1 failed | 1 passed (2)\n      Tests  2 passed (2)",
            2, 0, 0, False,
        ),
        Summary("only skipped", " Test Files  1 skipped (1)\n      Tests  1 skipped (1)",
                0, 0, 1, True),
        Summary("nothing there", "No test files found, exiting with code 1", 0, 0, 0),
        Summary("a failure alone", " FAIL  src/cart.test.ts > adds up", ok=False),
        Summary(
            "watching",
            "      Tests  1 failed (1)\n      Tests  1 passed (1)\n PASS  Waiting for file changes...",
            1, 0, 0, True,
        ),
        Summary("tap", "TAP version 13\n1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP",
                1, 1, 1, False),
        Summary("json", '{"numTotalTests":4,"numPassedTests":1,"numFailedTests":1,'
                '"numPendingTests":1,"numTodoTests":1}', 1, 1, 1, False),
    ],
    "mocha": [
        Summary("passed", "\n  14 passing (20ms)\n", 14, 0, 0, True),
        Summary("everything", "\n  1 passing (8ms)\n  1 pending\n  2 failing\n", 1, 2, 1, False),
        Summary("only pending", "\n  0 passing (3ms)\n  1 pending\n", 0, 0, 1, True),
        Summary("nothing there", "\n  0 passing (3ms)\n", 0, 0, 0),
        Summary("a hook failed", "\n  0 passing (3ms)\n  1 failing\n", 0, 1, 0, False),
        Summary("tap", "ok 1 a\nnot ok 2 b\n# tests 2\n# pass 1\n# fail 1\n1..2", 1, 1, 0, False),
        Summary("json", '"stats": {"suites": 1,"tests": 3,"passes": 1,"pending": 1,"failures": 1}',
                1, 1, 1, False),
    ],
    "ava": [
        Summary("passed", "  2 tests passed", 2, 0, 0, True),
        Summary("failed", "  1 test failed\n  1 test skipped", 0, 1, 1, False),
        Summary("exception", "  2 tests passed\n  1 uncaught exception", 2, 1, 0, False),
        Summary("tap", "1..2\n# tests 2\n# pass 2\n# fail 0", 2, 0, 0, True),
    ],
    "playwright": [
        Summary("passed", "  1 passed (864ms)", 1, 0, 0, True),
        Summary("minutes", "  40 passed (1.2m)", 40, 0, 0, True),
        Summary(
            "everything",
            "  2 failed\n    [web] a.spec.ts:1:1\n  1 flaky\n    a.spec.ts:3\n  1 skipped\n"
            "  1 did not run\n  5 passed (3.2s)",
            6, 2, 2, False,
        ),
    ],
    "bun test": [
        Summary("passed", " 2 pass\n 0 fail\nRan 2 tests across 1 file. [4.00ms]", 2, 0, 0, True),
        Summary("everything", " 1 pass\n 1 skip\n 1 todo\n 1 fail\n 9 expect() calls",
                1, 1, 1, False),
        Summary("an error among the failures", " 2 pass\n 1 fail\n 1 error", 2, 1, 0, False),
        Summary("an error beside them", " 2 pass\n 0 fail\n 1 error", 2, 1, 0, False),
        Summary("only skipped", " 0 pass\n 1 skip\n 0 fail", 0, 0, 1, True),
    ],
    "deno test": [
        Summary("passed", "ok | 5 passed | 0 failed (10ms)", 5, 0, 0, True),
        Summary("everything", "FAILED | 2 passed (1 step) | 1 failed | 1 ignored (26ms)",
                2, 1, 1, False),
        Summary("nothing left", "ok | 0 passed | 0 failed | 1 filtered out (7ms)", 0, 0, 0),
    ],
    "jasmine": [
        Summary("passed", "1 spec, 0 failures", 1, 0, 0, True),
        Summary("everything", "3 specs, 1 failure, 1 pending spec", 1, 1, 1, False),
    ],
    "rspec": [
        Summary("passed", "3 examples, 0 failures", 3, 0, 0, True),
        Summary("everything", "12 examples, 1 failure, 2 pending", 9, 1, 2, False),
        Summary("did not load", "0 examples, 0 failures, 1 error occurred outside of examples",
                0, 1, 0, False),
        Summary("nothing there", "No examples found.\n\n0 examples, 0 failures", 0, 0, 0),
    ],
    "minitest": [
        Summary("everything", "5 runs, 7 assertions, 1 failures, 1 errors, 1 skips",
                2, 2, 1, False),
        Summary(
            "test-unit",
            "4 tests, 2 assertions, 1 failures, 1 errors, 0 pendings, 1 omissions, 0 notifications",
            1, 2, 1, False,
        ),
        Summary("nothing left", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips", 0, 0, 0),
    ],
    "phpunit": [
        Summary("passed", "OK (5 tests, 7 assertions)", 5, 0, 0, True),
        Summary(
            "everything",
            "ERRORS!\nTests: 6, Assertions: 2, Errors: 1, Failures: 1, Skipped: 1, "
            "Incomplete: 1, Risky: 1.",
            2, 2, 2, False,
        ),
        Summary(
            "only skipped",
            "OK, but incomplete, skipped, or risky tests!\nTests: 1, Assertions: 0, Skipped: 1.",
            0, 0, 1, True,
        ),
        Summary(
            "deprecations",
            "OK, but there were issues!\nTests: 2, Assertions: 2, PHPUnit Deprecations: 1.",
            2, 0, 0, True,
        ),
        Summary("nothing there", "No tests executed!", 0, 0, 0),
    ],
    "pest": [
        Summary("everything", "  Tests:    1 failed, 1 skipped, 5 passed (7 assertions)",
                5, 1, 1, False),
    ],
    "cypress": [Summary("passed", "  5 passing (2s)", 5, 0, 0, True)],
}  # fmt: skip


@pytest.mark.parametrize(
    ("runner", "summary"),
    [(runner, summary) for runner, rows in SUMMARIES.items() for summary in rows],
    ids=str,
)
def test_the_summary_of_each_runner_of_scripts_is_read(runner: str, summary: Summary) -> None:
    assert read(runner, f"noise before\n{summary.output}\n") == summary.counts
