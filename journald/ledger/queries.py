"""The words and options of a test runner, and when it is only asked for something."""

from __future__ import annotations

import re
from itertools import pairwise

from journald.ledger.words import Words, plain_words

# With these a runner tells something and runs no tests.
_QUERIES = frozenset({"--help", "-h", "--version"})
_RUNNER_QUERIES = {
    "bats": {"-c", "--count", "-v"},
    "cargo nextest": {"--no-run"},
    "cargo test": {"--no-run", "--list"},
    "ctest": {"-N", "--show-only", "--print-labels"},
    "deno test": {"--no-run"},
    "dotnet test": {"--list-tests", "-t"},
    "go test": {"-c", "-list", "-n"},
    "gradle": {"--dry-run", "-m", "-v"},
    "jest": {"--listTests", "--showConfig", "--init", "--clearCache", "-v"},
    "maven": {"-v", "-DskipTests", "-Dmaven.test.skip", "-Dmaven.test.skip.exec"},
    "mocha": {"--list-interfaces", "--list-reporters", "-V"},
    "nox": {"-l", "--list", "--list-sessions", "--install-only"},
    "pest": {"--list-tests", "--init"},
    "phpunit": {"--list-tests", "--list-suites", "--list-groups", "--generate-configuration"},
    "playwright": {"--list"},
    "pytest": {"--collect-only", "--collectonly", "--co", "--fixtures", "--fixtures-per-test",
               "--markers", "--setup-plan", "--cache-show", "-V"},
    "rspec": {"--dry-run", "--init", "-v"},
    "swift test": {"--list-tests", "-l"},
    "tox": {"-l", "--listenvs", "-a", "--listenvs-all", "--showconfig", "--devenv", "--notest",
            "-n"},
    "vitest": {"-v", "--mergeReports"},
}  # fmt: skip
_QUERY_WORDS = {
    "cargo nextest": {"list", "show-config", "archive", "self", "help"},
    "swift test": {"list"},
    "tox": {"list", "l", "config", "c", "devenv", "d", "quickstart", "depends", "schema"},
    "vitest": {"bench", "init", "list"},
}
TASK_QUERIES = frozenset(
    {"--collect-only", "--dry-run", "--help", "--just-print", "--list", "--listTests", "--version"}
)
# What people give to `-run` when only benchmarks are to run.
_NO_TESTS = re.compile(r"\^?\$|NONE|none|XXX|xxx|\^#|nothing|_")


def is_query(runner: str, words: Words) -> bool:
    """Tell whether a runner is only asked for something, and will not run a test."""
    options = _QUERIES | _RUNNER_QUERIES.get(runner, set())
    if any(word.partition("=")[0] in options for word in words[1:]):
        return True
    asked = _QUERY_WORDS.get(runner, set())
    if asked and not asked.isdisjoint(plain_words(words)[:2]):
        return True
    return runner == "go test" and _only_benchmarks(words)


def _only_benchmarks(words: Words) -> bool:
    if not any(word.startswith(("-bench=", "-bench.")) or word == "-bench" for word in words):
        return False
    names = [word.partition("=")[2] for word in words if word.startswith("-run=")]
    names.extend(after for word, after in pairwise(words) if word == "-run")
    return any(_NO_TESTS.fullmatch(name) for name in names)
