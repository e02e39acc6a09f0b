"""Summaries of the test runners of compiled languages, Elixir and Dart."""

from __future__ import annotations

import re

from journald.ledger.counts import Counts, totals

_GO_CASE = re.compile(r"^--- (PASS|FAIL): ", re.MULTILINE)
_GO_PACKAGE = re.compile(
    r"^(?:(ok)[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))|(FAIL)(?:[ \t]+\S+.*)?|(PASS))[ \t]*$",
    re.MULTILINE,
)
_GO_EMPTY = re.compile(r"^\?[ \t]+\S+[ \t]+\[no test files\]", re.MULTILINE)
_GOTESTSUM = re.compile(
    r"^DONE (?:\d+ runs, )?(\d+) tests?(?:, (\d+) skipped)?(?:, (\d+) failures?)?"
    r"(?:, (\d+) errors?)?",
    re.MULTILINE,
)
_CARGO = re.compile(r"^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed;", re.MULTILINE)
_NEXTEST = re.compile(
    r"^[ \t]*Summary \[.*?\] .*?tests? run: (\d+) passed(?: \([^)]*\))?"
    r"(?:, (\d+) failed)?(?:, (\d+) timed out)?",
    re.MULTILINE,
)
_MAVEN = re.compile(
    r"^(?:\[\w+\][ \t]*)?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)[ \t]*$",
    re.MULTILINE,
)
_MAVEN_END = re.compile(r"^(?:\[\w+\][ \t]*)?BUILD (SUCCESS|FAILURE)", re.MULTILINE)
_GRADLE = re.compile(
    r"^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?", re.MULTILINE
)
_GRADLE_END = re.compile(r"^BUILD (SUCCESSFUL|FAILED) in", re.MULTILINE)
_CTEST = re.compile(r"^\d+% tests passed, (\d+) tests? failed out of (\d+)", re.MULTILINE)
_DOTNET = re.compile(
    r"^[ \t]*(?:Passed|Failed|Skipped)![ \t]+-[ \t]+Failed:[ \t]*(\d+), Passed:[ \t]*(\d+), ",
    re.MULTILINE,
)
_DOTNET_OLD = re.compile(
    r"^Total tests: (\d+)\s+(?:Passed: (\d+)\s*)?(?:Failed: (\d+))?", re.MULTILINE
)
_DOTNET_SUM = re.compile(
    r"^(?:Test summary|.*Test run summary.*): total: (\d+), failed: (\d+), succeeded: (\d+)",
    re.MULTILINE,
)
_XCTEST = re.compile(
    r"^[ \t]*Executed (\d+) tests?, with (?:\d+ tests? skipped and )?(\d+) failures?",
    re.MULTILINE,
)
_SWIFT = re.compile(
    r"Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed) after", re.MULTILINE
)
_MIX = re.compile(
    r"^(?:(\d+) doctests?, )?(?:(\d+) properties, )?(\d+) tests?, (\d+) failures?"
    r"((?:, \d+ \w+)*)$",
    re.MULTILINE,
)
_MIX_OUT = re.compile(r", (\d+) (?:excluded|skipped|invalid)")
_FLUTTER = re.compile(
    r"\+(\d+)(?: ~\d+)?(?: -(\d+))?: (All tests passed!|Some tests failed\.)", re.MULTILINE
)


def read_go(output: str) -> Counts | None:
    """Read `go test`: packages tell the verdict, top-level cases the numbers (passed: with -v)."""
    done = [*_GOTESTSUM.finditer(output)]
    if done:
        return totals(
            (
                max(int(match[1]) - int(match[2] or 0) - int(match[3] or 0), 0),
                int(match[3] or 0) + int(match[4] or 0),
            )
            for match in done
        )
    cases = [match[1] for match in _GO_CASE.finditer(output)]
    packages = [match[1] or match[2] or match[3] for match in _GO_PACKAGE.finditer(output)]
    if not cases and not packages:
        return Counts(passed=0, failed=0) if _GO_EMPTY.search(output) else None
    failed = cases.count("FAIL")
    ok = not failed and "FAIL" not in packages
    passed = cases.count("PASS") or None
    return Counts(passed=passed, failed=failed if failed or ok else None, ok=ok)


def read_cargo(output: str) -> Counts | None:
    """Add up the `test result:` lines of all crates."""
    found = [*_CARGO.finditer(output)]
    if not found:
        return None
    counts = totals((int(match[2]), int(match[3])) for match in found)
    failed = any(match[1] == "FAILED" for match in found)
    return Counts(passed=counts.passed, failed=counts.failed, ok=not failed)


def read_nextest(output: str) -> Counts | None:
    """Read the summary of cargo-nextest."""
    found = [*_NEXTEST.finditer(output)]
    return (
        totals((int(match[1]), int(match[2] or 0) + int(match[3] or 0)) for match in found)
        if found
        else None
    )


def read_maven(output: str) -> Counts | None:
    """Add up the totals of all modules, not the lines of single classes."""
    found = [*_MAVEN.finditer(output)]
    end = _MAVEN_END.search(output)
    verdict = end[1] == "SUCCESS" if end else None
    if not found:
        return None if verdict is None else Counts(ok=verdict)
    counts = totals(
        (
            int(match[1]) - int(match[2]) - int(match[3]) - int(match[4]),
            int(match[2]) + int(match[3]),
        )
        for match in found
    )
    ok = False if counts.failed else counts.ok if verdict is None else verdict
    return Counts(passed=counts.passed, failed=counts.failed, ok=ok)


def read_gradle(output: str) -> Counts | None:
    """Read Gradle, which counts only when something failed."""
    found = [*_GRADLE.finditer(output)]
    end = _GRADLE_END.search(output)
    if not found:
        return Counts(ok=end[1] == "SUCCESSFUL") if end else None
    return totals(
        (
            int(match[1]) - int(match[2] or 0) - int(match[3] or 0),
            int(match[2] or 0),
        )
        for match in found
    )


def read_ctest(output: str) -> Counts | None:
    """Read the summary of CTest."""
    found = [*_CTEST.finditer(output)]
    return (
        totals((int(match[2]) - int(match[1]), int(match[1])) for match in found) if found else None
    )


def read_dotnet(output: str) -> Counts | None:
    """Read the three summaries that versions of `dotnet test` print."""
    lines = [(int(match[2]), int(match[1])) for match in _DOTNET.finditer(output)]
    sums = [(int(match[3]), int(match[2])) for match in _DOTNET_SUM.finditer(output)]
    old = [(int(match[2] or 0), int(match[3] or 0)) for match in _DOTNET_OLD.finditer(output)]
    found = lines or sums or old
    return totals(found) if found else None


def read_swift(output: str) -> Counts | None:
    """Read XCTest, whose outermost suite comes last, and Swift Testing."""
    passed = failed = 0
    ok = True
    suites = [*_XCTEST.finditer(output)]
    runs = [*_SWIFT.finditer(output)]
    if suites:
        failed = int(suites[-1][2])
        passed = max(int(suites[-1][1]) - failed, 0)
        ok = not failed
    if not suites and not runs:
        return None
    if any(match[2] == "failed" for match in runs):
        # It says how many tests ran and that some failed, not how many.
        return Counts(ok=False)
    passed += sum(int(match[1]) for match in runs)
    return Counts(passed=passed, failed=failed, ok=ok)


def read_mix(output: str) -> Counts | None:
    """Read the summary of ExUnit."""
    found = [*_MIX.finditer(output)]
    if not found:
        return None
    pairs = []
    for match in found:
        ran = sum(int(match[group] or 0) for group in (1, 2, 3))
        aside = sum(int(number) for number in _MIX_OUT.findall(match[5]))
        pairs.append((max(ran - int(match[4]) - aside, 0), int(match[4])))
    return totals(pairs)


def read_flutter(output: str) -> Counts | None:
    """Read the last line of `flutter test` and `dart test`."""
    found = [*_FLUTTER.finditer(output)]
    return totals((int(match[1]), int(match[2] or 0)) for match in found) if found else None
