"""Which programs of a command line run a test suite."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import pairwise

from journald.ledger.queries import TASK_QUERIES, is_query
from journald.ledger.shell import handed_over, split, substituted
from journald.ledger.steps import Step
from journald.ledger.words import (
    PYTHON,
    VALUED,
    Words,
    places_of,
    plain_words,
    program_name,
)
from journald.ledger.wrappers import candidates, script_of, unwrap

Known = tuple[str, "Certainty"]


class Certainty(Enum):
    """How sure it is that a command runs tests."""

    RUNNER = auto()  # a test runner by name
    SCRIPT = auto()  # a script by the name of `test`; what it runs shows in its output
    PERHAPS = auto()  # only its output can tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A command that runs a test suite, or may."""

    runner: str
    certainty: Certainty
    step: Step
    position: int
    """Place of `step` among the simple commands of its line; -1 inside of `$(…)`."""


_RUNNERS = {
    "ava": "ava",
    "bats": "bats",
    "ctest": "ctest",
    "ginkgo": "go test",
    "gotestsum": "go test",
    "jasmine": "jasmine",
    "jest": "jest",
    "mocha": "mocha",
    "nose2": "unittest",
    "nosetests": "unittest",
    "nox": "nox",
    "parallel_rspec": "rspec",
    "paratest": "phpunit",
    "pest": "pest",
    "phpunit": "phpunit",
    "ptw": "pytest",
    "py.test": "pytest",
    "pytest": "pytest",
    "pytest-watch": "pytest",
    "rspec": "rspec",
    "tap": "tap",
    "tox": "tox",
    "trial": "unittest",
    "vitest": "vitest",
}
_SUBCOMMANDS = {
    ("bun", "test"): "bun test",
    ("cargo", "llvm-cov"): "cargo test",
    ("cargo", "nextest"): "cargo nextest",
    ("cargo", "t"): "cargo test",
    ("cargo", "tarpaulin"): "cargo test",
    ("cargo", "test"): "cargo test",
    ("craco", "test"): "jest",
    ("cypress", "run"): "cypress",
    ("dart", "test"): "dart test",
    ("deno", "test"): "deno test",
    ("dotnet", "test"): "dotnet test",
    ("dotnet", "vstest"): "dotnet test",
    ("flutter", "test"): "flutter test",
    ("go", "test"): "go test",
    ("hatch", "test"): "pytest",
    ("mix", "coveralls"): "mix test",
    ("mix", "test"): "mix test",
    ("playwright", "test"): "playwright",
    ("rails", "test"): "minitest",
    ("react-scripts", "test"): "jest",
    ("richgo", "test"): "go test",
    ("rye", "test"): "pytest",
    ("swift", "test"): "swift test",
}
# Words of cargo before which another subcommand is named.
_CARGO_THROUGH = frozenset({"careful", "hack", "insta", "leptos", "llvm-cov", "miri"})
_MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_MANAGER_WORK = frozenset(
    {"add", "audit", "cache", "ci", "config", "create", "i", "info", "init", "install", "link",
     "ls", "outdated", "pack", "pkg", "publish", "remove", "rm", "set", "uninstall", "up",
     "update", "upgrade", "version", "view", "why"}
)  # fmt: skip
_MANAGER_TESTS = frozenset({"test", "t", "tst", "it", "cit", "install-test"})
_TASKS = frozenset(
    {"act", "ant", "artisan", "composer", "doit", "earthly", "gmake", "grunt", "gulp", "invoke",
     "just", "lando", "lerna", "mage", "make", "melos", "mise", "moon", "ng", "ninja", "nx", "pixi",
     "poe", "rake", "sail", "scons", "task", "turbo", "xcodebuild"}
)  # fmt: skip
# Those whose first word tells what they do.
_VERBED = frozenset(
    {"anchor", "bazel", "bazelisk", "buck2", "cabal", "crystal", "dub", "dune", "forge", "gleam",
     "hardhat", "lein", "meson", "molecule", "nimble", "pants", "sbt", "stack", "terraform", "zig"}
)  # fmt: skip
_CONTAINERS = frozenset({"docker", "docker-compose", "podman"})
_TOOLS = _CONTAINERS | {"cargo", "cmake", "deno", "dotnet", "go", "mix"}
_TASK_WORK = frozenset(
    {"add", "create-project", "exec", "generate", "info", "init", "install", "list", "ls", "new",
     "remove", "require", "show", "uninstall", "update", "use", "why", "x"}
)  # fmt: skip
_BUILDERS = {"mvn": "maven", "mvnd": "maven", "mvnw": "maven", "gradle": "gradle",
             "gradlew": "gradle"}  # fmt: skip
_BUILDER_GOALS = re.compile(
    r"(?::?[\w-]+:)*(?:test(?!Classes\b|-compile\b)\w*|verify|integration-test|check|\w+Test)"
)
_TEST_NAME = re.compile(
    r"(?:.*[:/_.-])?(?:tests?|e2e|specs?|unit|integration|jest|vitest|pytest)(?:[:_.-].*)?"
)
_BUILT = re.compile(
    r"\b(?:build|clean|data|db|deps|docs|down|fixtures?|gen|generate|image|install|lint|list|pre|"
    r"prepare|report|serve|server|setup|type-check|typecheck|types|up|update)\b"
)
_SCRIPT = re.compile(r"\.(?:sh|bash|py|js|mjs|cjs|ts|mts|rb|php|phar|pl|ps1|exs)$")
_INTERPRETERS = re.compile(
    r"(?:python|pypy|py|node|nodejs|ruby|php|perl|tsx|ts-node|bun|deno|bash|sh|zsh|source|\.)"
    r"(?:[\d.]*)"
)
_NODES = frozenset({"node", "nodejs", "tsx"})
_SYSTEM = re.compile(r"/(?:usr/|s?bin/|opt/homebrew/)")

_DEEPEST = 3
# Words of a command that are looked at.
_LONGEST = 200


def find_invocations(command: str, depth: int = 0) -> tuple[Invocation, ...]:
    """Return the test runs of a command line, in order; those inside of `$(…)` come last."""
    return invocations_of(split(command), command, depth) if depth <= _DEEPEST else ()


def invocations_of(steps: tuple[Step, ...], command: str, depth: int = 0) -> tuple[Invocation, ...]:
    """Return the test runs of a command line that is taken apart already."""
    found: list[Invocation] = []
    for position, step in enumerate(steps):
        known = recognise(step.words, depth)
        if known is not None:
            runner, certainty = known
            found.append(
                Invocation(runner=runner, certainty=certainty, step=step, position=position)
            )
    for line in substituted(command):
        found.extend(
            replace(one, position=-1, step=replace(one.step, passes=False, fails=False))
            for one in find_invocations(line, depth + 1)
        )
    return tuple(found)


def is_runner(name: str) -> bool:
    """Tell whether a program by this name runs tests, whatever it is given."""
    return name in _RUNNERS


def recognise(words: Words, depth: int = 0, *, behind: bool = True) -> Known | None:
    """Return the runner that a simple command starts, as far as its words tell.

    With `behind`, it is looked for behind a wrapper of any shape as well.
    """
    words = words[:_LONGEST]
    found = _program(unwrap(words), depth, behind=behind)
    script = script_of(words) if found is None else None
    if script is not None:
        known = _named(*script)
        return known if known[1] is Certainty.SCRIPT else None
    return found


def _program(words: Words, depth: int, *, behind: bool) -> Known | None:
    if not words or depth > _DEEPEST:
        return None
    line = handed_over(words)
    if line is not None:
        return _first(line, depth)
    if behind:
        found = _behind(words, depth)
        if found is not None:
            return found
    name = program_name(words[0]).partition("@")[0]
    return _named_program(name, words, depth) if name else None


def _named_program(name: str, words: Words, depth: int) -> Known | None:
    runner = _direct(name, words)
    if runner is not None:
        return None if is_query(runner, words) else (runner, Certainty.RUNNER)
    if name in _BUILDERS:
        return _built(_BUILDERS[name], words)
    special = _python if PYTHON.fullmatch(name) else _manager if name in _MANAGERS else _script
    return special(name, words, depth)


def _first(line: str, depth: int) -> Known | None:
    found = find_invocations(line, depth + 1)
    sure = [one for one in found if one.certainty is not Certainty.PERHAPS]
    return next(((one.runner, one.certainty) for one in (*sure, *found)), None)


def _behind(words: Words, depth: int) -> Known | None:
    """Look for a runner behind a wrapper; a word with blanks is a line of its own."""
    perhaps = None
    for rest in candidates(words):
        # Behind a wrapper behind this one is behind this one, too.
        found = (
            _first(rest[0], depth)
            if re.search(r"\s", rest[0])
            else recognise(rest, depth + 1, behind=False)
        )
        if found is not None and found[1] is not Certainty.PERHAPS:
            return found
        perhaps = perhaps or found
    return perhaps


def _direct(name: str, words: Words) -> str | None:
    if name in _NODES:
        return "node --test" if "--test" in words else None
    if name in _RUNNERS:
        return _RUNNERS[name]
    plain = plain_words(words, VALUED.get(name, frozenset()))[:2]
    if name == "cargo" and plain[:1] and plain[0] in _CARGO_THROUGH:
        return _SUBCOMMANDS.get((name, plain[-1]))
    if name == "mix" and plain[:1] == ["do"]:
        return "mix test" if any(word.rstrip(",") == "test" for word in words) else None
    if name == "dotnet" and plain[:1] == ["watch"]:
        plain = plain[1:]
    if name in {"mix", "rails"} and plain:
        plain = [re.split(r"[.:]", plain[0])[0]]
    return _SUBCOMMANDS.get((name, plain[0])) if plain else None


def _built(runner: str, words: Words) -> Known | None:
    if is_query(runner, words):
        return None
    left_out = {after for word, after in pairwise(words) if word == "-x"}
    plain = plain_words(words, VALUED["gradle"] if runner == "gradle" else frozenset())
    goals = [word for word in plain if _BUILDER_GOALS.fullmatch(word)]
    if "test" in left_out and not goals:
        return None
    return (runner, Certainty.RUNNER if goals else Certainty.PERHAPS)


def _python(name: str, words: Words, depth: int) -> Known | None:
    places = places_of(words, VALUED["python"])
    first = places[0] if places else len(words)
    if "-m" in words[:first]:
        return _module(words[first:], depth)
    if "-c" in words[:first]:
        tests = first < len(words) and re.search(r"\b(?:pytest|unittest)\b", words[first])
        return (name, Certainty.PERHAPS) if tests else None
    if not places:
        return None
    script = program_name(words[first])
    rest = [words[at] for at in places[1:]]
    if (script in {"manage.py", "setup.py"} and "test" in rest) or script == "runtests.py":
        return ("unittest", Certainty.RUNNER)
    return (name, Certainty.PERHAPS) if _SCRIPT.search(script) else None


def _module(words: Words, depth: int) -> Known | None:
    """Return what `python -m` runs."""
    if not words:
        return None
    name = words[0].rpartition(".")[2]
    if name == "unittest":
        return None if is_query("unittest", words) else ("unittest", Certainty.RUNNER)
    if name == "django":
        return ("unittest", Certainty.RUNNER) if "test" in words else None
    if name == "pytest_watch":
        return ("pytest", Certainty.RUNNER)
    found = recognise((name, *words[1:]), depth + 1, behind=False)
    if found is None and re.search(r"test", words[0]):
        return ("python", Certainty.PERHAPS)
    return found


def _manager(name: str, words: Words, depth: int) -> Known | None:
    places = places_of(words, VALUED[name])
    plain = [words[at] for at in places]
    skipped = _workspace(plain)
    places, plain = places[skipped:], plain[skipped:]
    if plain and plain[0] in {"exec", "x", "dlx"}:
        places, plain = places[1:], plain[1:]
    if not plain or plain[0] in _MANAGER_WORK or not TASK_QUERIES.isdisjoint(words):
        return None
    if plain[0] in {"run", "run-script"}:
        return _named(name, plain[1] if len(plain) > 1 else "")
    if plain[0] in _MANAGER_TESTS:
        return (name, Certainty.SCRIPT)
    if program_name(plain[0]) not in _MANAGERS:
        found = recognise(words[places[0] :], depth + 1, behind=False)
        if found is not None and found[1] is not Certainty.PERHAPS:
            return found
    return _named(name, plain[0] if name != "npm" else "")


def _workspace(plain: list[str]) -> int:
    """Return how many words name the workspaces in which something is run."""
    if plain[:1] == ["workspace"]:
        return 2
    if plain[:1] == ["workspaces"]:
        return 2 if plain[1:2] == ["foreach"] else 1
    return 0


def _named(name: str, script: str) -> Known:
    sure = bool(_TEST_NAME.fullmatch(script)) and not _BUILT.search(script)
    return (name, Certainty.SCRIPT if sure else Certainty.PERHAPS)


def _script(name: str, words: Words, depth: int) -> Known | None:
    plain = plain_words(words, VALUED.get("make" if name == "gmake" else name, frozenset()))
    if name in _TASKS:
        return _task(name, words, plain)
    if name in _VERBED:
        return _named(name, plain[0] if plain else "")
    if name in _TOOLS:
        return _subcommand(name, words, plain)
    if name in {"manage.py", "runtests.py"}:
        return _python("python", ("python", *words), depth)
    if _INTERPRETERS.fullmatch(name):
        return _interpreted(name, words, plain, depth)
    own = _SCRIPT.search(name) or re.search(r"[/\\]", words[0])
    return (name, Certainty.PERHAPS) if own and not _SYSTEM.match(words[0]) else None


def _subcommand(name: str, words: Words, plain: list[str]) -> Known | None:
    """Return what a tool runs for a project: a script of it, or something that may test it."""
    if name == "cmake":
        return _target(words)
    if name in _CONTAINERS:
        runs = not {"run", "up"}.isdisjoint(plain)
        return (name, Certainty.PERHAPS) if runs else None
    if plain[:1] and plain[0] in {"make", "task", "xtask"}:
        return _named(name, plain[1] if len(plain) > 1 else "")
    runs = name == "mix" or plain[:1] == ["run"]
    return (name, Certainty.PERHAPS) if runs and name != "cargo" else None


def _task(name: str, words: Words, plain: list[str]) -> Known | None:
    if plain[:1] and plain[0] in _TASK_WORK:
        return None
    if not TASK_QUERIES.isdisjoint(words) or (name in {"make", "gmake"} and "-n" in words):
        return None
    sure = any(_named(name, word)[1] is Certainty.SCRIPT for word in plain)
    return (name, Certainty.SCRIPT if sure else Certainty.PERHAPS)


def _target(words: Words) -> Known:
    """Return what `cmake --build … --target test` runs."""
    targets = {after for word, after in pairwise(words) if word in {"--target", "-t"}}
    sure = not {"test", "check", "RUN_TESTS"}.isdisjoint(targets)
    return ("cmake", Certainty.SCRIPT if sure else Certainty.PERHAPS)


def _interpreted(name: str, words: Words, plain: list[str], depth: int) -> Known | None:
    if name in _NODES and "--run" in words:
        return _named(name, plain[0] if plain else "")
    if not plain:
        return None
    program = _SCRIPT.sub("", program_name(plain[0])).removeprefix("_")
    found = recognise((program, *plain[1:]), depth + 1, behind=False)
    if found is not None and found[1] is not Certainty.PERHAPS:
        return found
    return (name, Certainty.PERHAPS) if any(_SCRIPT.search(word) for word in plain) else None
