"""Which programs of a command line run a test suite."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from journald.ledger.shell import Step, program_name, split

Words = tuple[str, ...]


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
    """Place of `step` among the simple commands of its line."""


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
    "nox": "nox",
    "paratest": "phpunit",
    "pest": "pest",
    "phpunit": "phpunit",
    "py.test": "pytest",
    "pytest": "pytest",
    "rspec": "rspec",
    "tap": "tap",
    "tox": "tox",
    "trial": "unittest",
    "vitest": "vitest",
}
_SUBCOMMANDS = {
    ("bun", "test"): "bun test",
    ("cargo", "nextest"): "cargo nextest",
    ("cargo", "t"): "cargo test",
    ("cargo", "test"): "cargo test",
    ("cypress", "run"): "cypress",
    ("dart", "test"): "dart test",
    ("deno", "test"): "deno test",
    ("dotnet", "test"): "dotnet test",
    ("flutter", "test"): "flutter test",
    ("go", "test"): "go test",
    ("hatch", "test"): "pytest",
    ("mix", "test"): "mix test",
    ("playwright", "test"): "playwright",
    ("rails", "test"): "minitest",
    ("react-scripts", "test"): "jest",
    ("swift", "test"): "swift test",
}
_MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
_MANAGER_WORK = frozenset(
    {"add", "audit", "ci", "create", "i", "info", "init", "install", "link", "ls", "outdated",
     "pack", "publish", "remove", "uninstall", "update", "upgrade", "version", "view", "why"}
)  # fmt: skip
_TASKS = frozenset({"make", "gmake", "just", "task", "mise", "mage", "rake", "invoke", "poe",
                    "turbo", "nx", "lerna", "moon", "composer", "artisan", "ng", "bazel", "pants",
                    "sbt", "lein", "stack", "cabal", "zig", "xcodebuild", "ant"})  # fmt: skip
_BUILDERS = {"mvn": "maven", "mvnw": "maven", "gradle": "gradle", "gradlew": "gradle"}
_BUILDER_GOALS = re.compile(r"(?::?[\w-]+:)*(?:test|verify|integration-test|check|\w+Test)")
_TEST_NAME = re.compile(
    r"(?:.*[:/_.-])?(?:tests?|e2e|specs?|unit|integration|jest|vitest|pytest)(?:[:_.-].*)?"
)
_BUILT = re.compile(r"(?:build|install|lint|typecheck|type-check|clean|watch|setup|prepare)\b")
_SCRIPT = re.compile(r"\.(?:sh|bash|py|js|mjs|cjs|ts|rb|php|pl|ps1)$")
_INTERPRETERS = re.compile(
    r"(?:python|py|pypy|node|ruby|php|tsx|ts-node|bun|deno|bash|sh|zsh)(?:[\d.]*)"
)
_PYTHON = re.compile(r"(?:python|pypy|py)[\d.]*w?")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")

# Each with those of its options that take a value.
_WRAPPERS: dict[str, frozenset[str]] = {
    "bundle": frozenset(),
    "bunx": frozenset({"-p", "--package"}),
    "chronic": frozenset(),
    "command": frozenset(),
    "coverage": frozenset({"--source", "--rcfile", "--include", "--omit", "--data-file"}),
    "c8": frozenset({"--reporter", "-r"}),
    "cross-env": frozenset(),
    "dotenv": frozenset({"-e", "-f"}),
    "env": frozenset({"-u", "-C", "-S"}),
    "exec": frozenset(),
    "gtimeout": frozenset({"-k", "-s"}),
    "hatch": frozenset({"-e", "--env"}),
    "nice": frozenset({"-n"}),
    "nohup": frozenset(),
    "npx": frozenset({"-p", "--package", "--prefix"}),
    "nyc": frozenset({"--reporter"}),
    "pdm": frozenset({"-p"}),
    "pipenv": frozenset(),
    "poetry": frozenset({"-C", "--directory", "-P", "--project"}),
    "rtk": frozenset(),
    "rye": frozenset(),
    "stdbuf": frozenset(),
    "sudo": frozenset({"-u", "-g"}),
    "timeout": frozenset({"-k", "-s", "--signal", "--kill-after"}),
    "uv": frozenset(
        {"--with", "--extra", "--group", "--package", "--directory", "--project", "-p", "--python",
         "--env-file", "--with-requirements", "--with-editable", "--only-group", "--no-group"}
    ),
    "uvx": frozenset({"--with", "--from", "-p", "--python"}),
    "winpty": frozenset(),
    "xvfb-run": frozenset({"-s", "-n"}),
}  # fmt: skip
_RUN_WORDS = frozenset({"run", "exec", "dlx", "x", "tool"})
_TIMERS = frozenset({"timeout", "gtimeout"})
# Wrappers of so many shapes that the runner is looked for behind them.
_ELSEWHERE = frozenset(
    {"conda", "devcontainer", "direnv", "docker", "docker-compose", "kubectl", "lando", "mamba",
     "micromamba", "nix", "nix-shell", "op", "doppler", "podman", "ssh", "vagrant", "wsl", "xargs",
     "script", "unbuffer", "mise", "asdf", "volta", "fnm", "pixi", "ddev", "sail"}
)  # fmt: skip
_NO_RUN = frozenset(
    {"--help", "-h", "--version", "--collect-only", "--co", "--listTests", "--list-tests",
     "--no-run", "--fixtures", "--markers", "--showConfig", "--init", "-list", "--list-sessions"}
)  # fmt: skip
_DEEPEST = 3
_NO_RUN_FIRST = frozenset({"list", "init", "help", "install", "show-report", "codegen"})


def find_invocations(command: str) -> tuple[Invocation, ...]:
    """Return the test runs of a command line, in order."""
    found: list[Invocation] = []
    for position, step in enumerate(split(command)):
        known = recognise(step.words)
        if known is not None:
            runner, certainty = known
            found.append(
                Invocation(runner=runner, certainty=certainty, step=step, position=position)
            )
    return tuple(found)


def recognise(words: Words, depth: int = 0) -> tuple[str, Certainty] | None:
    """Return the runner that a simple command starts, as far as its words tell."""
    words = _unwrap(words)
    if not words or depth > _DEEPEST or not _NO_RUN.isdisjoint(words):
        return None
    name = program_name(words[0])
    if name in _ELSEWHERE:
        found = _behind(words, depth)
        if found is not None:
            return found
    runner = _direct(name, words)
    if runner is not None:
        return (runner, Certainty.RUNNER)
    if name in _BUILDERS:
        goals = any(_BUILDER_GOALS.fullmatch(word) for word in words[1:])
        return (_BUILDERS[name], Certainty.RUNNER if goals else Certainty.PERHAPS)
    special = _python if _PYTHON.fullmatch(name) else _manager if name in _MANAGERS else _script
    return special(name, words, depth)


def _direct(name: str, words: Words) -> str | None:
    plain = _plain_words(words)
    if name == "node":
        return "node --test" if "--test" in words else None
    if name in _RUNNERS:
        return None if plain and plain[0] in _NO_RUN_FIRST else _RUNNERS[name]
    for word in plain[:2]:
        runner = _SUBCOMMANDS.get((name, word))
        if runner is not None:
            return None if runner == "go test" and "-c" in words else runner
    return None


def _plain_words(words: Words) -> list[str]:
    return [word for word in words[1:] if not word.startswith(("-", "+"))]


def _python(name: str, words: Words, depth: int) -> tuple[str, Certainty] | None:
    if "-m" in words:
        module = words[words.index("-m") + 1 :]
        if module[:1] in {("unittest",), ("django",)}:
            return ("unittest", Certainty.RUNNER) if "test" in (*module, "test") else None
        return recognise(module, depth + 1) if module else None
    plain = _plain_words(words)
    if not plain or "-c" in words:
        return None
    script = program_name(plain[0])
    if script in {"manage.py", "setup.py", "runtests.py"} and "test" in (*plain[1:], script[3:7]):
        return ("unittest", Certainty.RUNNER)
    return (name, Certainty.PERHAPS) if _SCRIPT.search(script) else None


def _manager(name: str, words: Words, depth: int) -> tuple[str, Certainty] | None:
    plain = _plain_words(words)
    if not plain or plain[0] in _MANAGER_WORK:
        return None
    for index, word in enumerate(plain):
        if word in {"run", "run-script"}:
            script = plain[index + 1] if index + 1 < len(plain) else ""
            return _named(name, script)
        if word in {"test", "t", "tst"}:
            return (name, Certainty.SCRIPT)
    for index in range(len(plain)):
        found = recognise(tuple(plain[index:]), depth + 1)
        if found is not None and found[1] is Certainty.RUNNER:
            return found
    return _named(name, plain[-1] if name != "npm" else "")


def _named(name: str, script: str) -> tuple[str, Certainty]:
    sure = bool(_TEST_NAME.fullmatch(script)) and not _BUILT.search(script)
    return (name, Certainty.SCRIPT if sure else Certainty.PERHAPS)


def _script(name: str, words: Words, depth: int) -> tuple[str, Certainty] | None:
    plain = _plain_words(words)
    if name in _TASKS:
        sure = any(_TEST_NAME.fullmatch(word) and not _BUILT.search(word) for word in plain)
        return (name, Certainty.SCRIPT if sure else Certainty.PERHAPS)
    if _INTERPRETERS.fullmatch(name):
        return _interpreted(name, plain, depth)
    if _SCRIPT.search(name) or words[0].startswith(("./", ".\\")):
        return (name, Certainty.PERHAPS)
    return None


def _interpreted(name: str, plain: list[str], depth: int) -> tuple[str, Certainty] | None:
    if not plain:
        return None
    program = _SCRIPT.sub("", program_name(plain[0]))
    found = recognise((program, *plain[1:]), depth + 1)
    if found is not None and found[1] is not Certainty.PERHAPS:
        return found
    return (name, Certainty.PERHAPS) if any(_SCRIPT.search(word) for word in plain) else None


def _behind(words: Words, depth: int) -> tuple[str, Certainty] | None:
    """Look for a runner behind a wrapper; a word with blanks is a line of its own."""
    for index in range(1, len(words)):
        if " " in words[index]:
            inner = find_invocations(words[index])
            if inner:
                return (inner[0].runner, inner[0].certainty)
        found = recognise(words[index:], depth + 1)
        if found is not None and found[1] is not Certainty.PERHAPS:
            return found
    return None


def _unwrap(words: Words) -> Words:
    """Take off what stands before the program: assignments, `uv run`, `timeout 60`, `npx`."""
    while words:
        if _ASSIGNMENT.match(words[0]):
            words = words[1:]
            continue
        name = program_name(words[0])
        if name in {"pnpm", "yarn", "bun", "npm"} and words[1:2] in {("exec",), ("dlx",), ("x",)}:
            words = _after(words[2:], frozenset(), timer=False)
        elif name in _WRAPPERS and not (name == "hatch" and "test" in words):
            words = _after(words[1:], _WRAPPERS[name], timer=name in _TIMERS)
        else:
            return words
    return words


def _after(words: Words, valued: frozenset[str], *, timer: bool) -> Words:
    at = 0
    while at < len(words):
        word = words[at]
        if word in valued:
            at += 2
        elif word in {"-m", "--module"}:
            return ("python", "-m", *words[at + 1 :])
        elif word.startswith("-") or word in _RUN_WORDS or _ASSIGNMENT.match(word):
            at += 1
        else:
            return words[at + 1 :] if timer else words[at:]
    return ()
