"""Which reader understands the output of which test runner."""

from __future__ import annotations

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
from journald.ledger.pythoncounts import (
    read_pytest,
    read_sessions,
    read_unittest,
)
from journald.ledger.scriptcounts import (
    read_ava,
    read_bun,
    read_deno,
    read_jest,
    read_minitest,
    read_mocha,
    read_node,
    read_phpunit,
    read_playwright,
    read_rspec,
    read_tap,
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
    "jasmine": read_rspec,
    "tox": read_sessions,
    "nox": read_sessions,
    "bats": read_tap,
    "tap": read_tap,
}
# Summaries that every build prints, and reports that are none of a test runner alone.
_NOT_TELLING = frozenset(
    {"maven", "gradle", "pest", "cypress", "jasmine", "dart test", "tox", "nox"}
)


def detect(output: str) -> tuple[str, Counts] | None:
    """Tell from its output which runner a script ran, and with what outcome.

    Only what carries numbers, or the verdict of a Go package, counts as a test run.
    """
    for runner, read in READERS.items():
        if runner in _NOT_TELLING:
            continue
        counts = read(output)
        if counts is not None and (counts.passed or counts.failed or counts.ok is not None):
            return runner, counts
    return None
