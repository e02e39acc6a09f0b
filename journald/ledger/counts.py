"""What the output of a test runner says: how many passed and failed, and the verdict.

Several summaries (crates, modules, workspaces) add up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

_NONE: AbstractSet[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The outcome of a test run; None is what the output does not tell."""

    passed: int | None = None
    failed: int | None = None
    """Errors count as failures."""
    skipped: int | None = None
    ok: bool | None = None


NOTHING = Counts(passed=0, failed=0, skipped=0)
"""What a runner tells that found no test to run."""


def number(text: str | None) -> int:
    """Return the number that a group of a match holds, 0 where it took no part."""
    return int(text) if text else 0


def count_of(line: str, word: str) -> int:
    """Return the number before `word` in a line, all of them added up."""
    return sum(int(found) for found in re.findall(rf"\b(\d{{1,9}}) {word}\b", line))


def count_words(
    pattern: re.Pattern[str],
    output: str,
    *,
    good: AbstractSet[str],
    bad: AbstractSet[str],
    aside: AbstractSet[str] = _NONE,
) -> Counts | None:
    """Add up the matches of a pattern whose groups are a number and a word."""
    found = [(match[2], int(match[1])) for match in pattern.finditer(output)]
    return add_words(found, good=good, bad=bad, aside=aside)


def add_words(
    found: list[tuple[str, int]],
    *,
    good: AbstractSet[str],
    bad: AbstractSet[str],
    aside: AbstractSet[str] = _NONE,
) -> Counts | None:
    """Add up words with their numbers; None without any."""
    return totals(
        (
            many if word in good else 0,
            many if word in bad else 0,
            many if word in aside else 0,
        )
        for word, many in found
    )


def totals(found: Iterable[tuple[int, int, int]], *, broken: bool = False) -> Counts | None:
    """Add up triples of passed, failed and skipped; None without any.

    A run without a single test is neither good nor bad, unless it broke.
    """
    triples = [*found]
    if not triples:
        return None
    passed, failed, skipped = (max(sum(parts), 0) for parts in zip(*triples, strict=True))
    bad = bool(failed) or broken
    ok = None if not (bad or passed or skipped) else not bad
    return Counts(passed=passed, failed=failed, skipped=skipped, ok=ok)
