"""Shell commands and how they ended, however the version tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from journald.ledger.background import EXIT_CODE, UNKNOWN, End, background_id, find_ends
from journald.ledger.facts import Command
from journald.ledger.refusals import refuser_of
from journald.ledger.shell import split
from journald.ledger.steps import Step
from journald.ledger.timeline import Call, Moment, Timeline, whole_number
from journald.ledger.wrappers import bare_steps
from journald.transcript.session import EventKind

SHELL_TOOLS = frozenset({"Bash", "PowerShell", "Monitor"})
_SHELLS = frozenset({"Bash", "PowerShell"})

_EXIT_CODE = re.compile(
    r"(?:Error: )?(?:Output too large[^\n]*\n\s*Preview[^\n]*\n)?Exit code (-?\d{1,10})(?:\s|$)"
)
_INTERRUPTED = re.compile(
    r"\A(?:Exit code -?\d+\s+)?\[Request interrupted by user"
    r"|Command was aborted before completion(?:</error>)?\s*\Z"
)
_NEVER_RAN = ("InputValidationError", "No such tool available", "Blocked:")
# How a command that did run may end without a word of its exit status.
_RAN = re.compile(r"(?:Error: )?(?:<error>)?(?:Command (?:timed out|was aborted)|\[Request inter)")
# What `returnCodeInterpretation` explains (grep found nothing, diff found something) is status 1.
_EXPLAINED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A command and what it printed."""

    command: Command
    output: str
    written: tuple[Step, ...] = ()
    """Its simple commands as they stand."""
    steps: tuple[Step, ...] = ()
    """Its simple commands without their wrappers."""
    call: Call | None = None
    """None for what the human typed."""


def find_commands(timeline: Timeline) -> tuple[Ran, ...]:
    """Return the commands that ran, those of sub-agents included, in order of time."""
    ends = find_ends(timeline)
    found = [_called(call, ends) for call in timeline.calls if _is_run(call, timeline)]
    found.extend(_typed(timeline.moments))
    return tuple(sorted(found, key=lambda ran: timeline.order[ran.command.id]))


def make_ran(command: Command, output: str, call: Call | None = None) -> Ran:
    """Return a command with what it printed, taken apart."""
    written = split(command.command)
    return Ran(
        command=command, output=output, written=written, steps=bare_steps(written), call=call
    )


def never_ran(call: Call) -> bool:
    """Tell whether a call failed before its tool did anything, by what Claude Code says of it."""
    text = call.text.removeprefix("Error: ")
    return call.failed and (text.startswith(_NEVER_RAN) or refuser_of(call) is not None)


def _is_run(call: Call, timeline: Timeline) -> bool:
    told = call.name in SHELL_TOOLS and bool(call.given("command"))
    return told and call.ran and not never_ran(call) and not _was_stopped(call, timeline)


def _was_stopped(call: Call, timeline: Timeline) -> bool:
    """Tell whether something, such as a hook, answered in the command's place.

    Where every command that fails tells its exit status, what fails without one did not run.
    """
    if not (timeline.tells_exits and call.failed and call.name in _SHELLS):
        return False
    return _EXIT_CODE.match(call.text) is None and _RAN.match(call.text) is None


def _called(call: Call, ends: dict[str, End]) -> Ran:
    task = background_id(call)
    if task is not None:
        end = ends.get(task) or ends.get(call.call.call_id) or UNKNOWN
    else:
        end = _end(call)
    command = Command(
        id=call.id,
        at=call.event.at,
        command=call.given("command"),
        ok=end.ok,
        exit_status=end.status,
        agent_id=call.agent_id,
        stopped=end.stopped,
    )
    return make_ran(command, end.output or call.text, call)


def _end(call: Call) -> End:
    if call.answer is None:
        return UNKNOWN
    status = whole_number(call.detail("exitCode"))
    found = _EXIT_CODE.match(call.text) if call.failed else None
    if found:
        status = int(found[1])
    if call.detail("timedOutAfterMs"):
        return End(ok=False, status=status)
    if call.detail("interrupted") or (call.failed and _INTERRUPTED.search(call.text)):
        return End(status=status, stopped=True)
    if call.failed:
        return End(ok=False, status=status)
    if status is not None:
        return End(ok=status == 0, status=status)
    return _explained(call.detail("returnCodeInterpretation"))


def _explained(explanation: object) -> End:
    if not explanation:
        return End(ok=True, status=0)
    failed = EXIT_CODE.search(str(explanation))
    return End(ok=failed is None, status=int(failed[1]) if failed else _EXPLAINED)


def _typed(moments: tuple[Moment, ...]) -> Iterator[Ran]:
    """Yield what the human ran with `!`; its exit status is not recorded."""
    main = [moment.event for moment in moments if moment.agent_id is None]
    for place, event in enumerate(main):
        if event.kind is not EventKind.COMMAND or not event.text.startswith("!"):
            continue
        after = main[place + 1] if place + 1 < len(main) else None
        printed = after is not None and after.kind is EventKind.COMMAND_OUTPUT
        command = Command(
            id=event.id,
            at=event.at,
            command=event.text[1:].strip(),
            ok=None,
            exit_status=None,
            by_user=True,
        )
        yield make_ran(command, after.text if after and printed else "")
