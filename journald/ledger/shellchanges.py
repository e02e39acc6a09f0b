"""Commands that, by their own words, may have changed files.

Which files these were cannot be known from a transcript, so none is guessed: the commands are told.
A command that only runs a program of the project may change files as well; no word of it says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from journald.ledger.commands import Ran
from journald.ledger.facts import ShellChange
from journald.ledger.git import NEW_BRANCH, git_words
from journald.ledger.shell import heredocs
from journald.ledger.steps import Step
from journald.ledger.words import Words, operands
from journald.ledger.wrappers import bare
from journald.ledger.writers import is_scratch, writes

_QUOTED = r"""'[^']*+'|"(?:[^"\\]++|\\.)*+" """.strip()
_REDIRECT = re.compile(
    rf"(?:{_QUOTED})|\\.|\(\((?:[^()]|\([^()]*+\))*+\)\)|\[\[[^\]]{{0,1000}}+\]\]|[<>]\(|[-=]>"
    rf"|(?P<sign>(?:&|(?<!\d)\d{{1,3}})?>>?\|?)(?!&)[ \t]*"
    rf"(?P<target>(?:{_QUOTED}|[^\s;|&()<>'\"])+)",
    re.DOTALL,
)
_INNER = re.compile(rf"\b(?:bash|sh|zsh)[ \t]+-[a-z]*c[ \t]+(?P<line>{_QUOTED})", re.DOTALL)
_INTERPRETERS = re.compile(r"(?:python|pypy|py|node|ruby|perl|deno|bun|tsx|ts-node|php)[\d.]*")
_CODE_FLAGS = frozenset({"-c", "-e", "-p", "--eval", "-r", "eval"})
_WRITING_CODE = re.compile(
    r"""open\([^)\n]{0,300},\s*(?:mode\s*=\s*)?['"](?:[wax]|r\+)"""
    r"|\.write_(?:text|bytes)\(|\.(?:touch|unlink|rename|writelines)\("
    r"|shutil\.(?:copy|move|rmtree)|os\.(?:remove|unlink|rename|replace)\("
    r"|(?:json|yaml|pickle|toml)\.dump\(|fileinput\.input\([^)]{0,300}inplace"
    r"|(?:write|append|copy|unlink|rename|rm)File\w*\(|(?:write|unlink|rename|rm|cp)Sync\("
    r"|createWriteStream\(|(?:Deno|Bun|File|IO)\.write|FileUtils\."
)
_TO_FILE = re.compile(r"-[a-zA-Z]*[oO]|--output|--remote-name(?:-all)?|--output=.*")
_TO_SCREEN = re.compile(r"-[a-zA-Z]*O-|--output-document=-|--spider|-|/dev/.*|/tmp/.*")
_GIT = frozenset(
    {"am", "bisect", "checkout-index", "cherry-pick", "clean", "clone", "merge", "mv", "pull",
     "read-tree", "rebase", "revert", "sparse-checkout", "submodule", "worktree"}
)  # fmt: skip
_GIT_READING = frozenset({"-n", "--dry-run", "--check", "--stat", "--numstat", "--summary", "list",
                          "status", "prune"})  # fmt: skip
_STASHING = frozenset({"push", "save", "pop", "apply"})
_HARD = frozenset({"--hard", "--merge", "--keep"})


def find_shell_changes(commands: tuple[Ran, ...]) -> tuple[ShellChange, ...]:
    """Return the commands that may have changed files, each with what in it says so."""
    return tuple(
        ShellChange(
            id=ran.command.id, at=ran.command.at, command=ran.command.command, signs=tuple(signs)
        )
        for ran in commands
        if (signs := dict.fromkeys(_signs(ran)))
    )


def _signs(ran: Ran) -> Iterator[str]:
    """Yield what in a command line says that it may change files."""
    command = ran.command.command
    yield from _redirections(command)
    code = "\n".join(heredocs(command))
    for step in ran.steps:
        sign = _sign(step, code)
        if sign:
            yield sign


def _redirections(command: str) -> Iterator[str]:
    """Yield `>` and `>>` where they lead to a file."""
    line = command
    for body in heredocs(command):
        line = line.replace(body, "", 1) if body else line
    for inner in _INNER.finditer(line):
        yield from _redirections(inner["line"][1:-1])
    for match in _REDIRECT.finditer(line):
        target = match["target"]
        if target and not is_scratch(target.strip("'\"")):
            yield ">>" if ">>" in match["sign"] else ">"


def _sign(step: Step, code: str) -> str | None:
    words, program = step.words, step.program
    special = _SPECIAL.get(program)
    if special is not None:
        return special(words)
    if _INTERPRETERS.fullmatch(program) and _script(words, code):
        return f"{program} script"
    return writes(program, words)


def _git(line: Words) -> str | None:
    words = git_words(Step(words=line))
    if not words:
        return None
    name, rest = words[0], set(words[1:])
    names = operands(words)
    if name in {"checkout", "switch"}:
        # A new branch at the place where one stands changes no file.
        changing = not (rest & NEW_BRANCH and len(names) <= 1)
    elif name == "restore":
        changing = not rest & {"--staged", "-S"} or bool(rest & {"--worktree", "-W"})
    elif name == "stash":
        changing = not names or names[0] in _STASHING
    elif name == "reset":
        changing = bool(rest & _HARD)
    elif name == "rm":
        changing = "--cached" not in rest
    elif name == "apply":
        changing = not rest & (_GIT_READING | {"--cached"})
    else:
        changing = name in _GIT and not rest & _GIT_READING
    return f"git {name}" if changing else None


def _tee(words: Words) -> str | None:
    return "tee" if any(not is_scratch(name) for name in operands(words)) else None


def _awk(words: Words) -> str | None:
    return "awk -i inplace" if words[1:3] == ("-i", "inplace") else None


def _dd(words: Words) -> str | None:
    targets = [word.removeprefix("of=") for word in words if word.startswith("of=")]
    return "dd" if any(not is_scratch(target) for target in targets) else None


def _curl(words: Words) -> str | None:
    told = [place for place, word in enumerate(words) if _TO_FILE.fullmatch(word)]
    target = words[told[0] + 1 : told[0] + 2] if told else ("-",)
    return None if target and (target[0] == "-" or is_scratch(target[0])) else "curl"


def _wget(words: Words) -> str | None:
    return None if any(map(_TO_SCREEN.fullmatch, words)) else "wget"


def _find(words: Words) -> str | None:
    if "-delete" in words:
        return "find -delete"
    for place, word in enumerate(words):
        if word in {"-exec", "-execdir", "-ok", "-x", "-X", "--exec"}:
            inner = bare(words[place + 1 :])
            return _sign(Step(words=inner), "") if inner else None
    return None


def _hub(words: Words) -> str | None:
    if words[2:3] in {("checkout",), ("clone",), ("download",)}:
        return " ".join(words[:3])
    return None


def _script(words: Words, code: str) -> bool:
    """Tell whether code that stands in the line itself writes files."""
    for place, word in enumerate(words[1:], 1):
        if word in _CODE_FLAGS:
            return _WRITING_CODE.search(" ".join(words[place + 1 :])) is not None
        if not word.startswith("-"):
            return False
    return _WRITING_CODE.search(code) is not None


_SPECIAL: dict[str, Callable[[Words], str | None]] = {
    "awk": _awk,
    "curl": _curl,
    "dd": _dd,
    "fd": _find,
    "find": _find,
    "gawk": _awk,
    "gh": _hub,
    "git": _git,
    "glab": _hub,
    "tee": _tee,
    "wget": _wget,
}
