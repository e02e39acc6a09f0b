"""What commands delete and move for certain: plain words, in commands that succeeded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from journald.ledger.commands import Ran
from journald.ledger.folders import walk
from journald.ledger.git import git_words
from journald.ledger.paths import Paths
from journald.ledger.steps import Step
from journald.ledger.words import Words, operands

_PATTERN = re.compile(r"[*?\[\]{}$`~]")
_REMOVING = re.compile(r"-[frRvidq]+|--force|--recursive|--verbose|--quiet|--")
_MOVING = re.compile(r"-[fvk]+|--force|--verbose|--")
_FOLDER_END = ("/", "\\")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """What became of a file, or of all files in a folder."""

    path: str
    """Absolute."""
    moved_to: str | None = None
    """Absolute; None when it was deleted."""
    into: bool = False
    """Moved into the folder `moved_to`, under its own name."""
    whole: bool = False
    """Folders count, with all that is in them."""


def find_fates(ran: Ran, folder: str | None, paths: Paths) -> Iterator[Fate]:
    """Yield what a command deleted and moved; `folder` is where it began."""
    if not ran.command.ok or not any(word in ran.command.command for word in ("rm", "mv")):
        return
    # Whether the body of a function ever ran, and where that left the line, nobody can tell.
    lost = "(" in ran.command.command and any(step.program == "cd" for step in ran.steps)
    for step, here in walk(ran.steps, folder, paths):
        if step.passes:
            yield from _fates(step, None if lost else here, paths)


def _fates(step: Step, folder: str | None, paths: Paths) -> Iterator[Fate]:
    words = git_words(step) or step.words
    flags = [word for word in words[1:] if word.startswith("-")]
    names = operands(words)
    program = words[0] if step.program == "git" else step.program
    if program == "rm" and all(map(_REMOVING.fullmatch, flags)):
        whole = any(re.fullmatch(r"-[a-zA-Z]*[rR].*|--recursive", flag) for flag in flags)
        for name in names:
            path = _certain(name, folder, paths)
            if path is not None:
                yield Fate(path=path, whole=whole)
    elif program == "mv" and all(map(_MOVING.fullmatch, flags)):
        yield from _moves(tuple(names), folder, paths)


def _moves(names: Words, folder: str | None, paths: Paths) -> Iterator[Fate]:
    *sources, target = names or ("",)
    end = _certain(target, folder, paths)
    if not sources or end is None:
        return
    into = len(sources) > 1 or target.endswith(_FOLDER_END) or target in {".", ".."}
    for name in sources:
        path = _certain(name, folder, paths)
        if path is not None:
            yield Fate(path=path, moved_to=end, into=into, whole=True)


def _certain(name: str, folder: str | None, paths: Paths) -> str | None:
    return None if not name or _PATTERN.search(name) else paths.certain(name, folder)
