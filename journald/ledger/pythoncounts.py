"""Summaries of Python's test runners."""

from __future__ import annotations

import re

from journald.ledger.counts import Counts, count_of

_PYTEST = re.compile(
    r"^(?:=+ )?((?:\d+ (?:passed|failed|errors?|skipped|deselected|xfailed|xpassed|warnings?|"
    r"rerun|subtests passed)(?:, )?)+|no tests (?:ran|collected)(?: \(\d+ deselected\))?)"
    r"(?:, \d+ warnings?)? in [\d.:]+ ?(?:m?s|seconds)\b.*$",
    re.MULTILINE,
)
_UNITTEST = re.compile(
    r"^Ran (\d+) tests? in [\d.]+s\s+(OK|FAILED|NO TESTS RAN)(?: \(([^)\n]*)\))?", re.MULTILINE
)
_SESSION = re.compile(
    r"^[ \t]*\S+: (?:OK|(FAIL))(?: code -?\d+)?(?: \(|[ \t]*$)"
    r"|^nox > (?:\* \S+: (?:success|(failed))|Session \S+ (?:was successful|(failed)))",
    re.MULTILINE,
)


def read_pytest(output: str) -> Counts | None:
    """Read the last line of pytest, with or without its rules."""
    found = list(dict.fromkeys(match[0] for match in _PYTEST.finditer(output)))
    if not found:
        return None
    passed = sum(count_of(line, "passed") for line in found)
    failed = sum(count_of(line, "failed") + count_of(line, "error") for line in found)
    none = any("no tests" in line for line in found) or not (passed or failed)
    return Counts(passed=passed, failed=failed, ok=False if failed else None if none else True)


def read_unittest(output: str) -> Counts | None:
    """Read `Ran N tests` and the verdict under it."""
    passed = failed = 0
    found = [*_UNITTEST.finditer(output)]
    if not found:
        return None
    verdicts = set()
    for match in found:
        parts = dict(part.split("=", 1) for part in (match[3] or "").split(", ") if "=" in part)
        bad = sum(
            int(parts.get(name, 0)) for name in ("failures", "errors", "unexpected successes")
        )
        aside = sum(int(parts.get(name, 0)) for name in ("skipped", "expected failures"))
        passed += max(int(match[1]) - bad - aside, 0)
        failed += bad
        verdicts.add(match[2])
    ok = None if verdicts == {"NO TESTS RAN"} else "FAILED" not in verdicts
    return Counts(passed=passed, failed=failed, ok=ok)


def read_sessions(output: str) -> Counts | None:
    """Read tox and nox: the numbers are those of the runner inside, the verdict their own."""
    sessions = [*_SESSION.finditer(output)]
    inner = read_pytest(output) or read_unittest(output)
    if not sessions:
        return inner
    return Counts(
        passed=inner.passed if inner else None,
        failed=inner.failed if inner else None,
        ok=not any(any(match.groups()) for match in sessions),
    )
