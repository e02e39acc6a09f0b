"""Tool calls that failed, and what made up for them later."""

from __future__ import annotations

import re
from collections.abc import Mapping

from journald.ledger.commands import SHELL_TOOLS, Ran, never_ran
from journald.ledger.facts import Failure, TestRun
from journald.ledger.paths import Paths
from journald.ledger.shell import Step, split
from journald.ledger.timeline import Call, Timeline

_PATHS = {"Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path",
          "NotebookEdit": "notebook_path", "Read": "file_path"}  # fmt: skip
# How Claude Code tells the model to call a tool differently: nothing of the work went wrong.
_PROTOCOL = (
    "InputValidationError",
    "No such tool available",
    "Error: No such tool available",
    "File has not been read yet",
    "File has been modified since read",
    "File has been unexpectedly modified",
    "Cannot read this binary file",
    "No changes to make",
    "User rejected",
    "User chose to stay in plan mode",
    "[Request interrupted",
)
_TOO_LONG = re.compile(r"File content \(.{1,40}\) exceeds maximum allowed")
# What only shapes the output of the command before it.
_SHAPING = frozenset({"tail", "head", "cat", "tee", "grep", "sed", "less"})
_PREPARING = frozenset({"cd", "export", "source", ".", "set"})


def find_errors(
    timeline: Timeline, commands: tuple[Ran, ...], tests: tuple[TestRun, ...], paths: Paths
) -> tuple[Failure, ...]:
    """Return the failures that mattered, each with the later event that made it good."""
    ran = {one.command.id: one for one in commands}
    outcomes = _Outcomes(ran, tests, paths)
    found: list[Failure] = []
    successes: dict[str, str] = {}
    for call in reversed(timeline.calls):
        key = outcomes.key(call)
        if key is not None and outcomes.good(call):
            successes[key] = call.id
        if _matters(call, ran):
            found.append(
                Failure(
                    id=call.id,
                    at=call.event.at,
                    tool=call.name,
                    text=call.text,
                    solved_by=successes.get(key) if key is not None else None,
                )
            )
    return tuple(reversed(found))


class _Outcomes:
    """What counts as doing the same thing again, and as doing it with success."""

    def __init__(self, ran: Mapping[str, Ran], tests: tuple[TestRun, ...], paths: Paths) -> None:
        self._ran = ran
        self._paths = paths
        self._tested: dict[str, list[TestRun]] = {}
        for run in tests:
            self._tested.setdefault(run.id, []).append(run)

    def key(self, call: Call) -> str | None:
        """Return what two calls that do the same have in common."""
        if call.name in SHELL_TOOLS:
            return f"command {_core(call.given('command'))}"
        if call.name in _PATHS:
            verb = "read" if call.name == "Read" else "change"
            return f"{verb} {self._paths.whole(call.given(_PATHS[call.name]))}"
        if call.name in {"WebFetch", "WebSearch"}:
            return f"{call.name} {call.given('url') or call.given('query')}"
        return None

    def good(self, call: Call) -> bool:
        """Tell whether a call did what it was to do; a command in a pipe does not show it."""
        if call.name not in SHELL_TOOLS:
            return call.succeeded
        ran = self._ran.get(call.id)
        if ran is None or ran.command.ok is not True:
            return False
        runs = self._tested.get(call.id)
        if runs:
            return all(run.ok for run in runs)
        main = _main(split(ran.command.command))
        return all(step.passes for step in main)


def _matters(call: Call, ran: Mapping[str, Ran]) -> bool:
    if call.id in ran:
        return ran[call.id].command.ok is False
    if not call.failed or never_ran(call):
        return False
    text = call.text.removeprefix("Error: ")
    return not text.startswith(_PROTOCOL) and _TOO_LONG.match(text) is None


def _core(command: str) -> str:
    """Return what a line does, without the way there and the shaping of its output."""
    main = _main(split(command))
    return "\n".join(" ".join(step.words) for step in main) or " ".join(command.split())


def _main(steps: tuple[Step, ...]) -> list[Step]:
    found: list[Step] = []
    piped = False
    for step in steps:
        shaping = piped and step.program in _SHAPING
        piped = step.joint == "|"
        if not shaping and step.program not in _PREPARING:
            found.append(step)
    return found
