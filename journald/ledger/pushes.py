"""What a push brought to a remote, line by line of what git prints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from journald.ledger.commands import Ran
from journald.ledger.facts import Act
from journald.ledger.git import git_words
from journald.ledger.words import Words, operands

_UPDATE = re.compile(
    r"^ ?(?P<flag>[ +*-])? *"
    r"(?P<what>\[new [a-z]+\]|\[deleted\]|[0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40})\s+"
    r"(?:(?P<from>\S+)\s+-> )?(?P<to>\S+)(?P<forced> \(forced update\))?\s*$"
)
_UP_TO_DATE = "Everything up-to-date"
_RECEIVING = frozenset({"fetch", "pull", "clone", "remote", "submodule"})
_DRY = frozenset({"-n", "--dry-run"})


def find_pushes(ran: Ran) -> Iterator[tuple[Act, str]]:
    """Yield what was pushed, by the branches and tags of the remote."""
    words = [git_words(step) for step in ran.steps]
    pushing = [word for word in words if word[:1] == ("push",) and not _DRY & set(word)]
    if not pushing:
        return
    # Without its heading a line of `git fetch` looks like one of `git push`.
    sent = not any(word and word[0] in _RECEIVING for word in words)
    found = False
    for line in ran.output.split("\n"):
        if line.startswith(("To ", "From ")):
            sent = line.startswith("To ")
            continue
        match = _UPDATE.match(line)
        if match and sent:
            found = True
            yield _act(match), match["to"].removeprefix("refs/heads/")
    if not found and _UP_TO_DATE not in ran.output and _is_proven(ran):
        yield _unnamed(pushing[-1])


def _act(match: re.Match[str]) -> Act:
    if match["what"] == "[deleted]":
        return Act.DELETED_REMOTE
    forced = match["flag"] == "+" or match["forced"]
    return Act.FORCE_PUSHED if forced else Act.PUSHED


def _is_proven(ran: Ran) -> bool:
    return ran.command.ok is True and any(
        step.passes and git_words(step)[:1] == ("push",) for step in ran.steps
    )


def _unnamed(words: Words) -> tuple[Act, str]:
    """Return a push of which git said nothing, as its words name it."""
    names = operands(words)
    named = names[-1] if len(names) > 1 else ""
    deleted = {"-d", "--delete"} & set(words) or named.startswith(":")
    target = named.removeprefix("+").rpartition(":")[2]
    return (Act.DELETED_REMOTE if deleted else Act.PUSHED), target
