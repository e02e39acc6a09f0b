"""Counts in reports that many test runners can be asked for: TAP, and JSON."""

from __future__ import annotations

import re

from journald.ledger.counts import NOTHING, Counts, add_words, totals

_NODE = re.compile(r"^(?:#|\u2139) (pass|fail|cancelled|skipped) (\d{1,9})$", re.MULTILINE)
_TAP = re.compile(r"^(not )?ok \d{1,9}\b([^\n]*)$", re.MULTILINE)
_TAP_ASIDE = re.compile(r"#[ \t]*(?:skip|todo)", re.IGNORECASE)
_TAP_PLAN = re.compile(r"^1\.\.(\d{1,9})", re.MULTILINE)
_TAP_END = re.compile(
    r"^# \{ total: \d{1,9}(?:, (?:pass|fail|skip|todo): \d{1,9})* \}", re.MULTILINE
)
_BATS = re.compile(
    r"^(\d{1,9}) tests?, (\d{1,9}) failures?(?:, (\d{1,9}) skipped)?(?:, \d{1,9} not run)?$",
    re.MULTILINE,
)
# Names of passed, failed and skipped in the JSON of jest and vitest, of mocha, of Playwright.
_KEYS = (
    ("numPassedTests", "numFailedTests", "numPendingTests"),
    ("passes", "failures", "pending"),
    ("expected", "unexpected", "skipped"),
)


def read_node(output: str) -> Counts | None:
    """Read the summary of `node --test`, which other TAP reporters print as well."""
    found = [(match[1], int(match[2])) for match in _NODE.finditer(output)]
    return add_words(found, good={"pass"}, bad={"fail", "cancelled"}, aside={"skipped"})


def read_tap(output: str) -> Counts | None:
    """Count the lines of a TAP report; what is to be skipped or done later did not pass."""
    if not _TAP_PLAN.search(output):
        return None
    triples = []
    for match in _TAP.finditer(output):
        aside = _TAP_ASIDE.search(match[2]) is not None
        triples.append(
            (int(not (match[1] or aside)), int(bool(match[1]) and not aside), int(aside))
        )
    return totals(triples) or NOTHING


def read_tap_summary(output: str) -> Counts | None:
    """Read the last line of node-tap, else the numbers of a TAP reporter, else its lines."""
    ends = [match[0] for match in _TAP_END.finditer(output)]
    counts = totals(
        (_named(end, "pass"), _named(end, "fail"), _named(end, "skip") + _named(end, "todo"))
        for end in ends
    )
    return counts or read_node(output) or read_tap(output)


def read_bats(output: str) -> Counts | None:
    """Read bats, which prints TAP unless it writes to a terminal."""
    pretty = totals(
        (
            int(match[1]) - int(match[2]) - int(match[3] or 0),
            int(match[2]),
            int(match[3] or 0),
        )
        for match in _BATS.finditer(output)
    )
    return pretty or read_tap(output)


def read_report(output: str) -> Counts | None:
    """Read what a runner prints that was asked for a report: TAP or JSON."""
    return read_tap_summary(output) or _json(output)


def _json(output: str) -> Counts | None:
    for passed, failed, skipped in _KEYS:
        numbers = [_key(output, name) for name in (passed, failed, skipped)]
        if numbers[0] is not None and numbers[1] is not None:
            return totals([(numbers[0], numbers[1], numbers[2] or 0)])
    return None


def _key(output: str, name: str) -> int | None:
    found = re.search(rf'"{name}": ?(\d{{1,9}})\b', output)
    return int(found[1]) if found else None


def _named(line: str, name: str) -> int:
    found = re.search(rf"\b{name}: (\d{{1,9}})", line)
    return int(found[1]) if found else 0
