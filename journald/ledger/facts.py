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
    stopped: bool = False
    """Ended from outside: the model stopped it, or the human did; no failure of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellChange:
    """A command that by its own words may have changed files; which ones cannot be known."""

    id: str
    at: datetime | None
    command: str
    signs: tuple[str, ...]
    """What in the line says so, such as `sed -i`, `git checkout` or `>`."""


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
    moved_to: str | None = None
    """Where a command put the file afterwards, as far as its words tell; absolute."""
    by_user: bool = False
    """The human changed what the model proposed before it was written."""


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
    """Errors count as failures."""
    ok: bool | None
    """None when neither the output nor an exit status tells."""
    skipped: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """A commit made in the session."""

    id: str
    at: datetime | None
    hash: str
    message: str
    branch: str | None = None
    kind: str = "committed"
    """`committed`, `amended`, `cherry-picked`, `reverted` or `merged`."""


class Act(StrEnum):
    """What was done to branches, tags and histories; the words are persisted."""

    COMMITTED = "committed"  # without a word of git: the hash is not told
    CREATED = "created branch"
    SWITCHED = "switched to"
    DELETED = "deleted branch"
    RENAMED = "renamed branch to"
    PUSHED = "pushed"
    FORCE_PUSHED = "force-pushed"
    DELETED_REMOTE = "deleted on the remote"
    PULLED = "pulled"
    MERGED = "merged"
    REBASED = "rebased"
    TAGGED = "tagged"
    RESET = "reset to"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitAct:
    """Something that git did, told by its output, its exit status or Claude Code's own record."""

    id: str
    at: datetime | None
    act: Act
    name: str
    """The branch, tag or revision it was done to; empty when it is not told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request opened, changed or merged in the session."""

    id: str | None
    number: int | None
    url: str
    action: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A tool call that failed."""

    id: str
    at: datetime | None
    tool: str
    text: str
    solved_by: str | None = None
    """The later event in which the same was done with success."""


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


class Refuser(StrEnum):
    """Who refused a tool call; the words are persisted."""

    HUMAN = "human"
    RULE = "rule"  # a permission rule or mode, or nobody there to ask
    AUTO_MODE = "auto mode"  # the classifier of the auto mode, or its outage
    HOOK = "hook"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A tool call that was not let through."""

    id: str
    at: datetime | None
    tool: str
    by: Refuser


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRefusal:
    """The model refused, or another model took over because of it."""

    id: str
    at: datetime | None
    text: str


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
    """Tool calls that were refused, by whomever."""
    interrupts: int
    compactions: int
    models: Mapping[str, int]
    usage: Usage
    shell_changes: tuple[ShellChange, ...] = ()
    """Commands that may have changed files beyond `files`."""
    git_acts: tuple[GitAct, ...] = ()
    refused: tuple[Refusal, ...] = ()
    model_refusals: tuple[ModelRefusal, ...] = ()
    api_retries: int = 0
    """Requests to the model that failed and were tried again."""
    api_errors: int = 0
    """Errors of the API that ended a turn."""
