import pytest

from journald.ledger.readers import read
from tests.ledger.summaries import Summary

SUMMARIES = {
    "go test": [
        Summary("passed", "ok  \texample.com/a\t0.01s\n?   \texample.com/b\t[no test files]",
                None, 0, None, True),
        Summary("cached", "ok  \texample.com/a\t(cached)", None, 0, None, True),
        Summary("coverage", "ok  \texample.com/a\t0.005s\tcoverage: 80.0% of statements",
                None, 0, None, True),
        Summary(
            "verbose, subtests are tests",
            "=== RUN   TestTotal\n--- PASS: TestTotal (0.00s)\n    --- PASS: TestTotal/x (0.00s)\n"
            "--- SKIP: TestTax (0.00s)\nPASS\nok  \texample.com/a\t0.01s",
            2, 0, 1, True,
        ),
        Summary(
            "failed",
            "--- FAIL: TestTax (0.00s)\n    --- FAIL: TestTax/x (0.00s)\n"
            "        tax_test.go:4: no\nFAIL\nFAIL\texample.com/b\t0.006s\nFAIL",
            None, 2, None, False,
        ),
        Summary("not built", "# example.com/a\n./a.go:1: bad\nFAIL\texample.com/a [build failed]",
                ok=False),
        Summary(
            "panic", "panic: x\n\ngoroutine 21 [running]:\nFAIL\texample.com/a\t0.007s\nFAIL",
            None, 1, None, False,
        ),
        Summary("left early", "exit status 3\nFAIL\texample.com/a\t0.002s\nFAIL", ok=False),
        Summary("no files", "?   \texample.com/a\t[no test files]", 0, 0, 0),
        Summary("nothing to run", "ok  \texample.com/a\t0.004s [no tests to run]", 0, 0, 0),
        Summary(
            "nothing to run in one of two",
            "ok  \texample.com/a\t0.004s [no tests to run]\nok  \texample.com/b\t0.004s",
            None, 0, None, True,
        ),
        Summary("gotestsum", "DONE 10 tests, 1 skipped, 2 failures in 1.2s", 7, 2, 1, False),
        Summary(
            "json",
            '{"Time":"2026-01-01T00:00:00Z","Action":"pass","Package":"a","Test":"TestA"}\n'
            '{"Time":"2026-01-01T00:00:00Z","Action":"fail","Package":"a","Test":"TestB/x"}\n'
            '{"Time":"2026-01-01T00:00:00Z","Action":"fail","Package":"a","Elapsed":0.1}',
            1, 1, 0, False,
        ),
    ],
    "cargo test": [
        Summary(
            "two crates",
            "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n"
            "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            7, 0, 1, True,
        ),
        Summary("failed", "test result: FAILED. 5 passed; 1 failed; 0 ignored; 0 measured",
                5, 1, 0, False),
        Summary("nothing left", "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured",
                0, 0, 0),
        Summary(
            "a crate crashed",
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured\n"
            "error: test failed, to rerun pass `--test crash`",
            5, 0, 0, False,
        ),
        Summary("crashed", "i.error: x\nerror: test failed, to rerun pass `--lib`", ok=False),
        Summary("one failure alone", "test cart::adds_up ... FAILED", ok=False),
    ],
    "cargo nextest": [
        Summary("passed", "     Summary [   0.1s] 6 tests run: 6 passed (1 slow), 2 skipped",
                6, 0, 2, True),
        Summary(
            "everything",
            "     Summary [1898.924s] 1565 tests run: 1520 passed (9 slow, 15 leaky), 17 failed, "
            "28 timed out, 3 skipped",
            1520, 45, 3, False,
        ),
        Summary("stopped early", "     Summary [   0.034s] 2/6 tests run: 1 passed, 1 failed, "
                "0 skipped", 1, 1, 0, False),
    ],
    "maven": [
        Summary(
            "classes are not added to the total",
            "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s - in A\n"
            "[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1\n[INFO] BUILD FAILURE",
            2, 2, 1, False,
        ),
        Summary("passed", "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS",
                5, 0, 0, True),
        Summary(
            "two modules",
            "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n"
            "[WARNING] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS",
            7, 0, 1, True,
        ),
        Summary("the verdict alone", "[INFO] BUILD FAILURE", ok=False),
        Summary(
            "a class alone",
            "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s "
            "<<< FAILURE! - in A",
            ok=False,
        ),
    ],
    "gradle": [
        Summary("failed", "5 tests completed, 2 failed, 1 skipped\n\nBUILD FAILED in 3s",
                2, 2, 1, False),
        Summary("passed", "BUILD SUCCESSFUL in 3s", ok=True),
    ],
    "ctest": [
        Summary("passed", "100% tests passed, 0 tests failed out of 5", 5, 0, 0, True),
        Summary(
            "skipped ones are told as passed",
            "80% tests passed, 1 tests failed out of 5\n\nThe following tests did not run:\n"
            "\t  3 - cart (Skipped)\n\t  6 - tax (Disabled)",
            3, 1, 1, False,
        ),
        Summary("nothing there", "No tests were found!!!", 0, 0, 0),
    ],
    "dotnet test": [
        Summary(
            "two projects",
            "Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 9 ms\n"
            "Failed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 9 ms",
            7, 1, 1, False,
        ),
        Summary("detailed", "Test Run Failed.\nTotal tests: 6\n     Passed: 5\n     Failed: 1",
                5, 1, 0, False),
        Summary(
            "terminal logger",
            "Test summary: total: 5, failed: 1, succeeded: 3, skipped: 1, duration: 1.2s",
            3, 1, 1, False,
        ),
        Summary(
            "testing platform",
            "Test run summary: Failed! - bin/Shop.Tests.dll (net9.0|x64)\n  total: 5\n"
            "  failed: 1\n  succeeded: 3\n  skipped: 1\n  duration: 1s 234ms",
            3, 1, 1, False,
        ),
        Summary("crashed", "The active test run was aborted. Reason: Test host process crashed",
                ok=False),
    ],
    "swift test": [
        Summary(
            "suites inside of suites",
            "\t Executed 2 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n"
            "\t Executed 5 tests, with 2 tests skipped and 1 failure (0 unexpected) in 0.2 seconds",
            2, 1, 2, False,
        ),
        Summary(
            "outermost suites",
            "Test Suite 'CartTests' passed at 2026-01-01 10:00:00.1\n"
            "\t Executed 2 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n"
            "Test Suite 'All tests' passed at 2026-01-01 10:00:00.1\n"
            "\t Executed 2 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n"
            "Test Suite 'All tests' passed at 2026-01-01 10:00:01.1\n"
            "\t Executed 3 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds",
            5, 0, 0, True,
        ),
        Summary("Swift Testing", "\u2714 Test run with 5 tests in 2 suites passed after 0.1 seconds.",
                5, 0, 0, True),
        Summary(
            "Swift Testing, failed",
            "\u2718 Test total() failed after 0.001 seconds with 1 issue.\n"
            "\u2718 Test run with 5 tests failed after 0.1 seconds with 1 issue.",
            4, 1, 0, False,
        ),
        Summary("Swift Testing, cut", "\u2718 Test run with 5 tests failed after 0.1 seconds",
                ok=False),
        Summary(
            "both",
            "\t Executed 2 tests, with 0 failures (0 unexpected) in 0.1 (0.1) seconds\n"
            "\u2714 Test run with 3 tests passed after 0.1 seconds.",
            5, 0, 0, True,
        ),
    ],
    "mix test": [
        Summary("passed", "424 tests, 0 failures", 424, 0, 0, True),
        Summary("everything", "3 doctests, 1 property, 6 tests, 1 failure, 2 excluded, 1 skipped",
                6, 1, 1, False),
        Summary("invalid", "5 tests, 0 failures, 5 invalid", 0, 5, 0, False),
        Summary("umbrella", "==> web\n2 tests, 0 failures\n==> api\n3 tests, 1 failure",
                4, 1, 0, False),
        Summary("all excluded", "1 doctest, 3 tests, 0 failures, 4 excluded", 0, 0, 0),
    ],
    "flutter test": [
        Summary("failed", "00:02 +5 ~1 -1: Some tests failed.", 5, 1, 1, False),
        Summary("passed", "00:02 +5: All tests passed!", 5, 0, 0, True),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("runner", "summary"),
    [(runner, summary) for runner, rows in SUMMARIES.items() for summary in rows],
    ids=str,
)
def test_the_summary_of_each_runner_of_a_language_is_read(runner: str, summary: Summary) -> None:
    assert read(runner, f"noise before\n{summary.output}\n") == summary.counts
