"""Shell commands and how they ended, however the version tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from journald.ledger.facts import Command
from journald.ledger.timeline import Call, Moment, Timeline
from journald.transcript.session import Event, EventKind

SHELL_TOOLS = frozenset({"Bash", "PowerShell", "Monitor"})
_READERS = frozenset({"BashOutput", "TaskOutput", "AgentOutputTool"})

_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (-?\d+)(?:\s|$)")
_FAILED_WITH = re.compile(r"exit code (-?\d+)")
_BACKGROUND = re.compile(r"Command (?:was )?(?:manually )?(?:running|backgrounded).*?ID: (\w+)")
_NEVER_RAN = (
    "InputValidationError",
    "No such tool available",
    "Error: No such tool available",
    "PreToolUse:",
    "Hook PreToolUse:",
    "Blocked:",
    "Permission to use ",
)
# What `returnCodeInterpretation` explains (grep found nothing, diff found something) is status 1.
_EXPLAINED = 1
_KILLED = frozenset({"killed", "stopped", "cancelled"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A command and what it printed."""

    command: Command
    output: str


@dataclass(frozen=True, slots=True)
class _End:
    ok: bool | None
    status: int | None
    output: str = ""


_UNKNOWN = _End(None, None)


def find_commands(timeline: Timeline) -> tuple[Ran, ...]:
    """Return the commands that ran, those of sub-agents included, in order of time."""
    ends = _background_ends(timeline)
    found = [_called(call, ends) for call in timeline.calls if _is_run(call)]
    order = {moment.event.id: place for place, moment in enumerate(timeline.moments)}
    found.extend(_typed(timeline.moments))
    return tuple(sorted(found, key=lambda ran: order[ran.command.id]))


def never_ran(call: Call) -> bool:
    """Tell whether a call failed before its tool did anything."""
    return call.failed and call.text.startswith(_NEVER_RAN)


def _is_run(call: Call) -> bool:
    told = call.name in SHELL_TOOLS and bool(call.given("command"))
    return told and call.ran and not never_ran(call)


def _called(call: Call, ends: dict[str, _End]) -> Ran:
    task = background_id(call)
    if task is not None:
        end = ends.get(task) or ends.get(call.call.call_id) or _UNKNOWN
    else:
        end = _end(call)
    command = Command(
        id=call.id,
        at=call.event.at,
        command=call.given("command"),
        ok=end.ok,
        exit_status=end.status,
        agent_id=call.agent_id,
    )
    return Ran(command=command, output=end.output or call.text)


def background_id(call: Call) -> str | None:
    """Return the id of the task that a command became in the background."""
    told = call.detail("backgroundTaskId")
    if isinstance(told, str) and told:
        return told
    found = _BACKGROUND.match(call.text)
    if found:
        return found[1]
    if call.name == "Monitor" and call.answer is not None and not call.failed:
        task = call.detail("taskId")
        return task if isinstance(task, str) else call.call.call_id
    return None


def _end(call: Call) -> _End:
    if call.answer is None:
        return _UNKNOWN
    status = call.detail("exitCode")
    if isinstance(status, int):
        return _End(status == 0, status)
    found = _EXIT_CODE.match(call.text)
    if call.failed:
        return _End(False, int(found[1]) if found else None)
    if call.detail("interrupted"):
        return _End(False, None)
    explained = call.detail("returnCodeInterpretation")
    if explained:
        failed = _FAILED_WITH.search(str(explained))
        return _End(failed is None, int(failed[1]) if failed else _EXPLAINED)
    return _End(True, 0)


def _background_ends(timeline: Timeline) -> dict[str, _End]:
    """Return how background tasks ended, by task id and by the id of the call that began them."""
    ends: dict[str, _End] = {}
    for call in timeline.calls:
        if call.name in _READERS and call.succeeded:
            ends |= _read_later(call, ends)
    for event in timeline.tasks():
        ends |= _notified(event, ends)
    return ends


def _read_later(call: Call, ends: dict[str, _End]) -> dict[str, _End]:
    """Return what BashOutput or TaskOutput told; their output is what was printed since."""
    task = call.detail("task")
    facts = task if isinstance(task, dict) else {}
    names = [facts.get("task_id"), call.detail("shellId")]
    names.extend(call.given(name) for name in ("bash_id", "task_id", "shell_id"))
    status = facts.get("exitCode", call.detail("exitCode"))
    state = facts.get("status") or call.detail("status")
    found: dict[str, _End] = {}
    for name in names:
        if isinstance(name, str) and name:
            known = ends.get(name, _UNKNOWN)
            output = f"{known.output}\n{call.text}" if known.output else call.text
            found[name] = _settled(state, status, known, output)
    return found


def _notified(event: Event, ends: dict[str, _End]) -> dict[str, _End]:
    """Return what a notice told of a background task."""
    details = event.result.details if event.result else {}
    names = (details.get("taskId"), event.result.call_id if event.result else "")
    told = _FAILED_WITH.search(event.text)
    status = int(told[1]) if told else None
    found: dict[str, _End] = {}
    for name in names:
        if isinstance(name, str) and name:
            known = ends.get(name, _UNKNOWN)
            found[name] = _settled(details.get("status"), status, known, known.output)
    return found


def _settled(state: object, status: object, known: _End, output: str) -> _End:
    if isinstance(status, int) and not isinstance(status, bool):
        return _End(status == 0, status, output)
    if state in _KILLED or state == "failed":
        return _End(False, known.status, output)
    if state == "completed" and known.ok is None:
        return _End(True, known.status, output)
    return _End(known.ok, known.status, output)


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
        yield Ran(command=command, output=after.text if after and printed else "")
