"""Commands in the background, and how they ended, as was heard later."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace

from journald.ledger.timeline import Call, Timeline, whole_number
from journald.transcript.session import Event, NoticeKind

_READERS = frozenset({"BashOutput", "TaskOutput", "AgentOutputTool"})
_STOPPERS = frozenset({"KillShell", "KillBash", "TaskStop"})
_STARTED = re.compile(r"Command\b[^\n]{0,300}?\bbackground(?:ed)?\b[^\n]{0,300}?\bID: (\w+)")
EXIT_CODE = re.compile(r"exit code (-?\d{1,10})(?!\d)")
_STATUS = re.compile(r"<status>(\w+)</status>")
_EXIT_TAG = re.compile(r"<exit_code>(-?\d{1,10})</exit_code>")
# What a command printed; nothing in it speaks of the task itself.
_OUTPUT = re.compile(r"<(?:stdout|stderr|output|result)>")
_STOPPED = frozenset({"killed", "stopped", "cancelled"})


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """How a command ended, as far as it is known."""

    ok: bool | None = None
    status: int | None = None
    output: str = ""
    stopped: bool = False
    """From outside: by the model or the human."""


UNKNOWN = End()


def background_id(call: Call) -> str | None:
    """Return the id of the task that a command became in the background."""
    told = call.told("backgroundTaskId")
    if told:
        return told
    found = _STARTED.match(call.text)
    if found:
        return found[1]
    if call.name == "Monitor" and call.answer is not None and not call.failed:
        return call.told("taskId") or call.call.call_id
    return None


def find_ends(timeline: Timeline) -> dict[str, End]:
    """Return how background tasks ended, by task id and by the id of the call that began them."""
    ends = _Ends()
    calls = {call.id: call for call in timeline.calls}
    for moment in timeline.moments:
        call = calls.get(moment.event.id)
        if call is not None and call.succeeded and call.name in _READERS:
            ends.read(call)
        elif call is not None and call.succeeded and call.name in _STOPPERS:
            ends.stop(call)
        elif moment.event.notice is NoticeKind.TASK:
            ends.hear(moment.event)
    return ends.known()


class _Ends:
    """Gathers what is told of tasks, under each of their names."""

    def __init__(self) -> None:
        self._ends: dict[str, End] = defaultdict(lambda: UNKNOWN)
        self._printed: dict[str, list[str]] = defaultdict(list)

    def known(self) -> dict[str, End]:
        return {
            name: replace(end, output="\n".join(self._printed[name]))
            for name, end in self._ends.items()
        }

    def read(self, call: Call) -> None:
        """Note what BashOutput or TaskOutput told; their output is what was printed since."""
        task = call.detail("task")
        facts = task if isinstance(task, dict) else {}
        head = _OUTPUT.split(call.text, maxsplit=1)[0]
        state = facts.get("status") or call.detail("status") or _first(_STATUS, head)
        status = facts.get("exitCode", call.detail("exitCode"))
        if status is None:
            status = _number(_first(_EXIT_TAG, head))
        given = (call.given(key) for key in ("bash_id", "task_id", "shell_id"))
        for name in _names(facts.get("task_id"), call.detail("shellId"), *given):
            self._ends[name] = _settled(state, status, self._ends[name])
            if call.text:
                self._printed[name].append(call.text)

    def stop(self, call: Call) -> None:
        told = (call.detail("shell_id"), call.detail("task_id"))
        for name in _names(*told, call.given("shell_id"), call.given("task_id")):
            if call.detail("success") is not False:
                self._ends[name] = _settled("stopped", None, self._ends[name])

    def hear(self, event: Event) -> None:
        """Note what Claude Code told the model of a task that ended."""
        details = event.result.details if event.result else {}
        # Its first line is Claude Code's; the name of the command in it may hold anything.
        codes = EXIT_CODE.findall(event.text.partition("\n")[0])
        status = _number(codes[-1] if codes else None)
        call_id = event.result.call_id if event.result else ""
        for name in _names(details.get("taskId"), call_id):
            self._ends[name] = _settled(details.get("status"), status, self._ends[name])


def _settled(state: object, status: object, known: End) -> End:
    number = whole_number(status)
    if number is not None:
        return replace(known, ok=None if known.stopped else number == 0, status=number)
    if known.stopped or known.status is not None:
        return known
    if isinstance(state, str) and state in _STOPPED:
        return replace(known, ok=None, stopped=True)
    if state == "failed":
        return replace(known, ok=False)
    if state == "completed":
        return replace(known, ok=True if known.ok is None else known.ok)
    return known


def _names(*told: object) -> list[str]:
    return list(dict.fromkeys(name for name in told if isinstance(name, str) and name))


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found[1] if found else None


def _number(text: str | None) -> int | None:
    return int(text) if text is not None else None
