"""Tool calls that failed, and what made up for them later."""

from __future__ import annotations

import re
from collections.abc import Mapping

from journald.ledger.changes import CHANGING_TOOLS
from journald.ledger.commands import SHELL_TOOLS, Ran, make_ran, never_ran
from journald.ledger.facts import Command, Failure
from journald.ledger.fetches import WEB_TOOLS
from journald.ledger.paths import Paths
from journald.ledger.solutions import Evidence, Solutions
from journald.ledger.timeline import Call, Timeline

_PATHS = {**CHANGING_TOOLS, "Read": "file_path"}
# How Claude Code tells the model to call a tool differently: nothing of the work went wrong.
_PROTOCOL = (
    "File has not been read yet",
    "File has been modified since read",
    "File has been unexpectedly modified",
    "Cannot read this binary file",
    "No changes to make",
    "User rejected",
    "User chose to stay in plan mode",
    "[Request interrupted",
)
# Characters from which on a text is taken for one that says what a call is to do.
_TELLING = 8
_TOO_LONG = re.compile(r"File content \(.{1,40}\) exceeds maximum allowed")


def find_errors(timeline: Timeline, evidence: Evidence, paths: Paths) -> tuple[Failure, ...]:
    """Return the failures that mattered, each with the later event that made it good."""
    ran = {one.command.id: one for one in evidence.commands}
    solutions = Solutions(evidence, paths)
    found: list[Failure] = []
    later: dict[str, str] = {}
    for call in reversed(timeline.calls):
        keys = _keys(call, paths)
        if not _matters(call, ran, solutions):
            if call.succeeded:
                later |= dict.fromkeys(keys, call.id)
            continue
        attempt = ran.get(call.id) or _stopped(call)
        solved = solutions.solution(attempt) if attempt else None
        found.append(
            Failure(
                id=call.id,
                at=call.event.at,
                tool=call.name,
                text=attempt.output if attempt else call.text,
                solved_by=solved or next((later[key] for key in keys if key in later), None),
            )
        )
    return tuple(reversed(found))


def _stopped(call: Call) -> Ran | None:
    """Return the command that did not come to run; None for another tool."""
    if call.name not in SHELL_TOOLS:
        return None
    return make_ran(
        Command(
            id=call.id,
            at=call.event.at,
            command=call.given("command"),
            ok=False,
            exit_status=None,
            agent_id=call.agent_id,
        ),
        call.text,
    )


def _keys(call: Call, paths: Paths) -> tuple[str, ...]:
    """Return what two calls that do the same have in common; shell commands have more to them."""
    if call.name in SHELL_TOOLS:
        return ()
    if call.name in _PATHS:
        verb = "read" if call.name == "Read" else "change"
        return (f"{verb} {paths.whole(call.given(_PATHS[call.name]))}",)
    if call.name in WEB_TOOLS:
        return (f"{call.name} {call.given('url') or call.given('query')}",)
    # Two calls of one tool are to do the same when they are given the same text of some length.
    told = (value for value in call.call.input.values() if isinstance(value, str))
    return tuple(f"{call.name} {text}" for text in told if len(text) >= _TELLING)


def _matters(call: Call, ran: Mapping[str, Ran], solutions: Solutions) -> bool:
    if call.id in ran:
        return solutions.failed(ran[call.id])
    if not call.failed or never_ran(call):
        return False
    text = call.text.removeprefix("Error: ")
    return not text.startswith(_PROTOCOL) and _TOO_LONG.match(text) is None
