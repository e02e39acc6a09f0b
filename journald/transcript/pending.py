"""Tool calls that a session still waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from journald.transcript.session import Event, EventKind, NoticeKind, Origin, ToolResult

_PROMPTS = frozenset({Origin.PROMPT, Origin.PLAN})
_STILL_RUNNING = frozenset({"running", "pending", "not_ready"})
# Tools that end a background task, and the key of their input that names it.
_STOPPERS = {"TaskStop": "task_id", "KillShell": "shell_id", "KillBash": "shell_id"}


class Pending:
    """What was started and not heard of again, in conversation order."""

    def __init__(self) -> None:
        self._open: dict[str, None] = {}
        self._background: dict[str, str] = {}
        """Calls by the id of the task they started."""

    def add(self, event: Event) -> None:
        """Follow one event of the conversation."""
        if event.call is not None and event.call.call_id:
            self._open[event.call.call_id] = None
            key = _STOPPERS.get(event.call.name)
            if key:
                self.ended(_name(event.call.input.get(key)), None)
        elif event.kind is EventKind.TOOL_RESULT and event.result is not None:
            self._result(event.result)
        elif event.notice is NoticeKind.TASK and event.result is not None:
            self.ended(_name(event.result.details.get("taskId")), event.result.call_id)
        elif _is_human(event):
            self._moved_on()

    def ended(self, task_id: str | None, call_id: str | None) -> None:
        """Note that a background task was heard of."""
        over = {self._background.get(task_id or ""), call_id} - {None}
        self._background = {
            task: call for task, call in self._background.items() if call not in over
        }
        for call in over:
            self._open.pop(call or "", None)

    def calls(self) -> tuple[str, ...]:
        """Return the ids of the calls that are waited for."""
        return tuple(self._open)

    def _result(self, result: ToolResult) -> None:
        task = started_task(result)
        if task:
            self._background[task] = result.call_id
            self._open.setdefault(result.call_id)
            return
        self._open.pop(result.call_id, None)
        told = _reported_task(result)
        if told:
            self.ended(told, None)

    def _moved_on(self) -> None:
        # A prompt is taken only when no call runs: what has no result was lost with the process.
        running = set(self._background.values())
        self._open = {call: None for call in self._open if call in running}


def pending_calls(
    events: Iterable[Event], ends: Iterable[tuple[str | None, str | None]]
) -> tuple[str, ...]:
    """Return the ids of tool calls without a result, and of background work not heard of.

    `ends` are task and call ids out of notices that were queued only.
    """
    pending = Pending()
    for event in events:
        pending.add(event)
    for task_id, call_id in ends:
        pending.ended(task_id, call_id)
    return pending.calls()


def started_task(result: ToolResult) -> str | None:
    """Return the id of the background task or agent that a result says was started."""
    details = result.details
    task = details.get("backgroundTaskId")
    if task is None and details.get("status") == "async_launched":
        task = details.get("agentId") or details.get("taskId")
    return task if isinstance(task, str) else None


def _reported_task(result: ToolResult) -> str | None:
    """Return the id of a background task that a result says is over."""
    task = result.details.get("task")
    if isinstance(task, dict) and "task_id" in task:
        return None if _is_running(task) else str(task["task_id"])
    shell = result.details.get("shellId")
    if shell and not _is_running(result.details):
        return str(shell)
    return None


def _is_running(facts: Mapping[str, Any]) -> bool:
    status = facts.get("status")
    return isinstance(status, str) and status in _STILL_RUNNING


def _name(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _is_human(event: Event) -> bool:
    return (
        event.kind is EventKind.COMMAND
        or event.notice is NoticeKind.INTERRUPT
        or (event.kind is EventKind.USER and event.origin in _PROMPTS)
    )
