"""Sessions for tests, written down event by event."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from journald.transcript.session import (
    Event,
    EventKind,
    LineCounts,
    NoticeKind,
    Origin,
    Session,
    Subagent,
    ToolCall,
    ToolResult,
    Usage,
)

START = datetime(2026, 3, 5, 9, 0, tzinfo=UTC)


class Script:
    """Builds a session; every event comes one minute after the one before."""

    def __init__(self, prefix: str = "e", start: datetime = START) -> None:
        self.events: list[Event] = []
        self._prefix = prefix
        self._now = start

    def _add(self, kind: EventKind, text: str, **more: Any) -> str:
        number = len(self.events) + 1
        event = Event(
            id=f"{self._prefix}{number}",
            kind=kind,
            at=self._now,
            text=text,
            line=number,
            uuid=f"uuid-{self._prefix}{number}",
            **more,
        )
        self.events.append(event)
        self._now += timedelta(minutes=1)
        return event.id

    def wait(self, gap: timedelta) -> None:
        """Let time pass before the next event."""
        self._now += gap

    def user(self, text: str, origin: Origin = Origin.PROMPT, **more: Any) -> str:
        return self._add(EventKind.USER, text, origin=origin, **more)

    def assistant(self, text: str) -> str:
        return self._add(
            EventKind.ASSISTANT, text, message_id=f"m{len(self.events)}", model="claude-test"
        )

    def notice(self, text: str, notice: NoticeKind = NoticeKind.OTHER) -> str:
        return self._add(EventKind.NOTICE, text, notice=notice)

    def command(self, text: str, output: str = "") -> str:
        made = self._add(EventKind.COMMAND, text)
        if output:
            self._add(EventKind.COMMAND_OUTPUT, output)
        return made

    def compaction(self, text: str) -> str:
        return self._add(EventKind.COMPACTION, text)

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Add a tool call without its result; return the event id."""
        call_id = f"toolu_{self._prefix}{len(self.events) + 1}"
        return self._add(
            EventKind.TOOL_CALL, "", call=ToolCall(call_id=call_id, name=name, input=arguments)
        )

    def result(self, call: str, text: str, **more: Any) -> str:
        """Add the result of the call with event id `call`."""
        return self._add(
            EventKind.TOOL_RESULT, text, result=ToolResult(call_id=f"toolu_{call}", **more)
        )

    def tool(self, name: str, arguments: Mapping[str, Any], text: str, **more: Any) -> str:
        """Add a tool call and its result; return the id of the call."""
        call = self.call(name, arguments)
        self.result(call, text, **more)
        return call

    def bash(self, command: str, output: str = "", exit_code: int = 0) -> str:
        """Add a shell command as Claude Code records it."""
        if exit_code:
            return self.tool(
                "Bash", {"command": command}, f"Exit code {exit_code}\n{output}", is_error=True
            )
        return self.tool("Bash", {"command": command}, output, details={"interrupted": False})

    def session(self, *subagents: Subagent, **more: Any) -> Session:
        settings: dict[str, Any] = {
            "session_id": "0f0e0d0c-0b0a-4009-8008-070605040302",
            "path": "/projects/-home-ada-shop/0f0e0d0c-0b0a-4009-8008-070605040302.jsonl",
            "cwd": "/home/ada/shop",
            "project": "shop",
            "cwds": ("/home/ada/shop",),
            "branch": "main",
            "branches": ("main",),
            "versions": ("2.1.219",),
            "entrypoints": ("cli",),
            "title": None,
            "tags": (),
            "events": tuple(self.events),
            "subagents": subagents,
            "usage": Usage(input=10, output=20, cache_read=30, cache_creation=40),
            "models": {"claude-test": 3},
            "pull_requests": (),
            "lines": LineCounts(total=len(self.events)),
        }
        return Session(**(settings | more))
