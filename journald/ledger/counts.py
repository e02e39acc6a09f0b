"""What the output of a test runner says: how many passed and failed, and the verdict.

Several summaries (crates, modules,
workspaces) add up; an identical line told twice, with its duration, is one summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The outcome of a test run; None is what the output does not tell."""

    passed: int | None = None
    failed: int | None = None
    """Errors count as failures."""
    ok: bool | None = None


def count_of(line: str, word: str) -> int:
    """Return the number before `word` in a line, all of them added up."""
    return sum(int(number) for number in re.findall(rf"(\d+) {word}", line))


def count_words(
    pattern: re.Pattern[str], output: str, *, good: set[str], bad: set[str]
) -> Counts | None:
    """Add up the matches of a pattern whose groups are a number and a word."""
    found = [(match[2], int(match[1])) for match in pattern.finditer(output)]
    return add_words(found, good=good, bad=bad)


def add_words(found: list[tuple[str, int]], *, good: set[str], bad: set[str]) -> Counts | None:
    """Add up words with their numbers; None without any."""
    if not found:
        return None
    return totals(
        (number if word in good else 0, number if word in bad else 0) for word, number in found
    )


def totals(found: Iterable[tuple[int, int]]) -> Counts:
    """Add up pairs of passed and failed."""
    pairs = [*found]
    passed = sum(max(good, 0) for good, _ in pairs)
    failed = sum(bad for _, bad in pairs)
    return Counts(passed=passed, failed=failed, ok=not failed if passed or failed else None)
