"""The narrative without a model: the session's own words, quoted, and what code can tell.

Everything verbatim passes the redactor before it is cut, so that no secret loses the shape by
which it is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from journald.digest.redact import Redactor
from journald.ledger.facts import Ledger
from journald.summary.findings import decisions, open_threads, problems
from journald.summary.narrative import Narrative, Source, Standing, Statement
from journald.summary.quoting import closing, plain_line
from journald.summary.turns import Turn, turns
from journald.summary.words import opening
from journald.transcript.session import EventKind, NoticeKind, Session

_TITLE_CHARS = 72
_ABOUT_CHARS = 90
_SUMMARY_CHARS = 800
# A long session gets shorter quotations, so that its entry can still be read.
_STORY_CHARS = 12000
_LONGEST_QUOTE = 450
_SHORTEST_QUOTE = 240
_GREETING_WORDS = 2
# Code up to so many lines is quoted; more is left out.
_CODE_LINES = 8
_STORY_CODE_LINES = 4


def narrate(session: Session, ledger: Ledger, redactor: Redactor) -> Narrative:
    """Tell a session in its own words; statements are QUOTED, or facts of the ledger.

    `redactor` knows the session's own texts, so that a secret given away in one place is redacted
    in all of them.
    """
    told = turns(session)
    summary = _recap(session, told, redactor)
    ended_by: Turn | None = None
    if summary is None:
        ended_by = next((turn for turn in reversed(told) if turn.answer is not None), None)
        summary = _ending(ended_by, redactor) if ended_by else _nothing_said(session, ledger)
    return Narrative(
        source=Source.EXTRACTIVE,
        title=title(session, told, redactor),
        summary=(*_outcome(ledger), summary),
        # The turn that the summary quotes is not told twice.
        story=_story([turn for turn in told if turn is not ended_by], redactor),
        decisions=decisions(session, ledger, redactor),
        problems=problems(ledger, redactor),
        open_threads=open_threads(session, ledger, told, redactor),
    )


def title(session: Session, told: Sequence[Turn], redactor: Redactor) -> str:
    """Return the session's own title, else the first thing that was really asked for."""
    asked = [event.text for turn in told for event in turn.asked]
    asked.sort(key=lambda text: len(text.split()) <= _GREETING_WORDS)
    for text in (session.title or "", *asked):
        line = opening(plain_line(redactor.clean(text)), _TITLE_CHARS)
        if line:
            return line
    return f"Session in {plain_line(session.project)}" if session.project else "Session"


def _outcome(ledger: Ledger) -> tuple[Statement, ...]:
    """Return in one sentence what came of the session, as far as code can tell."""
    parts = []
    if ledger.files:
        added = sum(change.added for change in ledger.files)
        removed = sum(change.removed for change in ledger.files)
        parts.append(f"{_counted(len(ledger.files), 'file')} changed (+{added} -{removed})")
    told = [run for run in ledger.tests if run.ok is not None]
    if told:
        parts.append(f"the last test run {'passed' if told[-1].ok else 'failed'}")
    if ledger.commits:
        parts.append(_counted(len(ledger.commits), "commit"))
    if not parts:
        return ()
    requests = _counted(len(ledger.requests), "request")
    ids = [told[-1].id] if told else []
    ids += [commit.id for commit in ledger.commits[-1:]]
    return (Statement(text=f"{requests}: {', '.join(parts)}.", evidence=tuple(ids)),)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _recap(session: Session, told: Sequence[Turn], redactor: Redactor) -> Statement | None:
    """Return Claude Code's own last recap, without its advice on how to turn recaps off.

    A recap that more work followed is no summary any more.
    """
    recaps = [event for event in session.events if event.notice is NoticeKind.RECAP]
    if not recaps or not recaps[-1].text.strip():
        return None
    last_answer = next((turn.answer for turn in reversed(told) if turn.answer is not None), None)
    if last_answer is not None and last_answer.line > recaps[-1].line:
        return None
    text = redactor.clean(recaps[-1].text).strip().removesuffix("(disable recaps in /config)")
    return Statement(text=text.strip(), evidence=(recaps[-1].id,), standing=Standing.QUOTED)


def _ending(turn: Turn, redactor: Redactor) -> Statement:
    return _quotation(turn, redactor, _SUMMARY_CHARS, code_lines=_CODE_LINES)


def _nothing_said(session: Session, ledger: Ledger) -> Statement:
    calls = sum(event.kind is EventKind.TOOL_CALL for event in session.events)
    asked = len(ledger.requests)
    requests = _counted(asked, "request")
    ids = [request.id for request in ledger.requests[:1]] or [
        event.id for event in session.events[:1]
    ]
    used = f"; {calls} tool call{'s' if calls > 1 else ''}" if calls else ""
    return Statement(
        text=f"{requests}, and no answer in words{used}.".capitalize(), evidence=tuple(ids)
    )


def _story(told: list[Turn], redactor: Redactor) -> tuple[Statement, ...]:
    answered = [turn for turn in told if turn.answer is not None]
    limit = min(_LONGEST_QUOTE, max(_SHORTEST_QUOTE, _STORY_CHARS // max(1, len(answered))))
    return tuple(
        _quotation(turn, redactor, limit, code_lines=_STORY_CODE_LINES) for turn in answered
    )


def _quotation(turn: Turn, redactor: Redactor, limit: int, *, code_lines: int = 0) -> Statement:
    answer = redactor.clean(turn.answer.text) if turn.answer else ""
    return Statement(
        text=closing(answer, limit, code_lines=code_lines),
        evidence=turn.ids,
        standing=Standing.QUOTED,
        about=opening(plain_line(redactor.clean(turn.subject)), _ABOUT_CHARS),
    )
