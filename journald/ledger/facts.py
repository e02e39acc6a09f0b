"""The ledger's vocabulary: what code alone can know of a session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from journald.transcript.session import Origin, Usage


class Change(StrEnum):
    """What became of a file, over the whole session."""

    CREATED = "created"
    EDITED = "edited"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Words of the human, whole."""

    id: str
    at: datetime | None
    text: str
    origin: Origin
    withdrawn: bool = False
    images: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SlashCommand:
    """A slash command that the human typed; its arguments are their words."""

    id: str
    at: datetime | None
    text: str
    """The command line, whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A shell command that ran."""

    id: str
    at: datetime | None
    command: str
    ok: bool | None
    """None when the transcript does not tell (no result, background)."""
    exit_status: int | None
    """None when the transcript does not tell."""
    by_user: bool = False
    """Typed by the human with `!`."""
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """The sum of all changes to one file."""

    path: str
    change: Change
    added: int
    removed: int
    ids: tuple[str, ...]
    """Events that changed it."""
    exact: bool = True
    """False when the transcript holds no whole account of the changed lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRun:
    """A run of a test suite."""

    __test__ = False  # pytest would take the name for a test class

    id: str
    at: datetime | None
    command: str
    runner: str
    passed: int | None
    failed: int | None
    ok: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit made in the session."""

    id: str
    at: datetime | None
    hash: str
    message: str
    branch: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request opened, changed or merged in the session."""

    id: str | None
    number: int | None
    url: str
    action: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A tool call that failed."""

    id: str
    at: datetime | None
    tool: str
    text: str
    solved_by: str | None = None
    """The later event in which the same command succeeded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """A page that was read, or a search on the web."""

    id: str
    at: datetime | None
    url: str | None
    query: str | None
    ok: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """Work given to a sub-agent."""

    id: str
    """The call that started it; the agent's own id where no call is known."""
    at: datetime | None
    kind: str
    description: str
    events: int
    outcome: str
    """What the sub-agent reported back, whole; empty when nothing was heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that the model asked, and the answer."""

    id: str
    at: datetime | None
    question: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """An item of the model's own task list, in its last state."""

    subject: str
    status: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """The facts of one session."""

    session_id: str
    started: datetime | None
    ended: datetime | None
    wall: timedelta
    active: timedelta
    """Sum of the gaps between events, pauses over 30 minutes left out."""
    days: tuple[date, ...]
    """Local days with activity."""
    requests: tuple[Request, ...]
    slash_commands: tuple[SlashCommand, ...]
    commands: tuple[Command, ...]
    files: tuple[FileChange, ...]
    tests: tuple[TestRun, ...]
    commits: tuple[Commit, ...]
    pull_requests: tuple[PullRequest, ...]
    errors: tuple[Failure, ...]
    fetched: tuple[Fetch, ...]
    subagents: tuple[Delegation, ...]
    questions: tuple[Question, ...]
    tasks: tuple[Task, ...]
    refusals: int
    """Tool calls that the human refused."""
    interrupts: int
    compactions: int
    models: Mapping[str, int]
    usage: Usage
