"""Summaries of the test runners of compiled languages, Elixir and Dart."""

from __future__ import annotations

import re

from journald.ledger.counts import NOTHING, Counts, count_of, number, totals

_GO_CASE = re.compile(r"^ *--- (PASS|FAIL|SKIP): ", re.MULTILINE)
_GO_PACKAGE = re.compile(
    r"^(?:(ok)[ \t]+\S+[ \t]+(?:[\d.]+s|\(cached\))"
    r"|(FAIL)(?:[ \t]+\S+[ \t]+(?:[\d.]+s|\[)[^\n]*)?$|(PASS)[ \t]*$)",
    re.MULTILINE,
)
_GO_PANIC = re.compile(r"^panic: ", re.MULTILINE)
_GO_EMPTY = re.compile(
    r"^(?:\?[ \t]+\S+[ \t]+\[no test files\]|ok[ \t]+\S+[ \t]+\S+[ \t]+\[no tests to run\])",
    re.MULTILINE,
)
_GO_EVENT = re.compile(
    r'^\{"Time":"[^"\n]{1,40}","Action":"(pass|fail|skip)","Package":"[^"\n]{1,300}"'
    r'(?:,"Test":"([^"\n]{1,500})")?',
    re.MULTILINE,
)
_GOTESTSUM = re.compile(
    r"^DONE (?:\d{1,9} runs, )?(\d{1,9}) tests?(?:, (\d{1,9}) skipped)?"
    r"(?:, (\d{1,9}) failures?)?(?:, (\d{1,9}) errors?)?",
    re.MULTILINE,
)
_CARGO = re.compile(
    r"^test result: (ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed;(?: (\d{1,9}) ignored;)?",
    re.MULTILINE,
)
# A test binary that crashed prints no result of its own.
_CARGO_BROKEN = re.compile(
    r"^(?:error: (?:test failed|\d{1,9} targets? failed|doctest failed)\b|test \S.{0,300} FAILED$)",
    re.MULTILINE,
)
_NEXTEST = re.compile(
    r"^[ \t]*Summary \[[^\]\n]{0,40}\][ \t]+(?:\d{1,9}/)?\d{1,9} tests? run: ([^\n]{1,300})$",
    re.MULTILINE,
)
_NEXTEST_BAD = ("failed", "timed out", "exec failed")
_MAVEN = re.compile(
    r"^(?:\[\w+\][ \t]*)?Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), "
    r"Skipped: (\d{1,9})[ \t]*$",
    re.MULTILINE,
)
_MAVEN_END = re.compile(r"^(?:\[\w+\][ \t]*)?BUILD (SUCCESS|FAILURE)", re.MULTILINE)
_MAVEN_CLASS = re.compile(r"<<< (?:FAILURE|ERROR)!")
_GRADLE = re.compile(
    r"^(\d{1,9}) tests? completed(?:, (\d{1,9}) failed)?(?:, (\d{1,9}) skipped)?", re.MULTILINE
)
_GRADLE_END = re.compile(r"^BUILD (SUCCESSFUL|FAILED) in", re.MULTILINE)
_CTEST = re.compile(
    r"^\d{1,3}% tests passed, (\d{1,9}) tests? failed out of (\d{1,9})", re.MULTILINE
)
_CTEST_SKIPPED = re.compile(r"^[ \t]*\d{1,9} - \S+ \(Skipped\)$", re.MULTILINE)
_CTEST_EMPTY = re.compile(r"^No tests were found!!!", re.MULTILINE)
_DOTNET = re.compile(
    r"^[ \t]*(?:Passed|Failed|Skipped)![ \t]+-[ \t]+Failed:[ \t]*(\d{1,9}), "
    r"Passed:[ \t]*(\d{1,9}), Skipped:[ \t]*(\d{1,9}),",
    re.MULTILINE,
)
_DOTNET_OLD = re.compile(
    r"^[ \t]*Total tests: \d{1,9}\s+(?:Passed: (\d{1,9})\s*)?(?:Failed: (\d{1,9})\s*)?"
    r"(?:Skipped: (\d{1,9}))?",
    re.MULTILINE,
)
_DOTNET_SUM = re.compile(
    r"^[ \t]*Test summary: total: \d{1,9}, failed: (\d{1,9}), succeeded: (\d{1,9}), "
    r"skipped: (\d{1,9})",
    re.MULTILINE,
)
_DOTNET_RUN = re.compile(
    r"^[ \t]*Test run summary: [^\n]{0,400}\n[ \t]*total: \d{1,9}\n(?:[ \t]*error: \d{1,9}\n)?"
    r"[ \t]*failed: (\d{1,9})\n[ \t]*succeeded: (\d{1,9})\n[ \t]*skipped: (\d{1,9})",
    re.MULTILINE,
)
_DOTNET_BROKEN = re.compile(
    r"^(?:The active test run was aborted|Test Run (?:Failed|Aborted)\.)", re.MULTILINE
)
_XCTEST = re.compile(
    r"^(?:Test Suite '(All tests|Selected tests)' (?:passed|failed) at [^\n]{0,60}\n)?"
    r"[ \t]*Executed (\d{1,9}) tests?, with (?:(\d{1,9}) tests? skipped and )?(\d{1,9}) failures?",
    re.MULTILINE,
)
_SWIFT = re.compile(r"Test run with (\d{1,9}) tests?(?: in \d{1,9} suites?)? (passed|failed) after")
_SWIFT_FAILED = re.compile(r"^\S{1,3} Test (?!run )[^\n]{1,300}? failed after ", re.MULTILINE)
_MIX = re.compile(
    r"^(?:(\d{1,9}) doctests?, )?(?:(\d{1,9}) propert(?:y|ies), )?(\d{1,9}) tests?, "
    r"(\d{1,9}) failures?((?:, \d{1,9} [a-z]+)*)$",
    re.MULTILINE,
)
_MIX_NONE = re.compile(r'^Paths given to "mix test" did not match', re.MULTILINE)
_FLUTTER = re.compile(
    r"\+(\d{1,9})(?: ~(\d{1,9}))?(?: -(\d{1,9}))?: (?:All tests passed!|Some tests failed\.)"
)


def read_go(output: str) -> Counts | None:
    """Read `go test`: packages tell the verdict, cases and their subtests the numbers.

    Passed cases are printed with `-v` alone: without it their number is not known.
    """
    done = totals(
        (
            int(match[1]) - number(match[2]) - number(match[3]),
            number(match[3]) + number(match[4]),
            number(match[2]),
        )
        for match in _GOTESTSUM.finditer(output)
    )
    if done is not None:
        return done
    cases = [match[1] for match in _GO_CASE.finditer(output)]
    packages = [match[1] or match[2] or match[3] for match in _GO_PACKAGE.finditer(output)]
    if not cases and not packages:
        return _go_events(output) or (NOTHING if _GO_EMPTY.search(output) else None)
    return _go(cases, packages, output)


def _go(cases: list[str], packages: list[str], output: str) -> Counts:
    failed = cases.count("FAIL")
    ok = not failed and "FAIL" not in packages
    if ok and not cases and _GO_EMPTY.search(output) and not _tested(output):
        return NOTHING
    if "FAIL" in packages and not failed and _GO_PANIC.search(output):
        failed = 1
    return Counts(
        passed=cases.count("PASS") or None,
        failed=failed if failed or ok else None,
        skipped=cases.count("SKIP") or None,
        ok=ok,
    )


def _tested(output: str) -> bool:
    """Tell whether a package that passed ran a test at all, as far as it says so."""
    packages = sum(match[1] is not None for match in _GO_PACKAGE.finditer(output))
    return packages > output.count("[no tests to run]")


def _go_events(output: str) -> Counts | None:
    """Read `go test -json`: an event with a test is a case, one without a package."""
    cases = []
    packages = []
    for match in _GO_EVENT.finditer(output):
        if match[2] is None:
            packages.append(match[1])
        else:
            cases.append(match[1])
    if not packages and not cases:
        return None
    return Counts(
        passed=cases.count("pass"),
        failed=cases.count("fail"),
        skipped=cases.count("skip"),
        ok="fail" not in (*cases, *packages),
    )


def read_cargo(output: str) -> Counts | None:
    """Add up the `test result:` lines of all crates; a crate that crashed has none."""
    found = [*_CARGO.finditer(output)]
    broken = _CARGO_BROKEN.search(output) is not None
    if not found:
        return Counts(ok=False) if broken else None
    broken = broken or any(match[1] == "FAILED" for match in found)
    return totals(
        ((int(match[2]), int(match[3]), number(match[4])) for match in found), broken=broken
    )


def read_nextest(output: str) -> Counts | None:
    """Read the summary of cargo-nextest."""
    return totals(
        (
            count_of(match[1], "passed"),
            sum(count_of(match[1], word) for word in _NEXTEST_BAD),
            count_of(match[1], "skipped"),
        )
        for match in _NEXTEST.finditer(output)
    )


def read_maven(output: str) -> Counts | None:
    """Add up the totals of all modules, not the lines of single classes."""
    counts = totals(
        (
            int(match[1]) - int(match[2]) - int(match[3]) - int(match[4]),
            int(match[2]) + int(match[3]),
            int(match[4]),
        )
        for match in _MAVEN.finditer(output)
    )
    ends = [match[1] == "SUCCESS" for match in _MAVEN_END.finditer(output)]
    verdict = all(ends) if ends else None
    if counts is None:
        verdict = False if _MAVEN_CLASS.search(output) else verdict
        return None if verdict is None else Counts(ok=verdict)
    ok = False if counts.failed else counts.ok if verdict is None else verdict
    return Counts(passed=counts.passed, failed=counts.failed, skipped=counts.skipped, ok=ok)


def read_gradle(output: str) -> Counts | None:
    """Read Gradle, which counts only when something failed."""
    counts = totals(
        (
            int(match[1]) - number(match[2]) - number(match[3]),
            number(match[2]),
            number(match[3]),
        )
        for match in _GRADLE.finditer(output)
    )
    ends = [match[1] == "SUCCESSFUL" for match in _GRADLE_END.finditer(output)]
    if counts is None:
        return Counts(ok=all(ends)) if ends else None
    return counts


def read_ctest(output: str) -> Counts | None:
    """Read the summary of CTest; a skipped test is among those that it says passed."""
    found = [*_CTEST.finditer(output)]
    if not found:
        empty = _CTEST_EMPTY.search(output)
        return NOTHING if empty else None
    skipped = len(_CTEST_SKIPPED.findall(output))
    triples = [(int(match[2]) - int(match[1]), int(match[1]), 0) for match in found]
    return totals([*triples, (-skipped, 0, skipped)])


def read_dotnet(output: str) -> Counts | None:
    """Read the four summaries that versions of `dotnet test` print."""
    summaries = [
        [(int(match[2]), int(match[1]), int(match[3])) for match in pattern.finditer(output)]
        for pattern in (_DOTNET, _DOTNET_RUN, _DOTNET_SUM)
    ]
    old = [
        (number(match[1]), number(match[2]), number(match[3]))
        for match in _DOTNET_OLD.finditer(output)
    ]
    found = next((summary for summary in (*summaries, old) if summary), [])
    broken = _DOTNET_BROKEN.search(output) is not None
    return totals(found, broken=broken) or (Counts(ok=False) if broken else None)


def read_swift(output: str) -> Counts | None:
    """Read XCTest, whose outermost suites hold all others, and Swift Testing."""
    suites = [*_XCTEST.finditer(output)]
    outer = [match for match in suites if match[1]] or suites[-1:]
    triples = [
        (int(match[2]) - int(match[4]) - number(match[3]), int(match[4]), number(match[3]))
        for match in outer
    ]
    runs = [*_SWIFT.finditer(output)]
    # It says how many tests ran and that some failed, not how many.
    failed = len(_SWIFT_FAILED.findall(output))
    broken = any(match[2] == "failed" for match in runs)
    if broken and not failed:
        return Counts(ok=False)
    triples.extend((int(match[1]), 0, 0) for match in runs)
    if runs:
        triples.append((-failed, failed, 0))
    return totals(triples, broken=broken)


def read_mix(output: str) -> Counts | None:
    """Read the summary of ExUnit."""
    triples = []
    for match in _MIX.finditer(output):
        ran = sum(number(match[group]) for group in (1, 2, 3))
        skipped = count_of(match[5], "skipped")
        failed = int(match[4]) + count_of(match[5], "invalid")
        triples.append((ran - failed - skipped - count_of(match[5], "excluded"), failed, skipped))
    return totals(triples) or (NOTHING if _MIX_NONE.search(output) else None)


def read_flutter(output: str) -> Counts | None:
    """Read the last line of `flutter test` and `dart test`."""
    return totals(
        (int(match[1]), number(match[3]), number(match[2])) for match in _FLUTTER.finditer(output)
    )
