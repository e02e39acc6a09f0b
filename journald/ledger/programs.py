"""What the simple commands of a line really run, once their wrappers are taken off."""

from __future__ import annotations

import re
from dataclasses import replace

from journald.ledger.shell import Step, program_name, split
from journald.ledger.wrappers import ASSIGNMENT, Words

# Each with those of its options that take a value.
_WRAPPERS: dict[str, frozenset[str]] = {
    "bunx": frozenset({"-p", "--package"}),
    "caffeinate": frozenset(),
    "chronic": frozenset(),
    "command": frozenset(),
    "doas": frozenset({"-u"}),
    "env": frozenset({"-u", "-C"}),
    "exec": frozenset(),
    "gtimeout": frozenset({"-k", "-s"}),
    "nice": frozenset({"-n"}),
    "nohup": frozenset(),
    "npx": frozenset({"-p", "--package", "--prefix"}),
    "pnpx": frozenset({"--package"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "sudo": frozenset({"-u", "-g"}),
    "time": frozenset(),
    "timeout": frozenset({"-k", "-s", "--signal", "--kill-after"}),
    "unbuffer": frozenset(),
    "uvx": frozenset({"--with", "--from", "-p", "--python"}),
    "winpty": frozenset(),
    "wsl": frozenset({"-d", "--distribution", "-u", "--user", "--cd"}),
    "xargs": frozenset({"-I", "-n", "-P", "-L", "-d", "-E", "-s"}),
}
_TIMERS = frozenset({"timeout", "gtimeout"})
# Programs that run another one behind a word of theirs.
_RUNNING = {
    "bun": frozenset({"x"}),
    "bundle": frozenset({"exec"}),
    "hatch": frozenset({"run"}),
    "npm": frozenset({"exec", "x"}),
    "pdm": frozenset({"run"}),
    "pipenv": frozenset({"run"}),
    "pnpm": frozenset({"exec", "dlx"}),
    "poetry": frozenset({"run"}),
    "rye": frozenset({"run"}),
    "uv": frozenset({"run"}),
    "yarn": frozenset({"exec", "dlx"}),
}
_RUNNING_VALUED = frozenset(
    {"--with", "--extra", "--group", "--package", "--directory", "--project", "-p", "--python",
     "--env-file", "--with-requirements", "--with-editable", "-C", "--filter"}
)  # fmt: skip
_PYTHON = re.compile(r"(?:python|pypy|py)[\d.]*w?")
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_DEEPEST = 6


def bare_steps(command: str) -> tuple[Step, ...]:
    """Return the simple commands of a line without their wrappers.

    `sudo env A=b npx prettier .` is `prettier .`, `python -m black` is `black`.
    """
    return _bare_steps(command, 0)


def _bare_steps(command: str, depth: int) -> tuple[Step, ...]:
    found: list[Step] = []
    for step in _proven(split(command)):
        words = bare(step.words)
        line = _line(words) if depth < _DEEPEST else None
        if line is not None:
            found.extend(
                replace(one, passes=one.passes and step.passes, fails=one.fails and step.fails)
                for one in _bare_steps(line, depth + 1)
            )
        elif words:
            found.append(replace(step, words=words))
    return tuple(found)


def _proven(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Mark what had to succeed for the end of the line to be reached.

    A pipe hides how its first commands ended, but not how those before the pipe did: in
    `a && b | c && d`, `a` and `c` succeeded if the line did.
    """
    sure: set[int] = set()
    for at in range(len(steps) - 1, -1, -1):
        joint = steps[at].joint
        last = at == len(steps) - 1
        if joint == "&&" or (last and joint != "&"):
            sure.add(at)
        elif joint != "|":
            if joint == "||":
                sure.discard(at + 1)
            break
    return tuple(
        replace(step, passes=True) if at in sure else step for at, step in enumerate(steps)
    )


def bare(words: Words) -> Words:
    """Return a simple command without its wrappers."""
    for _ in range(_DEEPEST):
        inner = _unwrapped(words)
        if inner == words:
            break
        words = inner
    return words


def operands(words: Words) -> Words:
    """Return the arguments of a command that are no options."""
    return tuple(word for word in words[1:] if not word.startswith("-"))


def _unwrapped(words: Words) -> Words:
    if not words:
        return words
    if ASSIGNMENT.match(words[0]):
        return words[1:]
    program = program_name(words[0])
    if program in _WRAPPERS:
        rest = _without_options(words[1:], _WRAPPERS[program])
        return rest[1:] if program in _TIMERS else rest
    if program in _RUNNING:
        rest = _without_options(words[1:], _RUNNING_VALUED)
        if rest and rest[0] in _RUNNING[program]:
            return _without_options(rest[1:], _RUNNING_VALUED)
    if _PYTHON.fullmatch(program) and words[1:2] == ("-m",):
        return words[2:]
    return words


def _without_options(words: Words, valued: frozenset[str]) -> Words:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in valued else 1
    return words[at:]


def _line(words: Words) -> str | None:
    """Return the line that a shell behind a wrapper is given to run."""
    if not words or program_name(words[0]) not in _SHELLS:
        return None
    for index, word in enumerate(words[1:], 1):
        if not word.startswith("-"):
            return None
        if re.fullmatch(r"-[a-z]*c", word):
            return words[index + 1] if index + 1 < len(words) else None
    return None
