"""Every error that journald raises on purpose.

    JournaldError                    1
    ├── UsageError                   2   what was asked for makes no sense
    ├── ConfigError                 10   the configuration file is wrong
    ├── AlreadyRunningError         11   another daemon holds the state folder
    ├── StateError                  14   the database cannot be used
    │   ├── StateNewerError         14   … it was written by a newer journald
    │   ├── StateCorruptError       14   … it is damaged, or not a database
    │   ├── StateUnavailableError    1   … just now: locked, disk full (retryable)
    │   └── JobLostError            14   … for this job, which another holds by now
    ├── TranscriptError              1   a transcript cannot be read
    │   └── TranscriptMissingError   1   … it is gone
    ├── NotebookError                1   an entry cannot be written   (retryable)
    └── EngineError                  1   the model cannot be used     (retryable)
        ├── EngineUnavailableError   1   … here: no GPU, no package, no model files
        └── EngineDeadError          1   … any more: its process is gone (retryable)

A message says what happened and where; `hint` says what to do about it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """Exit codes of the command line; the README's table lists the same ones."""

    OK = 0
    UNEXPECTED = 1
    USAGE = 2
    CONFIG_INVALID = 10
    ALREADY_RUNNING = 11
    NOT_RUNNING = 12
    DEGRADED = 13
    STATE_UNUSABLE = 14
    INTERRUPTED = 130
    TERMINATED = 143


class JournaldError(Exception):
    """Something journald can name went wrong."""

    exit_code: ClassVar[ExitCode] = ExitCode.UNEXPECTED
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(JournaldError):
    """What was asked for makes no sense."""

    exit_code = ExitCode.USAGE


class ConfigError(JournaldError):
    """The configuration file is wrong; `problems` holds every fault, one line each."""

    exit_code = ExitCode.CONFIG_INVALID

    def __init__(
        self, message: str, *, problems: tuple[str, ...] = (), hint: str | None = None
    ) -> None:
        super().__init__("\n".join((message, *(f"  {problem}" for problem in problems))), hint=hint)
        self.problems = problems


class AlreadyRunningError(JournaldError):
    """Another daemon holds the state folder."""

    exit_code = ExitCode.ALREADY_RUNNING


class StateError(JournaldError):
    """The database cannot be used."""

    exit_code = ExitCode.STATE_UNUSABLE


class StateNewerError(StateError):
    """The database was written by a newer journald."""


class StateCorruptError(StateError):
    """The database is damaged, or not a database."""


class StateUnavailableError(StateError):
    """The database cannot be used just now."""

    # Not StateError's: a service manager is to start the daemon again, later.
    exit_code = ExitCode.UNEXPECTED
    retryable = True


class JobLostError(StateError):
    """The job is no longer held by who wants to settle it."""


class TranscriptError(JournaldError):
    """A transcript cannot be read."""


class TranscriptMissingError(TranscriptError):
    """The transcript is gone."""


class NotebookError(JournaldError):
    """An entry cannot be written into the notes folder."""

    retryable = True


class EngineError(JournaldError):
    """The model cannot be used."""

    retryable = True


class EngineUnavailableError(EngineError):
    """No model can be had on this machine as it is set up."""

    retryable = False


class EngineDeadError(EngineError):
    """The engine's process is gone."""
