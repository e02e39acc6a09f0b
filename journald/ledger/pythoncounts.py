"""Summaries of Python's test runners."""

from __future__ import annotations

import re

from journald.ledger.counts import NOTHING, Counts, count_of, number, totals

# "1 failed, 2 passed, 1 warning, 1 error in 0.06s", with or without its rules.
_PYTEST = re.compile(
    r"^(?:=+ )?((?:\d{1,9} [a-z]+(?: [a-z]+)?(?:, |(?= in )))+|no tests ran) in "
    r"\d[\d.:]* ?(?:s|seconds)\b",
    re.MULTILINE,
)
_PYTEST_RAN = ("passed", "failed", "errors?", "skipped", "xfailed", "xpassed")
_PYTEST_WORD = re.compile(
    r"\b\d{1,9} (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|rerun)\b"
)
# The name of a failed test, in the summary (`FAILED a.py::b`) or as it runs (`a.py::b FAILED`).
_PYTEST_FAILURE = re.compile(
    r"^(?:(?:FAILED|ERROR) \S*\.py\b|\S*+ (?:FAILED|ERROR)(?: +\[ *\d{1,3}%\])$)", re.MULTILINE
)
_UNITTEST = re.compile(
    r"^Ran (\d{1,9}) tests? in \d[\d.]*s\s+(OK|PASSED|FAILED|NO TESTS RAN)\b"
    r"(?: \(([^)\n]*)\))?",
    re.MULTILINE,
)
# Its verdict alone, when no more than the end of the output was kept.
_UNITTEST_END = re.compile(r"^(OK|FAILED)(?: \(([^)\n]*)\))?\s*\Z", re.MULTILINE)
_UNITTEST_BAD = ("failures", "errors", "unexpected successes")
_SESSION = re.compile(
    r"^[ \t]*[^\s:]{1,80}: (?:(?:OK|SKIP)|(FAIL))(?: code -?\d+)?(?: [\u2714\u2716]| \(|[ \t]*$)"
    r"|^ERROR:[ \t]+[^\s:]{1,80}: (commands failed)"
    r"|^[ \t]*[^\s:]{1,80}: (?:commands succeeded)$"
    r"|^nox > (?:\* [^\n:]{1,80}: (?:success|(failed|aborted))"
    r"|Session \S+ (?:was successful|(failed|aborted)))",
    re.MULTILINE,
)
_SESSIONS_NONE = re.compile(
    r"^nox > Sessions not found|provided environments not found in configuration", re.MULTILINE
)
_SESSIONS_END = re.compile(r"^[ \t]*(?:(congratulations :\))|evaluation failed :\()", re.MULTILINE)


def read_pytest(output: str) -> Counts | None:
    """Read the last line of pytest, with or without its rules; without it, a failure's name."""
    lines = [match[1] for match in _PYTEST.finditer(output)]
    found = [line for line in lines if line == "no tests ran" or _PYTEST_WORD.search(line)]
    if not found:
        return Counts(ok=False) if _PYTEST_FAILURE.search(output) else None
    failed = sum(count_of(line, "failed") + count_of(line, "errors?") for line in found)
    ran = any(count_of(line, word) for line in found for word in _PYTEST_RAN)
    return Counts(
        passed=sum(count_of(line, "passed") for line in found),
        failed=failed,
        skipped=sum(count_of(line, "skipped") for line in found),
        ok=not failed if ran else None,
    )


def read_unittest(output: str) -> Counts | None:
    """Read `Ran N tests` and the verdict under it; the verdict alone where no more is left."""
    found = [*_UNITTEST.finditer(output)]
    if not found:
        return _unittest_end(output)
    triples = []
    verdicts = set()
    for match in found:
        parts = _parts(match[3])
        bad = sum(parts.get(name, 0) for name in _UNITTEST_BAD)
        skipped = parts.get("skipped", 0)
        aside = skipped + parts.get("expected failures", 0)
        # A test with several failing subtests is one test and several failures.
        triples.append((max(int(match[1]) - bad - aside, 0), bad, skipped))
        verdicts.add(match[2])
    return totals(triples, broken="FAILED" in verdicts)


def _unittest_end(output: str) -> Counts | None:
    match = _UNITTEST_END.search(output)
    if match is None:
        return None
    parts = _parts(match[2])
    if match[1] == "OK":
        return Counts(failed=0, skipped=parts.get("skipped"), ok=True)
    failed = sum(parts.get(name, 0) for name in _UNITTEST_BAD)
    return Counts(failed=failed or None, skipped=parts.get("skipped"), ok=False)


def _parts(text: str | None) -> dict[str, int]:
    pairs = re.findall(r"([a-z ]+)=(\d{1,9})", text or "")
    return {name.strip(): number(many) for name, many in pairs}


def read_sessions(output: str) -> Counts | None:
    """Read tox and nox: the numbers are those of the runners inside, the verdict their own."""
    inner = [
        counts
        for counts in (read_pytest(output), read_unittest(output))
        if counts is not None and counts.passed is not None
    ]
    ended = [match[1] is not None for match in _SESSIONS_END.finditer(output)]
    sessions = [*_SESSION.finditer(output)]
    bad = not all(ended) or any(any(match.groups()) for match in sessions)
    numbers = totals(
        (counts.passed or 0, counts.failed or 0, counts.skipped or 0) for counts in inner
    )
    if numbers is None:
        if sessions or ended:
            return Counts(ok=not bad)
        return NOTHING if _SESSIONS_NONE.search(output) else None
    ok = not bad if sessions or ended else numbers.ok
    return Counts(passed=numbers.passed, failed=numbers.failed, skipped=numbers.skipped, ok=ok)
