"""What people put before a program: `uv run`, `npx`, `timeout 60`, `docker compose exec web`.

Of some nothing is left once they are taken off. Others (containers, other machines, what waits or
repeats) are only looked through: what is found behind them did not simply run here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from journald.ledger.shell import handed_over, placed, split
from journald.ledger.steps import Step
from journald.ledger.words import ASSIGNMENT, PYTHON, VALUED, Words, plain_words, program_name

# Words behind a wrapper that are looked at, and wrappers in wrappers.
_REACH = 40
_DEEPEST = 6

_PACKAGE = frozenset({"-p", "--package"})
_TIMES = frozenset({"-k", "-s", "--signal", "--kill-after"})
# Each with those of its options that take a value, by the help of each.
_WRAPPERS: dict[str, frozenset[str]] = {
    "bun": _PACKAGE | VALUED["bun"],
    "bundle": frozenset(),
    "bunx": _PACKAGE,
    "c8": frozenset({"--reporter", "-r"}),
    "caffeinate": frozenset(),
    "chronic": frozenset(),
    "command": frozenset(),
    "coverage": frozenset({"--source", "--rcfile", "--include", "--omit", "--data-file"}),
    "cross-env": frozenset(),
    "doas": frozenset({"-u"}),
    "dotenv": frozenset({"-e", "-f"}),
    "dotenvx": frozenset({"-e", "-f"}),
    "env": frozenset({"-u", "-C", "-S"}),
    "env-cmd": frozenset({"-f", "-e"}),
    "exec": frozenset(),
    "gtimeout": _TIMES,
    "hatch": frozenset({"-e", "--env"}),
    "ionice": frozenset({"-c", "-n"}),
    "nice": frozenset({"-n"}),
    "nohup": frozenset(),
    "npm": _PACKAGE | VALUED["npm"],
    "npx": _PACKAGE | {"--prefix"},
    "nyc": frozenset({"--reporter"}),
    "pdm": frozenset({"-p", "--project"}),
    "pipenv": frozenset(),
    "pipx": frozenset({"--spec", "--python"}),
    "pnpm": _PACKAGE | VALUED["pnpm"],
    "pnpx": _PACKAGE,
    "poetry": frozenset({"-C", "--directory", "-P", "--project"}),
    "rtk": frozenset(),
    "rye": frozenset(),
    "setsid": frozenset(),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "sudo": frozenset({"-u", "-g"}),
    "time": frozenset(),
    "timeout": _TIMES,
    "unbuffer": frozenset(),
    "uv": frozenset(
        {"--with", "--extra", "--group", "--package", "--directory", "--project", "-p", "--python",
         "--env-file", "--with-requirements", "--with-editable", "--only-group", "--no-group"}
    ),
    "uvx": frozenset({"--with", "--from", "-p", "--python"}),
    "winpty": frozenset(),
    "wsl": frozenset({"-d", "--distribution", "-u", "--user", "--cd"}),
    "xargs": frozenset({"-I", "-n", "-P", "-L", "-d", "-E", "-s"}),
    "xvfb-run": frozenset({"-s", "-n"}),
    "yarn": _PACKAGE | VALUED["yarn"],
}  # fmt: skip
_TIMERS = frozenset({"timeout", "gtimeout"})
_EXECUTING = (("exec",), ("dlx",), ("x",))
_RUN = (("run",),)
# Those that wrap only behind words of theirs.
_VERBS: dict[str, tuple[Words, ...]] = {
    "bun": _EXECUTING,
    "bundle": (("exec",),),
    "coverage": _RUN,
    "hatch": _RUN,
    "npm": _EXECUTING,
    "pdm": _RUN,
    "pipenv": _RUN,
    "pipx": _RUN,
    "pnpm": _EXECUTING,
    "poetry": _RUN,
    "rye": _RUN,
    "uv": (("run",), ("tool", "run")),
    "yarn": _EXECUTING,
}
# Those that may be given such a word.
_PERHAPS = {"dotenv": _RUN, "dotenvx": _RUN}
# Those that hold environments and run scripts of a project by name.
_SCRIPTED = frozenset({"hatch", "pdm", "pipenv", "poetry", "rye"})
# Wrappers of so many shapes that the program is looked for behind them, or behind one of
# these words of theirs.
_THROUGH: dict[str, frozenset[str]] = {
    "asdf": frozenset({"exec"}),
    "conda": frozenset({"run"}),
    "ddev": frozenset({"exec", "composer"}),
    "devbox": frozenset({"run"}),
    "devcontainer": frozenset({"exec"}),
    "direnv": frozenset({"exec"}),
    "docker": frozenset({"exec", "run"}),
    "docker-compose": frozenset({"exec", "run"}),
    "doppler": frozenset({"run"}),
    "entr": frozenset(),
    "fnm": frozenset({"exec"}),
    "kubectl": frozenset({"exec", "run"}),
    "lando": frozenset(),
    "mamba": frozenset({"run"}),
    "micromamba": frozenset({"run"}),
    "mise": frozenset({"exec", "x"}),
    "nerdctl": frozenset({"exec", "run"}),
    "nix": frozenset({"-c", "--command"}),
    "nix-shell": frozenset({"--run", "--command"}),
    "op": frozenset({"run"}),
    "parallel": frozenset(),
    "pixi": frozenset({"run", "exec"}),
    "podman": frozenset({"exec", "run"}),
    "sail": frozenset(),
    "script": frozenset(),
    "ssh": frozenset(),
    "su": frozenset(),
    "vagrant": frozenset({"ssh"}),
    "volta": frozenset({"run"}),
    "watch": frozenset(),
    "watchexec": frozenset(),
}
# Options of them that take a value.
_VALUED = frozenset(
    {"--name", "-e", "--env", "-v", "--volume", "--mount", "-w", "--workdir", "-u", "--user", "-p",
     "--publish", "--network", "--env-file", "-f", "--file", "--profile", "--project-name",
     "--hostname", "-n", "--namespace", "--platform", "-l", "-i", "-I", "-P", "-L", "--index"}
)  # fmt: skip
# Programs that may well be given the name of a runner, and run nothing of it.
_OTHERS = frozenset(
    {"apt", "apt-get", "awk", "basename", "brew", "cat", "chmod", "cp", "dirname", "du", "echo",
     "file", "find", "gem", "git", "grep", "head", "kill", "ln", "ls", "mkdir", "mv", "pgrep",
     "pip", "pip3", "pkill", "printf", "ps", "rg", "rm", "sed", "sort", "stat", "tail", "test",
     "touch", "tree", "type", "wc", "which"}
)  # fmt: skip


def bare_steps(steps: tuple[Step, ...], depth: int = 0) -> tuple[Step, ...]:
    """Return the simple commands of a line without their wrappers.

    `sudo env A=b npx prettier .` is `prettier .`, `python -m black` is `black`. One that wraps
    nothing is left out.
    """
    found: list[Step] = []
    for step in steps:
        words = bare(step.words)
        line = handed_over(words) if words and depth < _DEEPEST else None
        if line is not None:
            found.extend(placed(bare_steps(split(line), depth + 1), step))
        elif words:
            found.append(step if words == step.words else replace(step, words=words))
    return tuple(found)


def bare(words: Words) -> Words:
    """Return a simple command without its wrappers, a module of Python as a program."""
    for _ in range(_REACH):
        words = unwrap(words)
        if words[1:2] != ("-m",) or not PYTHON.fullmatch(program_name(words[0])):
            break
        words = words[2:]
    return words


def unwrap(words: Words) -> Words:
    """Take off what stands before the program: assignments, `uv run`, `timeout 60`, `npx`."""
    for _ in range(_REACH):
        inner = _inner(words)
        if inner is None:
            break
        words = inner
    return words


def _inner(words: Words) -> Words | None:
    """Return a command without its first wrapper; None where it has none."""
    if not words:
        return None
    if ASSIGNMENT.match(words[0]):
        return words[1:]
    name = program_name(words[0])
    if name not in _WRAPPERS:
        return None
    if name == "command" and words[1:2] in {("-v",), ("-V",)}:
        return ()
    valued = _WRAPPERS[name]
    rest = _behind(words[1:], valued)
    verbs = _VERBS.get(name, _PERHAPS.get(name, ()))
    verb = next((one for one in verbs if rest[: len(one)] == one), None)
    if verb is not None:
        rest = _behind(rest[len(verb) :], valued)
    elif name in _VERBS:
        return None
    return rest[1:] if name in _TIMERS else rest


def _behind(words: Words, valued: frozenset[str]) -> Words:
    """Return what stands behind options and assignments; a module is one of Python."""
    at = 0
    while at < len(words):
        word = words[at]
        if word in valued:
            at += 1
        elif word in {"-m", "--module"}:
            return ("python", "-m", *words[at + 1 :])
        elif not (word.startswith("-") or ASSIGNMENT.match(word)):
            return words[at:]
        at += 1
    return ()


def script_of(words: Words) -> tuple[str, str] | None:
    """Return the tool and the name of a project's script that is run like `pdm run test`."""
    left: Words | None = words[:_REACH]
    while left:
        tool = program_name(left[0])
        if tool in _SCRIPTED:
            told = plain_words(left, _WRAPPERS[tool])
            return (tool, told[1]) if told[:1] == ["run"] and len(told) > 1 else None
        left = _inner(left)
    return None


def candidates(words: Words) -> Iterator[Words]:
    """Yield what may be the program behind a wrapper of many shapes, each with its arguments."""
    verbs = _THROUGH.get(program_name(words[0]))
    if verbs is None:
        return
    start = 1
    if verbs:
        start = next((at + 1 for at, word in enumerate(words[:_REACH]) if word in verbs), 0)
    at = start or len(words)
    while at < min(len(words), _REACH):
        word = words[at]
        if word in _VALUED:
            at += 2
            continue
        if program_name(word) in _OTHERS:
            return
        if not word.startswith("-"):
            yield words[at:]
        at += 1
