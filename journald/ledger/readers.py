"""Which reader understands the output of which test runner."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from journald.ledger.counts import Counts
from journald.ledger.nativecounts import (
    read_cargo,
    read_ctest,
    read_dotnet,
    read_flutter,
    read_go,
    read_gradle,
    read_maven,
    read_mix,
    read_nextest,
    read_swift,
)
from journald.ledger.pythoncounts import read_pytest, read_sessions, read_unittest
from journald.ledger.reportcounts import (
    read_bats,
    read_node,
    read_report,
    read_tap,
    read_tap_summary,
)
from journald.ledger.scriptcounts import (
    read_ava,
    read_bun,
    read_deno,
    read_jasmine,
    read_jest,
    read_minitest,
    read_mocha,
    read_phpunit,
    read_playwright,
    read_rspec,
    read_vitest,
)

Reader = Callable[[str], Counts | None]

READERS: Mapping[str, Reader] = {
    "pytest": read_pytest,
    "unittest": read_unittest,
    "vitest": read_vitest,
    "phpunit": read_phpunit,
    "pest": read_phpunit,
    "jest": read_jest,
    "cargo test": read_cargo,
    "cargo nextest": read_nextest,
    "go test": read_go,
    "mocha": read_mocha,
    "cypress": read_mocha,
    "node --test": read_node,
    "playwright": read_playwright,
    "bun test": read_bun,
    "deno test": read_deno,
    "maven": read_maven,
    "gradle": read_gradle,
    "rspec": read_rspec,
    "minitest": read_minitest,
    "ctest": read_ctest,
    "dotnet test": read_dotnet,
    "swift test": read_swift,
    "mix test": read_mix,
    "flutter test": read_flutter,
    "dart test": read_flutter,
    "ava": read_ava,
    "jasmine": read_jasmine,
    "tox": read_sessions,
    "nox": read_sessions,
    "bats": read_bats,
    "tap": read_tap_summary,
}
# The runners that show by their output alone that they ran: not those whose format is another's.
# Each with what stands in all output that tells its numbers: to look for it takes less time than
# to read, and most of what scripts print is no output of a test runner.
_MARKS: Mapping[str, tuple[str, ...]] = {
    "pytest": (" in ", "FAILED", "ERROR"),
    "unittest": ("Ran ", "FAILED"),
    "vitest": ("Tests", "found, exiting with code"),
    "phpunit": ("OK (", "Assertions:", "Tests:", "No tests executed!"),
    "jest": ("Tests:", "found, exiting with code"),
    "cargo test": ("test result:",),
    "cargo nextest": ("Summary [",),
    "go test": ("--- PASS", "--- FAIL", "--- SKIP", "DONE ", '{"Time":"', "ok ", "ok\t", "FAIL ",
                "FAIL\t"),
    "mocha": (" passing", " pending", " failing", "No test files found"),
    "node --test": ("# pass", "# fail", "# cancelled", "# skipped", "\u2139 "),
    "playwright": ("Running ", " passed ("),
    "bun test": (" pass", " fail", " skip", "did not match any test files", "matched 0 tests"),
    "deno test": (" passed",),
    "maven": ("Tests run:",),
    "gradle": (" completed",),
    "rspec": (" example",),
    "minitest": (" assertions, ",),
    "ctest": ("tests passed, ", "No tests were found!!!"),
    "dotnet test": ("Failed:", "Total tests:", "failed:"),
    "swift test": ("Executed ", "Test run with "),
    "mix test": (" failure", "Paths given to"),
    "flutter test": ("All tests passed!", "Some tests failed."),
    "ava": (" test", " uncaught exception", " unhandled rejection"),
    "jasmine": (" spec",),
}  # fmt: skip
# Runners that can be asked for a report in TAP or JSON instead of their own summary.
_REPORTING = frozenset({"ava", "jest", "mocha", "playwright", "vitest"})
# Whose lines other programs print as well, and what these do not print.
_SIGNS = {
    "go test": re.compile(
        r"^(?:ok|FAIL)[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\)|\[)|^ *--- (?:PASS|FAIL|SKIP): "
        r"|^DONE \d{1,9} (?:runs|tests?)\b|^\{\"Time\":\"",
        re.MULTILINE,
    ),
    "playwright": re.compile(
        r"^[ \t]*Running \d{1,9} tests? using |^[ \t]+\d{1,9} passed \(", re.MULTILINE
    ),
}
# What a script prints that starts many runners: `web:test: …` (turbo), `web | …` (compose),
# `[web] …` (concurrently), `apps/web test: …` (pnpm), before every line.
_PREFIX = re.compile(
    r"^(?:[^\s:]{1,80}(?::[^\s:]{1,40}){1,3}: |[^\s|]{1,80} {1,20}\| {1,2}|\[[^\]\n]{1,80}\] "
    r"|[^\s:]{1,80} [^\s:]{1,40}: )",
    re.MULTILINE,
)


def read(runner: str, output: str) -> Counts | None:
    """Return what a runner's output says of its tests; None when it says nothing."""
    counts = _read(runner, output)
    if counts is None and _PREFIX.search(output):
        return _read(runner, _PREFIX.sub("", output))
    return counts


def _read(runner: str, output: str) -> Counts | None:
    counts = READERS[runner](output)
    if counts is None and runner in _REPORTING:
        return read_report(output)
    return counts


def detect(output: str) -> dict[str, Counts]:
    """Tell from its output which runners a script ran, and with what outcome.

    Only what carries numbers, or the verdict of a Go package, counts as a test run.
    """
    found = _detect(output)
    if not found and _PREFIX.search(output):
        return _detect(_PREFIX.sub("", output))
    return found


def _detect(output: str) -> dict[str, Counts]:
    found: dict[str, Counts] = {}
    for runner, marks in _MARKS.items():
        if not any(mark in output for mark in marks):
            continue
        counts = READERS[runner](output)
        if counts is not None and _tells(runner, counts, output):
            found[runner] = counts
    if not found:
        counts = read_tap(output)
        return {"tap": counts} if counts else {}
    return found


def _tells(runner: str, counts: Counts, output: str) -> bool:
    if runner in _SIGNS:
        return counts.ok is not None and _SIGNS[runner].search(output) is not None
    return counts.passed is not None or bool(counts.failed)


def empty(counts: Counts) -> bool:
    """Tell whether no test ran at all, as far as the output says."""
    return counts.ok is None and not (counts.passed or counts.failed or counts.skipped)
