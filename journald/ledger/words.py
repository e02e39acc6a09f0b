"""The words of a simple command: its program, its options, and what it is given."""

from __future__ import annotations

import re

Words = tuple[str, ...]

ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
PYTHON = re.compile(r"(?:python|pypy|py)[\d.]*w?")
_FOLDERS = re.compile(r"[/\\]")
_WINDOWS_ENDING = re.compile(r"\.(?:exe|cmd|bat)$", re.IGNORECASE)

# Options, by program, that take a value and may stand before its words, by the help of each.
VALUED = {
    "bun": frozenset({"--cwd", "--config", "-c", "--filter", "-F"}),
    "cargo": frozenset({"--manifest-path", "--color", "--config", "-Z", "-C"}),
    "go": frozenset({"-C"}),
    "gradle": frozenset({"-p", "-x", "--exclude-task", "--tests", "-b", "-c"}),
    "just": frozenset({"-f", "--justfile", "-d", "--working-directory"}),
    "make": frozenset({"-C", "-f", "--directory", "--file"}),
    "mise": frozenset({"-C", "--cd", "-E", "--env"}),
    "ninja": frozenset({"-C", "-f", "-j"}),
    "npm": frozenset({"--prefix", "-C", "-w", "--workspace"}),
    "pnpm": frozenset({"--filter", "-F", "-C", "--dir"}),
    "python": frozenset({"-W", "-X"}),
    "yarn": frozenset({"--cwd"}),
}


def program_name(word: str) -> str:
    """Return the name of a program without its folder and a Windows ending."""
    if word.isalnum():
        return word
    return _WINDOWS_ENDING.sub("", _FOLDERS.split(word)[-1])


def operands(words: Words, valued: frozenset[str] = frozenset()) -> Words:
    """Return the arguments of a command that are no options, and no values of `valued` ones."""
    found: list[str] = []
    rest = iter(words[1:])
    for word in rest:
        if word in valued:
            next(rest, None)
        elif not word.startswith("-"):
            found.append(word)
    return tuple(found)


def plain_words(words: Words, valued: frozenset[str] = frozenset()) -> list[str]:
    """Return the operands of a command without those that choose a tool, like `+nightly`."""
    return [words[at] for at in places_of(words, valued)]


def places_of(words: Words, valued: frozenset[str]) -> list[int]:
    """Return where the plain words of a command stand."""
    places: list[int] = []
    at = 1
    while at < len(words):
        if words[at] in valued:
            at += 1
        elif not words[at].startswith(("-", "+")):
            places.append(at)
        at += 1
    return places
