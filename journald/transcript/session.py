"""A session as journald knows it: frozen values, no I/O, no clock.

Invariants:
- events stand in conversation order, which is file order;
- an event's id never changes when its file grows: ids number what the file holds, and what is
  left out (rows that a resume copied from another session) keeps its number, so ids may skip;
- events of sub-agents live in their `Subagent`, with ids of their own (`AGENT.N`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class EventKind(StrEnum):
    """What an event is; the words are persisted and never change their meaning."""

    USER = "user"  # words of the human, wherever the transcript hides them
    ASSISTANT = "assistant"  # text of the model
    THINKING = "thinking"  # the model's reasoning, where the transcript keeps it
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    COMMAND = "command"  # a slash command or a `!` line typed by the human
    COMMAND_OUTPUT = "command_output"  # what that printed
    NOTICE = "notice"  # written by the program: interrupts, API errors, task notifications, recaps
    COMPACTION = (
        "compaction"  # the context was compacted here; text is the summary, if there is one
    )


class Origin(StrEnum):
    """How the words of a USER event reached the transcript."""

    PROMPT = "prompt"  # a prompt of its own
    QUEUED = "queued"  # typed while the model worked, delivered into the running turn
    REJECTION = "rejection"  # said while refusing a tool call
    APPROVAL = "approval"  # said together with the approval of a tool call
    ANSWER = "answer"  # reply to a question that the model asked; text is `question: answer` lines
    PLAN = "plan"  # a plan that the human accepted; the words are the model's


class NoticeKind(StrEnum):
    """What a NOTICE tells."""

    INTERRUPT = "interrupt"
    API_ERROR = "api_error"
    TASK = "task"  # a background task or agent ended
    RECAP = "recap"  # Claude Code's own prose recap (away_summary)
    REFUSAL = "refusal"  # the model refused, or another model took over
    HOOK = "hook"
    FILE_EDITED = "file_edited"  # a file was changed outside of the session
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A tool call of the model."""

    call_id: str
    name: str
    input: Mapping[str, Any]
    """The call's arguments as decoded JSON; empty when they were broken."""
    elided_chars: int = 0
    """Characters of the arguments that a very long session left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What came back from a tool call; its text is the event's text."""

    call_id: str
    is_error: bool = False
    rejected: bool = False
    """The human, or a rule of theirs, refused the call."""
    cancelled: bool = False
    """A parallel call failed or the turn was interrupted before this one ran."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """The few structured facts kept of `toolUseResult`, under its own key names: filePath, type,
    structuredPatch, exitCode, interrupted, returnCodeInterpretation, backgroundTaskId,
    gitOperation, agentId, agentType, status, task, answers, questions, response, url, code,
    query, todos, statusChange, persistedOutputSize, numFiles and the like; contentLines of a
    created file; patchAdded and patchRemoved where a very long session left the patch out; never
    file bodies, stdout, images or originals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened."""

    id: str
    """`e1`, `e2`, … in the main file; `AGENT.1`, … in a sub-agent's."""
    kind: EventKind
    at: datetime | None
    """Aware, UTC; None where the transcript has no valid time for it."""
    text: str
    line: int
    """Line number in the source file, from 1."""
    uuid: str | None = None
    message_id: str | None = None
    """Groups the blocks of one message of the model."""
    model: str | None = None
    origin: Origin | None = None
    """USER events only."""
    notice: NoticeKind | None = None
    """NOTICE events only."""
    call: ToolCall | None = None
    result: ToolResult | None = None
    images: int = 0
    """Pictures and documents that came along; their bytes are not kept."""
    withdrawn: bool = False
    """On a branch that the human rewound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subagent:
    """Work that the model delegated."""

    agent_id: str
    kind: str
    """Agent type as the transcript names it, such as `general-purpose`; empty when unknown."""
    description: str
    call_id: str | None
    """The tool call that started it; None when it cannot be told."""
    events: tuple[Event, ...]
    source: str
    """File it was read from, by name; the main file's name for in-file side chains."""
    steps: int = 0
    """Rows that it wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens, each message of the model counted once."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_creation: int = 0
    output_reliable: bool = True
    """False when a version before 2.1.97 left streaming placeholders for the output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineCounts:
    """What the lines of all files of a session were."""

    total: int = 0
    broken: int = 0
    """Lines of which nothing could be read."""
    recovered: int = 0
    """Damaged lines out of which every whole record was read."""
    unknown: int = 0
    """Lines of a type or shape that this version does not know."""
    bytes: int = 0
    skipped_bytes: int = 0
    """Bytes of lines over the size limit, left unread."""
    elided_chars: int = 0
    """Characters of what tools were given and gave back that a very long session left out."""
    unknown_kinds: Mapping[str, int] = field(default_factory=dict)
    """What was not known, as `version/type/subtype`, and how often."""
    types: Mapping[str, int] = field(default_factory=dict)
    """Records of each type, those of types that are not known included."""
    truncated: bool = False
    """The file ends within a line."""
    damaged_at: tuple[tuple[str, int], ...] = ()
    """File name and line number, from 1, of the first lines that could not be read whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session of Claude Code, sub-agents folded in."""

    session_id: str
    """The transcript's file name without its ending."""
    path: str
    """The main transcript file, absolute."""
    cwd: str | None
    """First working directory."""
    project: str
    """Name of the repository or folder; a worktree is folded into its repository."""
    cwds: tuple[str, ...]
    """All working directories in the order they appear."""
    branch: str | None
    """Last git branch named; None outside of a repository."""
    branches: tuple[str, ...]
    versions: tuple[str, ...]
    entrypoints: tuple[str, ...]
    title: str | None
    """Title given by the user or by Claude Code; None without one."""
    tags: tuple[str, ...]
    events: tuple[Event, ...]
    subagents: tuple[Subagent, ...]
    usage: Usage
    """Main transcript and sub-agents together."""
    models: Mapping[str, int]
    """Messages of each model, sub-agents included."""
    pull_requests: tuple[tuple[int, str], ...]
    """Number and address of each linked pull request."""
    lines: LineCounts
    usage_by_model: Mapping[str, Usage] = field(default_factory=dict)
    parent: str | None = None
    """Session whose rows this file repeats at its start (resume, fork)."""
    inherited: int = 0
    """Events left out because they belong to `parent`."""
    foreign: Mapping[str, int] = field(default_factory=dict)
    """Rows that were read though they name another session, by that session."""
    pending_calls: tuple[str, ...] = ()
    """Ids of tool calls with no result yet, background agents that were not heard of included."""
