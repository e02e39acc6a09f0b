"""Summaries of the test runners of JavaScript, Ruby and PHP, and of TAP."""

from __future__ import annotations

import re

from journald.ledger.counts import Counts, add_words, count_of, count_words, totals

_JEST = re.compile(r"^[ \t]*Tests:[ \t]+((?:\d+ [a-z]+, )*\d+ total)[ \t]*$", re.MULTILINE)
_JEST_SUITES = re.compile(r"^[ \t]*Test Suites:.*?\b(\d+) failed", re.MULTILINE)
_JEST_NONE = re.compile(r"^No tests found, exiting with code (\d+)", re.MULTILINE)
_VITEST = re.compile(
    r"^[ \t]*Tests[ \t]+(\d+ [a-z]+(?: [a-z]+)?(?: \| \d+ [a-z]+(?: [a-z]+)?)*)"
    r"(?: \(\d+\))?[ \t]*$",
    re.MULTILINE,
)
_VITEST_FILES = re.compile(r"^[ \t]*Test Files[ \t]+.*?\b(\d+) failed", re.MULTILINE)
_VITEST_ERRORS = re.compile(r"^[ \t]*(?:Errors[ \t]+\d+ error|Unhandled Errors?)", re.MULTILINE)
_MOCHA = re.compile(r"^[ \t]*(\d+) (passing|failing)\b", re.MULTILINE)
_NODE = re.compile(r"^(?:#|ℹ) (pass|fail|cancelled) (\d+)$", re.MULTILINE)  # noqa: RUF001 - node prints this sign
_TAP = re.compile(r"^(ok|not ok)\b(?! .*# (?:skip|todo))", re.MULTILINE | re.IGNORECASE)
_TAP_PLAN = re.compile(r"^1\.\.\d+", re.MULTILINE)
_AVA = re.compile(r"^[ \t]*(\d+) tests? (passed|failed)$", re.MULTILINE)
_PLAYWRIGHT = re.compile(
    r"^[ \t]+(\d+) (passed|failed|flaky|interrupted)(?: \([\d.]+m?s\)| \([\d.]+m\))?$", re.MULTILINE
)
_BUN = re.compile(r"^[ \t]*(\d+) (pass|fail)$", re.MULTILINE)
_DENO = re.compile(r"^(ok|FAILED) \| (\d+) passed.* \| (\d+) failed", re.MULTILINE)
_RSPEC = re.compile(
    r"^(\d+) (?:examples?|specs?), (\d+) failures?(?:, (\d+) pending)?"
    r"(?:, (\d+) errors? occurred outside of examples)?$",
    re.MULTILINE,
)
_MINITEST = re.compile(
    r"^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors"
    r"(?:, (?:\d+ pendings, )?(?:\d+ omissions, )?(\d+) skips)?",
    re.MULTILINE,
)
_PHPUNIT_OK = re.compile(r"^OK \((\d+) tests?, \d+ assertions?\)", re.MULTILINE)
_PHPUNIT = re.compile(r"^Tests: (\d+), Assertions: \d+(.*)$", re.MULTILINE)
_PHPUNIT_PART = re.compile(r"(Errors|Failures|Skipped|Incomplete): (\d+)")
_PEST = re.compile(
    r"^[ \t]*Tests:[ \t]+(\d+ [a-z]+(?:, \d+ [a-z]+)*) \(\d+ assertions?\)", re.MULTILINE
)


def read_jest(output: str) -> Counts | None:
    """Read jest's `Tests:` line; a suite that did not start is a failure of the run."""
    found = [match[1] for match in _JEST.finditer(output)]
    if not found:
        return Counts(passed=0, failed=0, ok=None) if _JEST_NONE.search(output) else None
    passed = sum(count_of(line, "passed") for line in found)
    failed = sum(count_of(line, "failed") for line in found)
    broken = _JEST_SUITES.search(output) is not None
    return Counts(passed=passed, failed=failed, ok=not failed and not broken)


def read_vitest(output: str) -> Counts | None:
    """Read vitest's `Tests` line; a file that did not load is a failure of the run."""
    found = [match[1] for match in _VITEST.finditer(output)]
    broken = _VITEST_FILES.search(output) is not None or _VITEST_ERRORS.search(output) is not None
    if not found:
        return Counts(ok=False) if _VITEST_FILES.search(output) else None
    passed = sum(count_of(line, "passed") for line in found)
    failed = sum(count_of(line, "failed") for line in found)
    return Counts(passed=passed, failed=failed, ok=not failed and not broken)


def read_mocha(output: str) -> Counts | None:
    """Read `N passing` and `N failing`."""
    return count_words(_MOCHA, output, good={"passing"}, bad={"failing"})


def read_node(output: str) -> Counts | None:
    """Read the summary of `node --test`."""
    found = [(match[1], int(match[2])) for match in _NODE.finditer(output)]
    return add_words(found, good={"pass"}, bad={"fail", "cancelled"})


def read_tap(output: str) -> Counts | None:
    """Count the lines of a TAP report, that of bats among others."""
    if not _TAP_PLAN.search(output):
        return None
    found = [(match[1].lower(), 1) for match in _TAP.finditer(output)]
    return add_words(found, good={"ok"}, bad={"not ok"})


def read_ava(output: str) -> Counts | None:
    """Read the summary of ava."""
    return count_words(_AVA, output, good={"passed"}, bad={"failed"})


def read_playwright(output: str) -> Counts | None:
    """Read the summary of Playwright; a flaky test passed in the end."""
    return count_words(_PLAYWRIGHT, output, good={"passed", "flaky"}, bad={"failed", "interrupted"})


def read_bun(output: str) -> Counts | None:
    """Read the summary of `bun test`."""
    return count_words(_BUN, output, good={"pass"}, bad={"fail"})


def read_deno(output: str) -> Counts | None:
    """Read the summary of `deno test`."""
    found = [*_DENO.finditer(output)]
    return totals((int(match[2]), int(match[3])) for match in found) if found else None


def read_rspec(output: str) -> Counts | None:
    """Read the summary of RSpec; what is pending did not pass."""
    found = [*_RSPEC.finditer(output)]
    return (
        totals(
            (
                int(match[1]) - int(match[2]) - int(match[3] or 0),
                int(match[2]) + int(match[4] or 0),
            )
            for match in found
        )
        if found
        else None
    )


def read_minitest(output: str) -> Counts | None:
    """Read the summary of minitest and test-unit."""
    found = [*_MINITEST.finditer(output)]
    return (
        totals(
            (
                int(match[1]) - int(match[2]) - int(match[3]) - int(match[4] or 0),
                int(match[2]) + int(match[3]),
            )
            for match in found
        )
        if found
        else None
    )


def read_phpunit(output: str) -> Counts | None:
    """Read the summary of PHPUnit, or of Pest."""
    fine = [(int(match[1]), 0) for match in _PHPUNIT_OK.finditer(output)]
    for match in _PHPUNIT.finditer(output):
        parts = {name: int(number) for name, number in _PHPUNIT_PART.findall(match[2])}
        bad = parts.get("Errors", 0) + parts.get("Failures", 0)
        fine.append((int(match[1]) - sum(parts.values()), bad))
    fine.extend(
        (count_of(match[1], "passed"), count_of(match[1], "failed"))
        for match in _PEST.finditer(output)
    )
    return totals(fine) if fine else None
