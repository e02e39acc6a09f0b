"""From a transcript to its entry: the whole road for one session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from journald.config import Settings
from journald.daemon.warm import Absence
from journald.digest.names import fit_name
from journald.digest.redact import Redactor
from journald.digest.render import build_digest, texts
from journald.engine.base import Engine
from journald.journal.entry import Entry, build_entry
from journald.journal.notebook import Notebook
from journald.ledger.facts import Ledger
from journald.ledger.ledger import build_ledger
from journald.store.gaps import Gaps, UnknownKind
from journald.summary.narrative import Status, Summary
from journald.summary.pipeline import summarise, without_model
from journald.transcript.reader import read_session
from journald.transcript.session import EventKind, LineCounts, Session
from journald.watch.content import content_mark

SKIPPED = "skipped"
_WARM_UP = "warmup"
_NOT_BY_A_MODEL = "<synthetic>"
# A transcript may give each of its rows a kind of its own.
KINDS_KEPT = 20
OTHERS = "(others)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What became of a transcript, before anything is written."""

    session_id: str
    mark: str
    """What was read, as `watch.content` marks it."""
    entry: Entry | None
    """None when the session is too trivial for an entry; `reason` says how."""
    summary: Summary | None
    redact: Callable[[str], str]
    """Takes out secrets, those too that only this session's own words give away."""
    gaps: Gaps
    """What could not be read of it."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What became of a transcript."""

    session_id: str
    mark: str
    outcome: str
    """The notebook's word for what it did, or `skipped`."""
    reason: str
    """Why it was skipped, why its narrative is pending, or why it stands beside the old one."""
    entry: Path | None
    summary: Summary | None
    gaps: Gaps
    """What could not be read of it."""

    @property
    def pending(self) -> bool:
        """Whether the entry still waits for its narrative."""
        return self.summary is not None and self.summary.status is Status.NARRATIVE_PENDING


class Scribe:
    """Writes entries; `engine` is asked for a model once the facts are known to deserve one."""

    def __init__(
        self,
        settings: Settings,
        notebook: Notebook,
        engine: Callable[[], Engine | Absence],
        *,
        zone: tzinfo,
        now: Callable[[], datetime],
    ) -> None:
        self._settings = settings
        self._notebook = notebook
        self._engine = engine
        self._redactor = Redactor(settings.redact.patterns)
        self._zone = zone
        self._now = now

    def write(
        self,
        path: Path,
        *,
        progress: Callable[[], None] = lambda: None,
        absence: Absence | None = None,
    ) -> Result:
        """Write or refresh the entry of the transcript at `path`; durable when this returns.

        `absence` keeps the engine out of it. Raises TranscriptError, NotebookError and
        EngineDeadError.
        """
        draft = self.compose(path, progress=progress, absence=absence)
        if draft.entry is None or draft.summary is None:
            return Result(
                session_id=draft.session_id,
                mark=draft.mark,
                outcome=SKIPPED,
                reason=draft.reason,
                entry=None,
                summary=None,
                gaps=draft.gaps,
            )
        written = self._notebook.write(draft.entry, draft.redact)
        return Result(
            session_id=draft.session_id,
            mark=draft.mark,
            outcome=str(written.outcome),
            reason="; ".join(reason for reason in (draft.summary.reason, written.reason) if reason),
            entry=written.path,
            summary=draft.summary,
            gaps=draft.gaps,
        )

    def compose(
        self,
        path: Path,
        *,
        progress: Callable[[], None] = lambda: None,
        absence: Absence | None = None,
    ) -> Draft:
        """Make the entry of the transcript at `path` without writing it.

        Raises TranscriptError and EngineDeadError.
        """
        session = read_session(path)
        mark = content_mark(session)
        ledger = build_ledger(session, self._zone, now=self._now())
        redactor = self._redactor.knowing(texts(session))
        gaps = gaps_in(session.lines, redactor.clean)
        progress()
        reason = too_trivial(session, ledger, shortest=self._settings.journal.shortest)
        if reason is not None:
            return Draft(
                session_id=session.session_id,
                mark=mark,
                entry=None,
                summary=None,
                redact=redactor.clean,
                gaps=gaps,
                reason=reason,
            )
        summary = self._summarise(session, ledger, redactor, progress, absence)
        entry = build_entry(
            session, ledger, summary, fingerprint=mark, zone=self._zone, now=self._now()
        )
        return Draft(
            session_id=session.session_id,
            mark=mark,
            entry=entry,
            summary=summary,
            redact=redactor.clean,
            gaps=gaps,
        )

    def _summarise(
        self,
        session: Session,
        ledger: Ledger,
        redactor: Redactor,
        progress: Callable[[], None],
        absence: Absence | None,
    ) -> Summary:
        engine = absence or self._engine()
        progress()
        if isinstance(engine, Absence):
            # Where no model is wanted or possible, having none is no defect of the entry.
            reason = engine.reason if engine.pending else ""
            return without_model(session, ledger, redactor, reason=reason, pending=engine.pending)
        digest = build_digest(session, self._settings.digest, redactor, engine.count)
        progress()
        return summarise(
            session, ledger, digest, engine, self._settings, redactor, progress=progress
        )


def gaps_in(lines: LineCounts, redact: Callable[[str], str]) -> Gaps:
    """Return what could not be read, with the kinds met most; the rest counts as `(others)`."""
    met: Counter[tuple[str, str]] = Counter()
    for name, count in lines.unknown_kinds.items():
        version, _, kind = fit_name(name, redact).partition("/")
        met[version, kind or "?"] += count
    kept = dict(met.most_common(KINDS_KEPT))
    if rest := met.total() - sum(kept.values()):
        kept["?", OTHERS] = rest
    return Gaps(
        broken=lines.broken,
        recovered=lines.recovered,
        unknown=lines.unknown,
        skipped_bytes=lines.skipped_bytes,
        elided_chars=lines.elided_chars,
        truncated=lines.truncated,
        kinds=tuple(
            UnknownKind(version=version, kind=kind, count=count)
            for (version, kind), count in kept.items()
        ),
    )


def too_trivial(session: Session, ledger: Ledger, *, shortest: int) -> str | None:
    """Say why a session deserves no entry; None when it does.

    A slash command counts as a request when the model answered it: `/clear` does not, a command
    that is a prompt does.
    """
    if not session.events and not session.subagents:
        return _nothing(session)
    if any(event.kind is EventKind.TOOL_CALL for event in session.events):
        return None
    requests = [request for request in ledger.requests if not request.withdrawn]
    if requests and all(request.text.strip().lower() == _WARM_UP for request in requests):
        return "a warm-up of Claude Code"
    asked = len(requests) or int(_answered_command(session))
    if asked < shortest:
        return f"{asked} requests and no tool call"
    return None


def _nothing(session: Session) -> str:
    """Say why a session has no events; damage is not taken for silence."""
    if session.inherited:
        return f"all {session.inherited} events in it belong to session {session.parent}"
    lost = session.lines.broken + session.lines.unknown
    if lost:
        return f"nothing was said; {lost} of its {session.lines.total} lines could not be read"
    return "nothing was said"


def _answered_command(session: Session) -> bool:
    kinds = {event.kind for event in session.events}
    return EventKind.COMMAND in kinds and any(
        event.kind is EventKind.ASSISTANT and event.text.strip() and event.model != _NOT_BY_A_MODEL
        for event in session.events
    )
