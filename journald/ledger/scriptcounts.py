"""Summaries of the test runners of JavaScript, Ruby and PHP."""

from __future__ import annotations

import re

from journald.ledger.counts import NOTHING, Counts, count_of, count_words, number, totals

_JEST = re.compile(r"^[ \t]*Tests:[ \t]+((?:\d{1,9} [a-z]+, )*\d{1,9} total)[ \t]*$", re.MULTILINE)
_JEST_SUITES = re.compile(
    r"^[ \t]*Test Suites:[ \t]+(?:\d{1,9} [a-z]+, )*?\d{1,9} failed\b", re.MULTILINE
)
_JEST_NONE = re.compile(r"^No tests found, exiting with code \d", re.MULTILINE)
_JEST_FAILURE = re.compile(
    r"^FAIL[ \t]+\S*\.(?:test|spec|e2e)\.[cm]?[jt]sx?\b|^[ \t]+\u25cf \S[^\n]* \u203a ",
    re.MULTILINE,
)
# Such as: 1 failed | 10 passed | 1 skipped (12).
_VITEST_PARTS = r"\d{1,9} [a-z]+(?: [a-z]+)?(?: \| \d{1,9} [a-z]+(?: [a-z]+)?)*"
_VITEST = re.compile(
    rf"^[ \t]*Tests[ \t]+({_VITEST_PARTS})(?: \(\d{{1,9}}\))?[ \t]*$", re.MULTILINE
)
_VITEST_FILES = re.compile(
    r"^[ \t]*Test Files[ \t]+(?:\d{1,9} [a-z]+ \| )*?\d{1,9} failed\b", re.MULTILINE
)
_VITEST_ERRORS = re.compile(
    r"^[ \t]*(?:Errors[ \t]+\d{1,9} error|Unhandled Errors?\b)", re.MULTILINE
)
_VITEST_NONE = re.compile(r"^[ \t]*No test (?:files )?found, exiting with code \d", re.MULTILINE)
_VITEST_FAILURE = re.compile(
    r"^[ \t]*FAIL[ \t]+\S[^\n]{0,300}\.(?:test|spec)\.[cm]?[jt]sx?\b", re.MULTILINE
)
# A runner that watches prints a summary each time; the last one counts.
_WATCHES = re.compile(r"Waiting for file changes|^Watch Usage", re.MULTILINE)
_MOCHA = re.compile(
    r"^[ \t]*(\d{1,9}) (passing(?= \([^)\n]{1,20}\)[ \t]*$)|(?:pending|failing)(?=[ \t]*$))",
    re.MULTILINE,
)
_MOCHA_NONE = re.compile(r"^Error: No test files found", re.MULTILINE)
_AVA = re.compile(
    r"^[ \t]*(\d{1,9}) (?:tests? (passed|failed|skipped)|uncaught (exception)s?"
    r"|unhandled (rejection)s?)$",
    re.MULTILINE,
)
_PLAYWRIGHT = re.compile(
    r"^[ \t]+(\d{1,9}) (passed|failed|flaky|interrupted|skipped|did not run)"
    r"(?: \([\d.]{1,12}[mh]?s?\))?$",
    re.MULTILINE,
)
_PLAYWRIGHT_NONE = re.compile(r"^Error: No tests found", re.MULTILINE)
_BUN = re.compile(r"^[ \t]*(\d{1,9}) (pass|fail|skip)$", re.MULTILINE)
_BUN_NONE = re.compile(r"did not match any test files|matched 0 tests", re.MULTILINE)
_BUN_ERRORS = re.compile(r"^[ \t]*(\d{1,9}) errors?$", re.MULTILINE)
_DENO = re.compile(
    r"^(?:ok|FAILED) \| (\d{1,9}) passed(?: \(\d{1,9} steps?\))? \| (\d{1,9}) failed"
    r"(?: \(\d{1,9} steps?\))?(?: \| (\d{1,9}) ignored)?",
    re.MULTILINE,
)
_JASMINE = re.compile(
    r"^(\d{1,9}) specs?, (\d{1,9}) failures?(?:, (\d{1,9}) pending specs?)?$", re.MULTILINE
)
_RSPEC = re.compile(
    r"^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?"
    r"(?:, (\d{1,9}) errors? occurred outside of examples)?$",
    re.MULTILINE,
)
_MINITEST = re.compile(
    r"^(\d{1,9}) (?:runs|tests), \d{1,9} assertions, (\d{1,9}) failures, (\d{1,9}) errors"
    r"(?:, (?:\d{1,9} pendings, )?(\d{1,9}) (?:skips|omissions))?",
    re.MULTILINE,
)
_PHPUNIT_OK = re.compile(r"^OK \((\d{1,9}) tests?, \d{1,9} assertions?\)", re.MULTILINE)
_PHPUNIT = re.compile(
    r"^Tests: (\d{1,9}), Assertions: \d{1,9}((?:, [A-Za-z ]{1,40}: \d{1,9})*)\.", re.MULTILINE
)
_PHPUNIT_PART = re.compile(r", (Errors|Failures|Skipped|Incomplete): (\d{1,9})")
_PHPUNIT_NONE = re.compile(r"^No tests executed!", re.MULTILINE)
_PEST = re.compile(
    r"^[ \t]*Tests:[ \t]+(\d{1,9} [a-z]+(?:, \d{1,9} [a-z]+)*) \(\d{1,9} assertions?\)",
    re.MULTILINE,
)


def _last_watched(found: list[str], output: str) -> list[str]:
    return found[-1:] if _WATCHES.search(output) else found


def read_jest(output: str) -> Counts | None:
    """Read jest's `Tests:` line; a suite that did not start is a failure of the run."""
    found = _last_watched([match[1] for match in _JEST.finditer(output)], output)
    if not found:
        if _JEST_NONE.search(output):
            return NOTHING
        return Counts(ok=False) if _JEST_FAILURE.search(output) else None
    return totals(
        (
            (count_of(line, "passed"), count_of(line, "failed"), count_of(line, "skipped"))
            for line in found
        ),
        broken=_JEST_SUITES.search(output) is not None,
    )


def read_vitest(output: str) -> Counts | None:
    """Read vitest's `Tests` line; a file that did not load is a failure of the run."""
    found = _last_watched([match[1] for match in _VITEST.finditer(output)], output)
    broken = _VITEST_FILES.search(output) is not None or _VITEST_ERRORS.search(output) is not None
    if not found:
        if _VITEST_NONE.search(output):
            return NOTHING
        broken = broken or _VITEST_FAILURE.search(output) is not None
        return Counts(ok=False) if broken else None
    return totals(
        (
            (count_of(line, "passed"), count_of(line, "failed"), count_of(line, "skipped"))
            for line in found
        ),
        broken=broken,
    )


def read_mocha(output: str) -> Counts | None:
    """Read `N passing` and `N failing`."""
    counts = count_words(_MOCHA, output, good={"passing"}, bad={"failing"}, aside={"pending"})
    return NOTHING if counts is None and _MOCHA_NONE.search(output) else counts


def read_ava(output: str) -> Counts | None:
    """Read the summary of ava."""
    triples = []
    for match in _AVA.finditer(output):
        many, word = int(match[1]), match[2]
        bad = word == "failed" or word is None
        triples.append((many * (word == "passed"), many * bad, many * (word == "skipped")))
    return totals(triples)


def read_playwright(output: str) -> Counts | None:
    """Read the summary of Playwright; a flaky test passed in the end."""
    counts = count_words(
        _PLAYWRIGHT,
        output,
        good={"passed", "flaky"},
        bad={"failed", "interrupted"},
        aside={"skipped", "did not run"},
    )
    return NOTHING if counts is None and _PLAYWRIGHT_NONE.search(output) else counts


def read_bun(output: str) -> Counts | None:
    """Read the summary of `bun test`, which counts an error among the failures, or beside them."""
    counts = count_words(_BUN, output, good={"pass"}, bad={"fail"}, aside={"skip"})
    if counts is None:
        return NOTHING if _BUN_NONE.search(output) else None
    if counts.failed:
        return counts
    errors = sum(int(match[1]) for match in _BUN_ERRORS.finditer(output))
    ok = False if errors else counts.ok
    return Counts(passed=counts.passed, failed=errors, skipped=counts.skipped, ok=ok)


def read_deno(output: str) -> Counts | None:
    """Read the summary of `deno test`."""
    return totals(
        (int(match[1]), int(match[2]), number(match[3])) for match in _DENO.finditer(output)
    )


def read_jasmine(output: str) -> Counts | None:
    """Read the summary of jasmine."""
    return totals(
        (int(match[1]) - int(match[2]) - number(match[3]), int(match[2]), number(match[3]))
        for match in _JASMINE.finditer(output)
    )


def read_rspec(output: str) -> Counts | None:
    """Read the summary of RSpec; what is pending did not pass."""
    return totals(
        (
            int(match[1]) - int(match[2]) - number(match[3]),
            int(match[2]) + number(match[4]),
            number(match[3]),
        )
        for match in _RSPEC.finditer(output)
    )


def read_minitest(output: str) -> Counts | None:
    """Read the summary of minitest and test-unit."""
    return totals(
        (
            int(match[1]) - int(match[2]) - int(match[3]) - number(match[4]),
            int(match[2]) + int(match[3]),
            number(match[4]),
        )
        for match in _MINITEST.finditer(output)
    )


def read_phpunit(output: str) -> Counts | None:
    """Read the summary of PHPUnit, or of Pest."""
    triples = [(int(match[1]), 0, 0) for match in _PHPUNIT_OK.finditer(output)]
    for match in _PHPUNIT.finditer(output):
        parts = {name: int(many) for name, many in _PHPUNIT_PART.findall(match[2])}
        bad = parts.get("Errors", 0) + parts.get("Failures", 0)
        aside = parts.get("Skipped", 0) + parts.get("Incomplete", 0)
        triples.append((int(match[1]) - bad - aside, bad, aside))
    triples.extend(
        (count_of(match[1], "passed"), count_of(match[1], "failed"), count_of(match[1], "skipped"))
        for match in _PEST.finditer(output)
    )
    if not triples and _PHPUNIT_NONE.search(output):
        return NOTHING
    return totals(triples)
