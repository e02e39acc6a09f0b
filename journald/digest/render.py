"""From a session to its digest: every event that tells something becomes one item.

Invariants:
- an item is made from its event, its result and what came before: appended events change no
  earlier item, but for the call whose result they hold (and for secrets that they give away);
- text is redacted whole before any of it is cut.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from journald import config
from journald.digest.evidence import Digest, Item, Role
from journald.digest.pen import Pen
from journald.digest.redact import Redactor
from journald.digest.tools import tell
from journald.digest.use import Use, plural
from journald.transcript.session import Event, EventKind, NoticeKind, Origin, Session, Subagent

_SHORT = 300
_COMMAND_OUTPUT = (300, 200)
_MUTE_TEXTS = frozenset(("(no content)", "No response requested."))
_READERS = frozenset(("Read",))
_WRITERS = frozenset(("Edit", "MultiEdit", "Write", "NotebookEdit"))
_QUESTION = "AskUserQuestion"
_SAID = {
    Origin.PROMPT: "USER",
    Origin.QUEUED: "USER (while the model worked)",
    Origin.REJECTION: "USER (refusing the call)",
    Origin.APPROVAL: "USER (approving the call)",
    Origin.ANSWER: "USER (answering)",
    Origin.PLAN: "USER (accepted this plan, written by the model)",
}
_SPEAKERS = {
    EventKind.ASSISTANT: "ASSISTANT",
    EventKind.COMMAND: "COMMAND",
    EventKind.COMMAND_OUTPUT: "OUTPUT",
}
_NOTICES = {
    NoticeKind.API_ERROR: "NOTICE: API error",
    NoticeKind.RECAP: "RECAP",
    NoticeKind.TASK: "NOTICE: background task",
    NoticeKind.FILE_EDITED: "NOTICE: changed outside of the session",
}


def texts(session: Session) -> Iterator[str]:
    """Yield every text of `session` in which a secret could be told, sub-agents' included."""
    for events in (session.events, *(agent.events for agent in session.subagents)):
        for event in events:
            yield event.text
            if event.call:
                yield from _strings(event.call.input)


def _strings(value: object) -> Iterator[str]:
    """Yield the texts within a call's arguments, and short arguments with their names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            if isinstance(inner, str) and len(inner) <= _SHORT:
                yield json.dumps({str(name): inner})
            yield from _strings(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _strings(inner)


def _pictures(count: int) -> str:
    return "[image]" if count == 1 else f"[{count} images]"


class _Renderer:
    """Makes the items of one session, in order."""

    def __init__(self, session: Session, settings: config.Digest, pen: Pen) -> None:
        self._events = session.events
        self._settings = settings
        self._pen = pen
        self._results = {
            event.result.call_id: event for event in reversed(session.events) if event.result
        }
        self._calls = {event.call.call_id for event in session.events if event.call}
        self._answers = {event.line for event in session.events if event.origin is Origin.ANSWER}
        self._agents: dict[str, list[Subagent]] = {}
        for agent in session.subagents:
            if agent.call_id:
                self._agents.setdefault(agent.call_id, []).append(agent)
        self._seen_reads: set[tuple[str, str]] = set()
        self._last: NoticeKind | None = None

    def rendered(self) -> Iterator[tuple[Event, tuple[str, ...], Role, str, tuple[str, ...]]]:
        for event in self._events:
            if event.kind is EventKind.TOOL_CALL:
                made = self._tool(event)
            else:
                text = self._text(event)
                made = (text, (event.id,), ()) if text else None
            if event.kind is not EventKind.THINKING:
                self._last = event.notice
            if made:
                text, ids, paths = made
                yield event, ids, _role(event), text, paths

    def _text(self, event: Event) -> str:
        """Return what stands behind the id of an event that is no tool call; empty for nothing."""
        if event.kind is EventKind.USER:
            return self._user(event)
        if event.kind is EventKind.NOTICE:
            return self._notice(event)
        if event.kind is EventKind.TOOL_RESULT:
            return self._orphan(event)
        if event.kind is EventKind.COMPACTION:
            return "NOTICE: the conversation was compacted here"
        return self._plain(event)

    def _plain(self, event: Event) -> str:
        if event.kind is EventKind.ASSISTANT:
            text = self._pen.words(event.text)
        elif event.kind is EventKind.COMMAND:
            text = self._line(event.text, self._settings.command)
        elif event.kind is EventKind.COMMAND_OUTPUT:
            text = self._pen.cut(self._pen.output(event.text), *_COMMAND_OUTPUT)
        else:
            return ""
        mute = not text.strip() or text in _MUTE_TEXTS
        return "" if mute else f"{_SPEAKERS[event.kind]}: {text}"

    def _line(self, text: str, size: int) -> str:
        return self._pen.cut_line(self._pen.line(text), size)

    def _user(self, event: Event) -> str:
        text = self._pen.words(event.text)
        size = self._settings.pasted
        text = self._pen.cut(text, size * 2 // 3, size // 3)
        if event.images:
            text = f"{text} {_pictures(event.images)}".strip()
        return f"{_SAID[event.origin or Origin.PROMPT]}: {text}" if text.strip() else ""

    def _notice(self, event: Event) -> str:
        kind = event.notice or NoticeKind.OTHER
        if kind is NoticeKind.INTERRUPT:
            return "NOTICE: interrupted by the user"
        if kind is NoticeKind.API_ERROR and self._last is kind:
            return ""  # the first of a run tells it
        if kind is NoticeKind.RECAP:
            text = self._pen.words(event.text)
        elif kind is NoticeKind.TASK:
            text = self._pen.output(event.text)
            text = self._pen.cut(text, self._settings.error_head, self._settings.error_tail)
        else:
            text = self._pen.short(self._line(event.text, _SHORT))
            text = text.removeprefix("API error: ")
        return f"{_NOTICES.get(kind, 'NOTICE')}: {text}" if text.strip() else ""

    def _orphan(self, event: Event) -> str:
        """Return a result whose call the transcript does not hold."""
        if event.result is None or event.result.call_id in self._calls:
            return ""
        text = self._pen.output(event.text)
        settings = self._settings
        return f"RESULT: {self._pen.cut(text, settings.result_head, settings.result_tail)}"

    def _tool(self, event: Event) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
        if event.call is None:
            return None
        result = self._results.get(event.call.call_id)
        if self._is_repeat(event, result):
            return None
        told = tell(
            Use(
                event=event,
                result=result,
                pen=self._pen,
                settings=self._settings,
                report=self._report(event.call.call_id),
                answered=result is not None and result.line in self._answers,
            )
        )
        images = f" {_pictures(result.images)}" if result and result.images else ""
        text = f"{told.line}{images}" + (f"\n{told.body}" if told.body else "")
        ids = (event.id, result.id) if result else (event.id,)
        return text, ids, tuple(path for path in told.paths if path)

    def _report(self, call_id: str) -> str:
        agents = self._agents.get(call_id, [])
        steps = sum(1 for agent in agents for event in agent.events if event.call)
        return plural(steps, "tool call") if steps else ""

    def _is_repeat(self, event: Event, result: Event | None) -> bool:
        """Tell whether a file was read before, the same lines of it, and not changed since."""
        call = event.call
        if call is None or (result and result.result and result.result.is_error):
            return False
        path = str(call.input.get("file_path", ""))
        if call.name in _WRITERS:
            self._seen_reads = {seen for seen in self._seen_reads if seen[0] != path}
        if call.name not in _READERS or result is None:
            return False
        part = (
            path,
            str((call.input.get("offset"), call.input.get("limit"), call.input.get("pages"))),
        )
        repeated = part in self._seen_reads
        self._seen_reads.add(part)
        return repeated


def _role(event: Event) -> Role:
    if event.kind in {EventKind.USER, EventKind.COMMAND}:
        return Role.USER
    if event.kind is EventKind.ASSISTANT:
        return Role.ASSISTANT
    if event.kind in {EventKind.TOOL_CALL, EventKind.TOOL_RESULT}:
        return Role.TOOL
    return Role.NOTICE


def build_digest(
    session: Session,
    settings: config.Digest,
    redactor: Redactor,
    count: Callable[[str], int],
) -> Digest:
    """Return what a model reads of `session`; `count` gives the tokens of a text.

    `redactor` is one that knows the session's own `texts`; learning them takes long.
    """
    pen = Pen(redactor, session.cwd)
    items = []
    for event, ids, role, text, paths in _Renderer(session, settings, pen).rendered():
        withdrawn = " (withdrawn)" if event.withdrawn else ""
        whole = f"[{event.id}]{withdrawn} {text}"
        items.append(
            Item(
                id=event.id,
                ids=ids,
                role=role,
                at=event.at,
                text=whole,
                tokens=count(whole + "\n"),
                paths=paths,
                splittable=role is not Role.USER,
            )
        )
    return Digest(
        items=tuple(items),
        chars=sum(len(item.text) + 1 for item in items),
        tokens=sum(item.tokens for item in items),
        elided_chars=pen.elided,
        redactions=pen.redactions,
    )
