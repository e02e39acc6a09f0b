import pytest

from journald.ledger.readers import read
from tests.ledger.summaries import Summary

PYTEST = [
    Summary("passed", "========= 12 passed in 0.12s =========", 12, 0, 0, True),
    Summary("quiet", "..          [100%]\n12 passed in 1.02s", 12, 0, 0, True),
    Summary("minutes", "=== 3 passed in 75.31s (0:01:15) ===", 3, 0, 0, True),
    Summary("old seconds", "=== 3 passed, 1 warnings in 0.10 seconds ===", 3, 0, 0, True),
    Summary(
        "everything",
        "FAILED t/test_cart.py::test_sum - assert 1 == 2\n"
        "ERROR t/test_cart.py::test_tax - RuntimeError: x\n"
        "= 1 failed, 2 passed, 3 skipped, 1 xfailed, 1 xpassed, 1 warning, 1 error in 0.06s =",
        2,
        2,
        3,
        False,
    ),
    Summary("errors", "== 2 passed, 2 errors in 3.00s ==", 2, 2, 0, False),
    Summary(
        "collection",
        "ERROR t/test_cart.py\n!!!! Interrupted: 1 error during collection !!!!\n1 error in 0.20s",
        0,
        1,
        0,
        False,
    ),
    Summary("stopped early", "!!! stopping after 1 failures !!!\n1 failed, 1 passed in 0.04s",
            1, 1, 0, False),
    Summary("only skipped", "1 skipped in 0.00s", 0, 0, 1, True),
    Summary("only expected failures", "2 xfailed in 0.00s", 0, 0, 0, True),
    Summary("nothing there", "=== no tests ran in 0.01s ===", 0, 0, 0, None),
    Summary("all deselected", "2 deselected in 0.01s", 0, 0, 0, None),
    Summary("some deselected", "1 passed, 1 deselected in 0.02s", 1, 0, 0, True),
    Summary("rerun", "1 failed, 2 passed, 3 rerun in 0.02s", 2, 1, 0, False),
    Summary("subtests", "1 failed, 3 passed, 2 subtests passed in 0.02s", 3, 1, 0, False),
    Summary("two suites", "1 passed in 0.5s\n= 1 failed, 2 passed in 0.5s =", 3, 1, 0, False),
    Summary("names of failures alone", "FAILED t/test_cart.py::test_sum - assert", ok=False),
    Summary(
        "verbose and cut off",
        "t/test_cart.py::test_a PASSED     [ 25%]\nt/test_cart.py::test_b FAILED     [ 50%]",
        ok=False,
    ),
]  # fmt: skip
UNITTEST = [
    Summary("passed", "....\n-----\nRan 4 tests in 0.001s\n\nOK", 4, 0, 0, True),
    Summary("one", "Ran 1 test in 0.001s\n\nOK", 1, 0, 0, True),
    Summary(
        "everything",
        "Ran 6 tests in 0.006s\n\nFAILED (failures=1, errors=1, skipped=1, expected failures=1, "
        "unexpected successes=1)",
        1,
        3,
        1,
        False,
    ),
    Summary("only skipped", "Ran 1 test in 0.0s\n\nOK (skipped=1)", 0, 0, 1, True),
    Summary("nothing there", "Ran 0 tests in 0.000s\n\nOK", 0, 0, 0, None),
    Summary("nothing there, new", "Ran 0 tests in 0.000s\n\nNO TESTS RAN", 0, 0, 0, None),
    Summary("subtests", "Ran 1 test in 0.0s\n\nFAILED (failures=3)", 0, 3, 0, False),
    Summary("twisted", "Ran 5 tests in 0.1s\n\nPASSED (successes=5)", 5, 0, 0, True),
    Summary("its last line", "OK", failed=0, ok=True),
    Summary("its last line, bad", "FAILED (failures=1, errors=2)", failed=3, ok=False),
    Summary(
        "two suites",
        "Ran 4 tests in 0.1s\n\nOK\nRan 3 tests in 0.1s\n\nFAILED (errors=1)",
        6,
        1,
        0,
        False,
    ),
]
TOX = [
    Summary(
        "passed",
        "2 passed in 0.02s\n  py311: OK (1.54=setup[0.75]+cmd[0.80] seconds)\n"
        "  congratulations :) (1.62 seconds)",
        2,
        0,
        0,
        True,
    ),
    Summary(
        "one of two failed",
        "1 failed, 2 passed in 0.05s\nbad: FAIL \u2716 in 1.05 seconds\n2 passed in 0.01s\n"
        "  bad: FAIL code 1 (1.05=setup[0.44]+cmd[0.61] seconds)\n"
        "  good: OK (0.27 seconds)\n  evaluation failed :( (1.44 seconds)",
        4,
        1,
        0,
        False,
    ),
    Summary(
        "two that took as long", "2 passed in 0.01s\n2 passed in 0.01s\n  congratulations :)",
        4, 0, 0, True,
    ),
    Summary("no interpreter", "  py27: FAIL code 1 (0.57 seconds)", ok=False),
    Summary("the verdict alone", "  evaluation failed :( (0.62 seconds)", ok=False),
    Summary("old", "  py37: commands succeeded\nERROR:   py38: commands failed", ok=False),
    Summary(
        "lint failed", "== 5 passed in 0.1s ==\n  py311: OK (2.30 seconds)\n  lint: FAIL code 1",
        5, 0, 0, False,
    ),
]  # fmt: skip
NOX = [
    Summary("passed", "3 passed in 0.1s\nnox > Session tests was successful.", 3, 0, 0, True),
    Summary("failed", "nox > Session tests failed.", ok=False),
    Summary(
        "several",
        "1 failed in 0.1s\nnox > Session bad failed.\nnox > Ran 3 sessions:\n"
        "nox > * good: success\nnox > * bad: failed\nnox > * off: skipped (no)",
        0,
        1,
        0,
        False,
    ),
    Summary("aborted", "nox > Session crash aborted: oops.", ok=False),
]


@pytest.mark.parametrize("summary", PYTEST, ids=str)
def test_the_summary_of_pytest_is_read(summary: Summary) -> None:
    assert read("pytest", f"collected\n{summary.output}\n") == summary.counts


@pytest.mark.parametrize("summary", UNITTEST, ids=str)
def test_the_summary_of_unittest_is_read(summary: Summary) -> None:
    assert read("unittest", f"test_a ... ok\n{summary.output}\n") == summary.counts


@pytest.mark.parametrize("summary", TOX, ids=str)
def test_the_summary_of_tox_is_read(summary: Summary) -> None:
    assert read("tox", f"py311: commands[0]> pytest\n{summary.output}\n") == summary.counts


@pytest.mark.parametrize("summary", NOX, ids=str)
def test_the_summary_of_nox_is_read(summary: Summary) -> None:
    assert read("nox", f"nox > Running session tests\n{summary.output}\n") == summary.counts


@pytest.mark.parametrize(
    "output",
    [
        "2 tests collected in 0.01s",
        "Built 3 pages in 4.2s",
        ".....F...      [100%]",
        "Fatal Python error: Aborted",
        "warning: 3 passed the gate",
    ],
)
def test_other_lines_are_no_summary_of_pytest(output: str) -> None:
    assert read("pytest", output) is None
