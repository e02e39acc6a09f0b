"""Commits: what git prints, or Claude Code records, of those made in the session."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from journald.ledger.commands import Ran
from journald.ledger.facts import Commit
from journald.ledger.git import git_words, operation
from journald.ledger.shell import heredocs

_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\]\n]+?)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] (?P<message>.*)$",
    re.MULTILINE,
)
_DETACHED = "detached HEAD"
_KINDS = {
    "am": "committed",
    "cherry-pick": "cherry-picked",
    "commit": "committed",
    "merge": "merged",
    "pull": "merged",
    "rebase": "committed",
    "revert": "reverted",
}
_SHORTEST_HASH = 7
# A quiet commit may be seen in what git prints next; further on it is looked for in vain.
_SEEN_WITHIN = 15
_CHANGED = re.compile(r"^ \d+ files? changed,", re.MULTILINE)
_STATISTICS = frozenset({"diff", "log", "merge", "pull", "show", "stash", "apply", "format-patch"})


def find_commits(commands: tuple[Ran, ...]) -> tuple[Commit, ...]:
    """Return the commits made whose hash is told, each once, in order of time."""
    found = _Commits()
    for index, ran in enumerate(commands):
        made = [*_printed(ran), *_recorded(ran)]
        if not made and is_quiet_commit(ran):
            made = [*_seen(ran, commands[index : index + _SEEN_WITHIN])]
        for commit in made:
            found.add(commit)
    return tuple(found.commits)


def is_quiet_commit(ran: Ran) -> bool:
    """Tell whether a command committed for certain, though git printed no hash."""
    if not ran.command.ok or _COMMITTED.search(ran.output):
        return False
    words = [git_words(step) for step in ran.steps]
    counting = {word[0] for word in words if word} & _STATISTICS
    told = _CHANGED.search(ran.output) is not None and not counting
    return any(
        word[:1] == ("commit",) and "--dry-run" not in word and (step.passes or told)
        for word, step in zip(words, ran.steps, strict=True)
    )


def message_of(ran: Ran) -> str:
    """Return the first line of the message that a command gives; empty when it gives none."""
    for step in ran.steps:
        words = git_words(step)
        if words[:1] != ("commit",):
            continue
        for word, after in pairwise(words):
            if re.fullmatch(r"-[a-z]*m|--message", word):
                return _first_line(after, ran.command.command)
        given = [word for word in words if word.startswith("--message=")]
        if given:
            return _first_line(given[0].removeprefix("--message="), ran.command.command)
    return ""


def _first_line(message: str, command: str) -> str:
    bodies: Sequence[str] = heredocs(command) if message.startswith("$(") else (message,)
    return next((text.strip().split("\n")[0].strip() for text in bodies if text.strip()), "")


def _printed(ran: Ran) -> Iterator[Commit]:
    """Yield what `git commit` prints: `[branch hash] message`."""
    kinds = [kind for step in ran.steps if (kind := _kind(git_words(step)))]
    if not kinds:
        return
    printed = [*_COMMITTED.finditer(ran.output)]
    for index, match in enumerate(printed):
        branch = match["branch"]
        yield Commit(
            id=ran.command.id,
            at=ran.command.at,
            hash=match["hash"],
            message=match["message"].strip(),
            branch=None if branch == _DETACHED else branch,
            kind=_which(kinds, index, len(printed)),
        )


def _kind(words: tuple[str, ...]) -> str:
    if words[:1] == ("commit",) and "--amend" in words:
        return "amended"
    return _KINDS.get(words[0], "") if words else ""


def _which(kinds: list[str], index: int, number: int) -> str:
    """Return the kind of the commit at `index` of `number` that a line printed."""
    if len(kinds) == number:
        return kinds[index]
    return kinds[0] if len(set(kinds)) == 1 else "committed"


def _recorded(ran: Ran) -> Iterator[Commit]:
    """Yield the commit that Claude Code recorded, `--quiet` or not."""
    made = operation(ran).get("commit")
    sha = made.get("sha") if isinstance(made, dict) else None
    if not isinstance(made, dict) or not isinstance(sha, str) or not sha:
        return
    branch, kind = made.get("branch"), made.get("kind")
    yield Commit(
        id=ran.command.id,
        at=ran.command.at,
        hash=sha,
        message=message_of(ran),
        branch=branch if isinstance(branch, str) and branch else None,
        kind=kind if isinstance(kind, str) and kind else "committed",
    )


def _seen(ran: Ran, after: Sequence[Ran]) -> Iterator[Commit]:
    """Yield a quiet commit whose hash git told a little later, beside its subject."""
    subject = message_of(ran)
    kind = next((kind for step in ran.steps if (kind := _kind(git_words(step)))), "committed")
    for later in after:
        sha = _shown(later, subject) if subject else None
        if sha is None and later is ran:
            sha = _parsed(ran)
        if sha is not None:
            yield Commit(id=ran.command.id, at=ran.command.at, hash=sha, message=subject, kind=kind)
            return


def _shown(ran: Ran, subject: str) -> str | None:
    """Return the hash that `git log` or `git show` printed beside a subject."""
    if not any(git_words(step)[:1] in {("log",), ("show",)} for step in ran.steps):
        return None
    told = re.escape(subject)
    line = rf"^[*|\\/ ]*([0-9a-f]{{7,40}}) (?:\([^)\n]*\) )?{told}$"
    block = rf"^commit ([0-9a-f]{{7,40}})\b[^\n]*\n(?:[A-Z]\w+:[^\n]*\n)+\n    {told}$"
    found = re.search(line, ran.output, re.MULTILINE) or re.search(block, ran.output, re.MULTILINE)
    return found[1] if found else None


def _parsed(ran: Ran) -> str | None:
    """Return the hash that `git rev-parse HEAD` printed in the line that committed."""
    last = git_words(ran.steps[-1])
    if last[:1] != ("rev-parse",) or last[-1] != "HEAD" or not ran.steps[-1].passes:
        return None
    line = ran.output.strip().rpartition("\n")[2].strip()
    return line if re.fullmatch(r"[0-9a-f]{7,40}", line) else None


class _Commits:
    """Commits, each once, whether its hash is told whole or in short."""

    def __init__(self) -> None:
        self.commits: list[Commit] = []
        self._places: dict[str, list[int]] = defaultdict(list)

    def add(self, commit: Commit) -> None:
        """Add a commit, or what it tells of one that is known."""
        places = self._places[commit.hash[:_SHORTEST_HASH]]
        for place in places:
            if _is_same(self.commits[place].hash, commit.hash):
                self.commits[place] = _joined(self.commits[place], commit)
                return
        places.append(len(self.commits))
        self.commits.append(commit)


def _is_same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_HASH and long.startswith(short)


def _joined(first: Commit, second: Commit) -> Commit:
    return replace(
        first,
        hash=max(first.hash, second.hash, key=len),
        message=first.message or second.message,
        branch=first.branch or second.branch,
        kind=first.kind if first.kind != "committed" else second.kind,
    )
