"""Turns: what was asked, and the words in which the work on it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from journald.transcript.session import Event, EventKind, NoticeKind, Origin, Session

# Words said while the work goes on belong to the turn that is running; these open a new one.
_OPENERS = frozenset({Origin.PROMPT, Origin.REJECTION})
# Commands that set Claude Code up; they ask nothing of the model.
_HOUSEKEEPING = frozenset(
    {
        "add-dir", "agents", "bashes", "btw", "bug", "cd", "clear", "color", "compact", "config",
        "context", "copy", "cost", "diff", "doctor", "effort", "exit", "export", "extra-usage",
        "fast", "feedback", "fork", "help", "hooks", "ide", "install-github-app", "keybindings",
        "login", "logout", "mcp", "memory", "model", "output-style", "permissions", "plan",
        "plugin", "plugins", "privacy-settings", "quit", "release-notes", "reload-plugins",
        "remote-control", "rename", "resume", "rewind", "sandbox", "skills", "stats", "status",
        "statusline", "tasks", "terminal-setup", "theme", "todos", "upgrade", "usage", "vim",
    }
)  # fmt: skip
# What Claude Code and its model say when there is nothing to say.
_NOTHING_SAID = frozenset({"no response requested.", "no response requested", "(no content)"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Words of the user up to the next ones that ask for something else."""

    asked: tuple[Event, ...]
    answer: Event | None
    """The model's last words on it."""
    last: Event
    """The last event of the turn, of whatever kind."""

    @property
    def subject(self) -> str:
        """What it was about: the last of what opened it."""
        opened = [event for event in self.asked if _opens(event)] or [*self.asked]
        return opened[-1].text if opened else ""

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of what was asked, and of the answer."""
        ids = [event.id for event in self.asked]
        return tuple(ids if self.answer is None else [*ids, self.answer.id])


def turns(session: Session) -> tuple[Turn, ...]:
    """Return the turns of `session` in order; what the human withdrew is left out."""
    return tuple(_turns([event for event in session.events if not event.withdrawn]))


def _turns(events: list[Event]) -> Iterator[Turn]:
    asked: list[Event] = []
    answer: Event | None = None
    last: Event | None = None
    worked = notified = False
    for event in events:
        # Prompts in a row with neither word nor work between them are one turn. What the model
        # says after an interruption is no answer to what was interrupted.
        over = answer is not None or worked
        if last is not None and asked and ((_opens(event) and over) or _cut_off(event, answer)):
            yield Turn(asked=tuple(asked), answer=answer, last=last)
            asked, answer, worked, notified = [], None, False, False
        if _asks(event):
            asked.append(event)
            notified = False
        elif _answers(event, answer, notified=notified):
            answer = event
        worked = worked or event.kind is EventKind.TOOL_CALL
        notified = notified or event.notice is NoticeKind.TASK
        last = event
    if last is not None and (asked or answer is not None):
        yield Turn(asked=tuple(asked), answer=answer, last=last)


def _answers(event: Event, before: Event | None, *, notified: bool) -> bool:
    if event.kind is not EventKind.ASSISTANT or not _says_something(event.text):
        return False
    # A word on the end of a background task does not stand for the answer given before it.
    return not (notified and before is not None and len(event.text) < len(before.text))


def _cut_off(event: Event, answer: Event | None) -> bool:
    return event.notice is NoticeKind.INTERRUPT and answer is None


def _opens(event: Event) -> bool:
    return _asks(event) and (event.kind is EventKind.COMMAND or event.origin in _OPENERS)


def _asks(event: Event) -> bool:
    if event.kind is EventKind.COMMAND:
        name = event.text.strip().removeprefix("/").split(maxsplit=1)[:1]
        return event.text.strip().startswith("/") and name != [] and name[0] not in _HOUSEKEEPING
    return event.kind is EventKind.USER


def _says_something(text: str) -> bool:
    words = text.strip().lower()
    return bool(words) and words not in _NOTHING_SAID
