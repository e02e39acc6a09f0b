import pytest

from journald.ledger.readers import read
from tests.ledger.summaries import Summary

SUMMARIES = {
    "node --test": [
        Summary("passed", "# tests 3\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0",
                3, 0, 0, True),
        Summary(
            "everything",
            "\u2139 tests 6\n\u2139 pass 2\n\u2139 fail 1\n\u2139 cancelled 1\n\u2139 skipped 1\n\u2139 todo 1",
            2, 2, 1, False,
        ),
        Summary("nothing left", "# tests 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0",
                0, 0, 0),
    ],
    "bats": [
        Summary("tap", "1..3\nok 1 a\nnot ok 2 b\n# (in test file a.bats, line 2)\nok 3 c # skip no",
                1, 1, 1, False),
        Summary("pretty", "3 tests, 1 failure, 1 skipped", 1, 1, 1, False),
        Summary("nothing left", "1..0", 0, 0, 0),
    ],
    "tap": [
        Summary(
            "its last line counts what the lines of files do not",
            "not ok 1 - a.test.mjs # time=52.101ms\n1..1\n# { total: 3, pass: 1, fail: 1, skip: 1 }",
            1, 1, 1, False,
        ),
        Summary("to be done", "1..2\nok 1 - a\nnot ok 2 - b # TODO later", 1, 0, 1, True),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("runner", "summary"),
    [(runner, summary) for runner, rows in SUMMARIES.items() for summary in rows],
    ids=str,
)
def test_the_reports_that_many_runners_print_are_read(runner: str, summary: Summary) -> None:
    assert read(runner, f"TAP version 13\n{summary.output}\n") == summary.counts
