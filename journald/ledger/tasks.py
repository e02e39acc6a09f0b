"""The model's own task list, in its last state."""

from __future__ import annotations

import re
from typing import Any

from journald.ledger.facts import Task
from journald.ledger.timeline import Call, Timeline

_CREATED = re.compile(r"Task #(\w+) created")
_DELETED = "deleted"
_PENDING = "pending"


def find_tasks(timeline: Timeline) -> tuple[Task, ...]:
    """Return the task list of the main conversation, TodoWrite's and TaskCreate's together."""
    todos: tuple[Task, ...] = ()
    created = _Tasks()
    for call in timeline.calls:
        if call.agent_id is not None or call.failed or not call.ran:
            continue
        if call.name == "TodoWrite":
            todos = _todos(call.call.input.get("todos"))
        elif call.name == "TaskCreate":
            created.create(call)
        elif call.name == "TaskUpdate":
            created.update(call)
    return (*todos, *created.last())


def _todos(given: Any) -> tuple[Task, ...]:
    several = given if isinstance(given, list) else []
    return tuple(
        Task(subject=str(one.get("content", "")), status=str(one.get("status", "")))
        for one in several
        if isinstance(one, dict)
    )


class _Tasks:
    """Tasks under the numbers they were given; a number may be given again."""

    def __init__(self) -> None:
        self._tasks: list[tuple[str, str]] = []
        self._places: dict[str, int] = {}

    def create(self, call: Call) -> None:
        task = call.detail("task")
        told = task.get("id") if isinstance(task, dict) else None
        found = _CREATED.search(call.text)
        number = str(told) if told is not None else found[1] if found else ""
        if number:
            self._places[number] = len(self._tasks)
        self._tasks.append((call.given("subject"), _PENDING))

    def update(self, call: Call) -> None:
        place = self._places.get(str(call.call.input.get("taskId", "")))
        if place is None or call.detail("success") is False:
            return
        subject, status = self._tasks[place]
        self._tasks[place] = (
            call.given("subject") or subject,
            call.given("status") or status,
        )

    def last(self) -> tuple[Task, ...]:
        return tuple(
            Task(subject=subject, status=status)
            for subject, status in self._tasks
            if status != _DELETED
        )
