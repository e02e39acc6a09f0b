"""What a simple command is for: by it two commands are told to do the same, or not.

Two kinds are told apart. A check (tests, a build, a linter) that succeeds makes up for one that
failed only if it looked at as much. An action (a push, an installation) makes up for one that
failed if it did as much, whatever else it was told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from journald.ledger.git import git_words
from journald.ledger.paths import Paths
from journald.ledger.steps import Step
from journald.ledger.words import Words

# Programs whose first word after the name says what they do; after these words, the next one too.
_WORDED = frozenset(
    {"biome", "bun", "bundle", "cargo", "composer", "dart", "deno", "docker", "dotnet", "flutter",
     "gh", "glab", "go", "helm", "just", "kubectl", "make", "mise", "mix", "npm", "nx", "php",
     "pip", "pip3", "pnpm", "poetry", "prisma", "rails", "rake", "ruff", "swift", "task",
     "terraform", "turbo", "uv", "yarn", "zig"}
)  # fmt: skip
_TWO_WORDED = frozenset({"run", "run-script", "exec", "compose", "pr", "mr", "issue", "repo", "r"})
_CHECKS = re.compile(
    r"\b(?:build|check|clippy|compile|credo|dialyzer|eslint|flake8|format|fmt|golangci-lint|lint"
    r"|mypy|prettier|pylint|pyright|ruff|shellcheck|stylelint|tests?|tsc|typecheck|type-check|vet"
    r"|vale|verify)\b"
)
# What shapes output or speed alone, the second with a value behind it.
_HARMLESS = re.compile(
    r"-[vqsxi]+|--(?:verbose|quiet|silent|tb|color|colors|no-color|no-header|json|bail|ci|pretty"
    r"|durations|maxfail|no-fail-fast|reporter|run|runInBand|watchAll|coverage|no-coverage|cov"
    r"|cov-report|no-cov|no-cache|output|progress|no-progress|timeout|parallel)(?:=.*)?"
    r"|-count=\d+|-timeout=\w+|-j\d*|-n\d*"
)
_HARMLESS_VALUED = frozenset(
    {"-n", "-j", "-timeout", "--tb", "--timeout", "--reporter", "--maxfail", "--durations"}
)
# What leaves out a part of what would be checked.
_NARROWING = frozenset(
    {"-k", "-m", "-t", "-g", "-p", "-w", "-run", "--grep", "--filter", "--package", "--workspace",
     "--project", "--testNamePattern", "--testPathPattern", "--tests", "--only", "--ignore",
     "--deselect", "--exclude", "-C", "--prefix", "--dir", "--test", "--bin", "--features"}
)  # fmt: skip
_PRETENDING = frozenset({"--dry-run", "--help", "-h", "--version", "--check", "--list"})
# Of several things at once, each is done for itself.
_PIECEMEAL = re.compile(
    r"(?:git (?:add|rm)|rm|touch|mkdir|chmod"
    r"|(?:npm|pnpm|yarn|bun|pip3?|uv|cargo|go|poetry|brew|apt) (?:install|i|add|get))\b"
)
_PREPARING = frozenset(
    {"cd", "export", "source", ".", "set", "echo", "printf", "sleep", "true", "pwd", "pushd",
     "popd", ":"}
)  # fmt: skip
# What only shapes the output of the command before it.
_SHAPING = frozenset(
    {"tail", "head", "cat", "tee", "grep", "egrep", "sed", "awk", "less", "sort", "uniq", "wc",
     "cut", "tr", "column", "xargs", "rg", "jq"}
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Purpose:
    """What a simple command is for."""

    what: str
    """Program and the words that say what it does."""
    targets: frozenset[str] = frozenset()
    """What it does it to; for a check, nothing stands for everything."""
    options: frozenset[str] = frozenset()
    checks: bool = False

    @property
    def piecemeal(self) -> bool:
        """Whether each of several targets is done for itself."""
        return _PIECEMEAL.match(self.what) is not None

    def reached_by(self, other: Purpose) -> bool:
        """Tell whether the success of `other`, the same `what`, makes up for a failure of this."""
        if other.options & _PRETENDING - self.options:
            return False
        if not self.checks:
            return self.targets <= other.targets
        if not other.options <= self.options:
            return False
        if not other.targets:
            return True
        return bool(self.targets) and all(
            any(_covers(wide, one) for wide in other.targets) for one in self.targets
        )


def main_steps(steps: tuple[Step, ...]) -> list[Step]:
    """Return the simple commands of a line that do its work.

    The way there and the shaping of output are left out.
    """
    found: list[Step] = []
    piped = False
    for step in steps:
        shaping = piped and step.program in _SHAPING
        piped = step.joint == "|"
        if not shaping and step.program not in _PREPARING:
            found.append(step)
    return found


def purpose_of(
    step: Step, command: str, folder: str | None, paths: Paths, *, tests: bool
) -> Purpose:
    """Return what a step of the line `command` is for; `tests` says that it runs tests.

    What cannot be told apart from something else has the line itself as its purpose.
    """
    words = step.words
    name, rest = _named(step, words)
    spoken = " ".join((name, *rest)) if step.program in _WORDED else name
    checks = tests or (step.program != "git" and _CHECKS.search(spoken) is not None)
    targets, options = _split(rest) if checks else _plain(rest)
    place = paths.whole(folder) if folder else ""
    if not place or _is_indistinct(step, targets, command, checks=checks):
        return Purpose(what=f"{place}\n{' '.join(command.split())}")
    return Purpose(what=f"{name} in {place}", targets=targets, options=options, checks=checks)


def _named(step: Step, words: Words) -> tuple[str, Words]:
    """Return what a command does, and the rest of its words."""
    git = git_words(step)
    if git:
        return f"git {git[0]}", git[1:]
    program = step.program
    if program not in _WORDED:
        return program, words[1:]
    named = [program]
    rest = list(words[1:])
    while rest and (_HARMLESS.fullmatch(rest[0]) or not rest[0].startswith("-")):
        word = rest.pop(0)
        if word.startswith("-"):
            continue
        named.append(word)
        if word not in _TWO_WORDED:
            break
    return " ".join(named), tuple(rest)


def _plain(words: Words) -> tuple[frozenset[str], frozenset[str]]:
    options = frozenset(word for word in words if word.startswith("-"))
    return frozenset(words) - options, options


def _split(words: Words) -> tuple[frozenset[str], frozenset[str]]:
    """Return targets and options of a check; an option that narrows it keeps its value."""
    targets: set[str] = set()
    options: set[str] = set()
    rest = iter(words)
    for word in rest:
        if word in _HARMLESS_VALUED:
            next(rest, None)
        elif word in _NARROWING:
            options.add(f"{word} {next(rest, '')}")
        elif not word.startswith("-"):
            targets.add(word)
        elif not _HARMLESS.fullmatch(word) and word != "--":
            options.add(word)
    return frozenset(targets), frozenset(options)


def _is_indistinct(step: Step, targets: frozenset[str], command: str, *, checks: bool) -> bool:
    """Tell whether the words of a step leave out what it does: a script, a redirection."""
    if checks or step.program == "git":
        return False
    return (not targets and step.program not in _WORDED) or _is_fed(command)


def _is_fed(command: str) -> bool:
    return "<<" in command or re.search(r"(?<![0-9&>=-])>(?![&>])\s*[^\s&/]", command) is not None


def _covers(wide: str, one: str) -> bool:
    """Tell whether a target, such as a folder or a file of tests, holds another one."""
    base = wide.removesuffix("...").rstrip("/")
    return one == wide or base in {"", "."} or one.startswith((f"{base}/", f"{base}::"))
