"""What git is told to do in a command, and what Claude Code records of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from journald.ledger.commands import Ran
from journald.ledger.steps import Step
from journald.ledger.words import Words

# Options of git itself that take a value, by `git help git`.
_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace"})
NEW_BRANCH = frozenset({"-b", "-B", "-c", "-C", "--create", "--force-create", "--orphan"})
"""Options by which `git checkout` and `git switch` make a branch."""


def git_words(step: Step) -> Words:
    """Return subcommand and arguments of git, its global options left out; none elsewhere."""
    if step.program != "git":
        return ()
    at = 1
    while at < len(step.words) and step.words[at].startswith("-"):
        at += 2 if step.words[at] in _VALUED else 1
    return step.words[at:]


def operation(ran: Ran) -> Mapping[str, Any]:
    """Return what Claude Code recorded of git (since 2.1.181); nothing where it did not."""
    recorded = ran.call.detail("gitOperation") if ran.call and ran.call.ran else None
    return recorded if isinstance(recorded, dict) else {}
