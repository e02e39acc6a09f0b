"""Notices that a background task or agent ended."""

from __future__ import annotations

from dataclasses import dataclass

from journald.transcript.clean import element
from journald.transcript.records import decode_any


@dataclass(frozen=True, slots=True)
class TaskEnd:
    """What a notice tells of a task."""

    task_id: str | None
    call_id: str | None
    status: str | None
    text: str
    """Summary and final words; the whole notice when it has neither."""


def read_task(text: str) -> TaskEnd:
    """Read a `<task-notification>`, whose elements are all optional."""
    head, _, _ = text.partition("<result>")
    parts = [element(head, "summary"), element(text, "result")]
    told = "\n\n".join(part for part in parts if part)
    return TaskEnd(
        task_id=element(head, "task-id"),
        call_id=element(head, "tool-use-id"),
        status=element(head, "status"),
        text=told or text,
    )


def queued_task(text: str) -> TaskEnd | None:
    """Return the end of a task that a queued text tells, as XML or as JSON; None when it does not.

    JSON notices are those of 2.1.2x to 2.1.5x.
    """
    if text.startswith(("<task-notification>", "<agent-notification>")):
        return read_task(text)
    value = decode_any(text.encode()) if text.startswith("{") else None
    if not isinstance(value, dict) or "task_id" not in value:
        return None
    names = {key: str(value[key]) for key in ("task_id", "tool_use_id") if value.get(key)}
    return TaskEnd(
        task_id=names.get("task_id"),
        call_id=names.get("tool_use_id"),
        status=None,
        text=str(value.get("description") or ""),
    )
