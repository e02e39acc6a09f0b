"""Branches, tags and histories: what git's words, or Claude Code's record, prove was done to them.

A command alone proves nothing. Where git is silent, its success must follow from the exit status.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from journald.ledger.commands import Ran
from journald.ledger.commits import is_quiet_commit, message_of
from journald.ledger.facts import Act, Commit, GitAct
from journald.ledger.git import NEW_BRANCH, git_words, operation
from journald.ledger.pushes import find_pushes
from journald.ledger.steps import Step
from journald.ledger.words import Words, operands

Told = tuple[Act, str]

_MOVING = frozenset({"checkout", "switch", "worktree", "stash", "bisect"})
_SWITCHES = (
    (re.compile(r"^Switched to a new branch '(.+)'$", re.MULTILINE), Act.CREATED),
    (re.compile(r"^Preparing worktree \(new branch '(.+)'\)$", re.MULTILINE), Act.CREATED),
    (re.compile(r"^Switched to (?:and reset )?branch '(.+)'$", re.MULTILINE), Act.SWITCHED),
    (re.compile(r"^Note: switching to '(.+)'\.$", re.MULTILINE), Act.SWITCHED),
)
_DELETED = re.compile(r"^Deleted branch (\S+) \(was", re.MULTILINE)
_REBASED = re.compile(
    r"^Successfully rebased and updated (?:refs/heads/(\S+)|detached HEAD)\.$", re.MULTILINE
)
_RESET = re.compile(r"^HEAD is now at ([0-9a-f]{7,40})\b", re.MULTILINE)
_MERGED = re.compile(r"^(?:Merge made by |Fast-forward$)", re.MULTILINE)
_RECORDED = {"merged": Act.MERGED, "rebased": Act.REBASED}
# With `--force` the branch may have been there before.
_QUIET_BRANCH = frozenset({"-t", "--track", "--no-track", "-q", "--quiet"})
_RENAMING = frozenset({"-m", "-M", "--move"})
_DELETING = re.compile(r"-[qf]*[dD]|--delete")
_NO_TAGGING = re.compile(r"-[dlnv]\d*|--(?:delete|list|verify|contains|merged|points-at|sort).*")
_TAG_VALUED = frozenset({"-m", "-F", "-u", "--message", "--file", "--local-user"})


def find_git_acts(commands: tuple[Ran, ...], commits: tuple[Commit, ...]) -> tuple[GitAct, ...]:
    """Return what was done to branches, tags and histories, in order of time."""
    known = {commit.id for commit in commits}
    return tuple(
        GitAct(id=ran.command.id, at=ran.command.at, act=act, name=name)
        for ran in commands
        for act, name in _told(ran, known)
    )


def _told(ran: Ran, known: set[str]) -> Iterable[Told]:
    recorded = [*_recorded(ran)]
    words = [git_words(step) for step in ran.steps]
    used = {word[0] for word in words if word}
    if not (used or recorded or _checks_out(ran)):
        return ()
    found = [*_printed(ran, used), *_joins(ran, words), *find_pushes(ran)]
    found += _proven(ran, {act for act, _ in found})
    if ran.command.id not in known and is_quiet_commit(ran):
        found.append((Act.COMMITTED, message_of(ran)))
    named = {_uniform(one) for one in found}
    return dict.fromkeys([*found, *(one for one in recorded if _uniform(one) not in named)])


def _uniform(told: Told) -> Told:
    act, name = told
    return (Act.PUSHED if act is Act.FORCE_PUSHED else act), name.rpartition("/")[2]


def _checks_out(ran: Ran) -> bool:
    return any(
        step.program in {"gh", "glab"} and step.words[2:3] == ("checkout",) for step in ran.steps
    )


def _printed(ran: Ran, used: set[str]) -> Iterator[Told]:
    if used & _MOVING or _checks_out(ran):
        for pattern, act in _SWITCHES:
            yield from ((act, name) for name in pattern.findall(ran.output))
    if "branch" in used:
        yield from ((Act.DELETED, name) for name in _DELETED.findall(ran.output))
    if used & {"rebase", "pull"}:
        yield from ((Act.REBASED, name) for name in _REBASED.findall(ran.output))
    if "reset" in used:
        yield from ((Act.RESET, name) for name in _RESET.findall(ran.output))


def _joins(ran: Ran, words: list[Words]) -> Iterator[Told]:
    """Yield the merges and pulls of which git said that they changed something."""
    joining = [word for word in words if word[:1] in {("merge",), ("pull",)}]
    made = _MERGED.findall(ran.output)
    # Which of several joined something shows only where all did.
    if not made or len(joining) > len(made):
        return
    for word in joining:
        names = operands(word)
        if word[0] == "pull":
            yield Act.PULLED, " ".join(names)
        elif names:
            yield Act.MERGED, names[0]


def _proven(ran: Ran, printed: set[Act]) -> Iterator[Told]:
    """Yield what git does without a word, where the exit status proves that it did."""
    if not ran.command.ok:
        return
    for step in ran.steps:
        words = git_words(step)
        if not (words and step.passes):
            continue
        if words[0] == "branch":
            yield from _branch(words)
        elif words[0] == "tag":
            yield from _tag(words)
        elif words[0] in {"checkout", "switch"} and not printed & {Act.CREATED, Act.SWITCHED}:
            yield from _moved(words, step)


def _branch(words: Words) -> Iterator[Told]:
    flags = {word for word in words[1:] if word.startswith("-")}
    names = operands(words)
    if flags & _RENAMING and names:
        yield Act.RENAMED, names[-1]
    elif any(map(_DELETING.fullmatch, flags)) and not flags & {"-r", "--remotes"}:
        yield from ((Act.DELETED, name) for name in names)
    elif names and flags <= _QUIET_BRANCH:
        yield Act.CREATED, names[0]


def _tag(words: Words) -> Iterator[Told]:
    names = operands(words, _TAG_VALUED)
    if names and not any(map(_NO_TAGGING.fullmatch, words[1:])):
        yield Act.TAGGED, names[0]


def _moved(words: Words, step: Step) -> Iterator[Told]:
    for word, after in pairwise(words):
        if word in NEW_BRANCH and not after.startswith("-"):
            yield Act.CREATED, after
            return
    names = operands(words)
    # What `git checkout` is given may be a file as well.
    if words[0] == "switch" and len(names) == 1 and step.joint != "|":
        yield Act.SWITCHED, names[0]


def _recorded(ran: Ran) -> Iterator[Told]:
    recorded = operation(ran)
    push, branch = recorded.get("push"), recorded.get("branch")
    if isinstance(push, dict) and isinstance(push.get("branch"), str):
        yield Act.PUSHED, push["branch"]
    if isinstance(branch, dict) and isinstance(branch.get("ref"), str):
        act = _RECORDED.get(str(branch.get("action")))
        if act is not None:
            yield act, branch["ref"]
