"""What people put before a program: `uv run`, `npx`, `timeout 60`, `docker compose exec web`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from journald.ledger.shell import program_name

Words = tuple[str, ...]

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
# Words behind a wrapper that are looked at.
_REACH = 40

# Each with those of its options that take a value.
_WRAPPERS: dict[str, frozenset[str]] = {
    "bundle": frozenset(),
    "bunx": frozenset({"-p", "--package"}),
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
    "gtimeout": frozenset({"-k", "-s"}),
    "hatch": frozenset({"-e", "--env"}),
    "ionice": frozenset({"-c", "-n"}),
    "nice": frozenset({"-n"}),
    "nohup": frozenset(),
    "npx": frozenset({"-p", "--package", "--prefix"}),
    "nyc": frozenset({"--reporter"}),
    "pdm": frozenset({"-p"}),
    "pipenv": frozenset(),
    "pipx": frozenset({"--spec", "--python"}),
    "poetry": frozenset({"-C", "--directory", "-P", "--project"}),
    "rtk": frozenset(),
    "rye": frozenset(),
    "setsid": frozenset(),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
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
    "unbuffer": frozenset(),
    "vagrant": frozenset({"ssh"}),
    "volta": frozenset({"run"}),
    "watch": frozenset(),
    "watchexec": frozenset(),
    "wsl": frozenset(),
    "xargs": frozenset(),
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


def unwrap(words: Words) -> Words:
    """Take off what stands before the program: assignments, `uv run`, `timeout 60`, `npx`."""
    while words:
        if ASSIGNMENT.match(words[0]):
            words = words[1:]
            continue
        name = program_name(words[0])
        if name in {"pnpm", "yarn", "bun", "npm"} and words[1:2] in {("exec",), ("dlx",), ("x",)}:
            words = _after(words[2:], frozenset({"-p", "--package"}), timer=False)
        elif name == "command" and words[1:2] in {("-v",), ("-V",)}:
            return ()
        elif name in _WRAPPERS and not (name in {"hatch", "rye"} and words[1:2] == ("test",)):
            words = _after(words[1:], _WRAPPERS[name], timer=name in _TIMERS)
        else:
            return words
    return words


def script_of(words: Words) -> tuple[str, str] | None:
    """Return the tool and the name of a project's script that is run like `pdm run test`."""
    for index, word in enumerate(words[:_REACH]):
        tool = program_name(word)
        if tool in _SCRIPTED:
            rest = [name for name in words[index + 1 : _REACH] if not name.startswith(("-", "+"))]
            return (tool, rest[1]) if rest[:1] == ["run"] and len(rest) > 1 else None
        if not ASSIGNMENT.match(word) and tool not in _WRAPPERS:
            return None
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


def _after(words: Words, valued: frozenset[str], *, timer: bool) -> Words:
    at = 0
    while at < len(words):
        word = words[at]
        if word in valued:
            at += 2
        elif word in {"-m", "--module"}:
            return ("python", "-m", *words[at + 1 :])
        elif word.startswith("-") or word in _RUN_WORDS or ASSIGNMENT.match(word):
            at += 1
        else:
            return words[at + 1 :] if timer else words[at:]
    return ()
