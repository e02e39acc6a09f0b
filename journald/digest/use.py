"""A tool call with its result, as the tellers of the tools see it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from journald import config
from journald.digest.pen import Pen
from journald.transcript.session import Event

_TOOL_ERROR = re.compile(r"\A\s*<tool_use_error>(.*?)</tool_use_error>\s*\Z", re.DOTALL)
# What Claude Code puts into results for the model's eyes only.
_REMINDERS = re.compile(r"<system-reminder>.*?(?:</system-reminder>|\Z)", re.DOTALL)
_ASIDES = re.compile(
    r"^REMINDER: You MUST include the sources .*$|^agentId: \S+ \(.*$"
    r"|^<usage>(?:.|\n){0,400}?</usage>|\A\(Bash completed with no output\)\Z"
    r"|^\s*</?persisted-output>\s*$",
    re.MULTILINE,
)
_EXIT = re.compile(r"\A(?:Error: )?Exit code (\d+)\n?")
_PERSISTED = re.compile(
    r"Output too large \(([^)\n]{1,20})\)\. Full output saved to: [^\n]*\n"
    r"\s*Preview \([^)\n]*\):\n"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A tool call as a digest tells it."""

    line: str
    """The call and its outcome."""
    body: str = ""
    """What is quoted of it; cut already."""
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A tool call with its result, if there is one."""

    event: Event
    result: Event | None
    pen: Pen
    settings: config.Digest
    report: str = ""
    """What is known of the sub-agent that the call started."""
    answered: bool = False
    """The human's answer stands in an item of its own."""

    @property
    def name(self) -> str:
        """The tool's name; arbitrary text."""
        return self.event.call.name if self.event.call else ""

    @property
    def input(self) -> Mapping[str, Any]:
        """The call's arguments, raw."""
        return self.event.call.input if self.event.call else {}

    @property
    def details(self) -> Mapping[str, Any]:
        """The structured facts of the result, raw."""
        return self.result.result.details if self.result and self.result.result else {}

    @property
    def failed(self) -> bool:
        """Whether the result is an error."""
        return bool(self.result and self.result.result and self.result.result.is_error)

    @property
    def text(self) -> str:
        """The result's text, without what was put around it for the model."""
        if self.result is None:
            return ""
        text = _ASIDES.sub("", _REMINDERS.sub("", self.result.text))
        text = _PERSISTED.sub(r"[start of \1]\n", text).strip("\n")
        inner = _TOOL_ERROR.match(text)
        text = inner[1] if inner else text
        status = _EXIT.match(text)
        return text[: status.end()] + _said_once(text[status.end() :]) if status else text

    @property
    def exit_status(self) -> int | None:
        """The exit status that a failed shell command reported."""
        status = _EXIT.match(self.text)
        return int(status[1]) if status else None

    @property
    def printed(self) -> str:
        """The result's text without its exit status."""
        return _EXIT.sub("", self.text, count=1)

    def get(self, *names: str) -> str:
        """Return the first of the arguments `names` that is a text, as a clean line."""
        for name in names:
            if line := self.pen.line(self.input.get(name)):
                return line
        return ""

    def outcome(self) -> str:
        """Return how the call ended, when that is worth a word."""
        told = self.result.result if self.result else None
        if told is None:
            return "no result"
        if told.rejected:
            return "refused by the user"
        if told.cancelled:
            return "cancelled"
        return "failed" if told.is_error else ""

    def quoted(self) -> str:
        """Return head and tail of the result."""
        if self.result is None or (self.result.result and self.result.result.rejected):
            return ""
        text = self.pen.output(self.text)
        if self.failed:
            return self.pen.cut(text, self.settings.error_head, self.settings.error_tail)
        return self.pen.cut(text, self.settings.result_head, self.settings.result_tail)

    def failure(self) -> str:
        """Return the result's text when the call failed; a success needs none."""
        return self.quoted() if self.failed else ""


def _said_once(text: str) -> str:
    """Return `text`, or its half when it says everything twice, as failed commands do."""
    half = text[: len(text) // 2].rstrip("\n")
    between = text[len(half) : len(text) - len(half)]
    twice = half and between.startswith("\n") and not between.strip() and text.endswith(half)
    return half if twice else text


def arrow(line: str, outcome: str) -> str:
    """Return `line` with its outcome behind it, if there is one to tell."""
    return f"{line} → {outcome}" if outcome else line


def plural(number: int, noun: str) -> str:
    """Return a number and its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
