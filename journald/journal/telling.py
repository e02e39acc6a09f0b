"""The sections that tell: summary, requests, story, decisions, problems, lessons, open threads."""

from __future__ import annotations

from collections.abc import Sequence

from journald.journal.entry import Entry
from journald.journal.pen import Pen, section
from journald.ledger.facts import Request, SlashCommand
from journald.summary.narrative import Decision, Problem, Source, Standing, Statement
from journald.transcript.session import Origin

_ONE_LINE = 200
_PASTED = 1500
_SLASH_COMMANDS = 30
_HOW = {
    Origin.QUEUED: "while it worked",
    Origin.REJECTION: "refusing a tool call",
    Origin.APPROVAL: "approving a tool call",
    Origin.ANSWER: "answering a question",
    Origin.PLAN: "accepting the model's plan",
}


def telling(entry: Entry, pen: Pen) -> list[str]:
    """Return the lines of all sections that tell; empty ones are left out."""
    narrative = entry.narrative
    # Where everything is quoted, the entry's head has said so.
    marked = narrative.source is not Source.EXTRACTIVE
    return [
        *section("Summary", _prose(narrative.summary, pen, together=True)),
        *section("What was asked", _asked(entry, pen)),
        *section("Story", _prose(narrative.story, pen, together=False)),
        *section("Decisions", _decisions(narrative.decisions, pen, marked=marked)),
        *section("Problems and fixes", _problems(narrative.problems, pen, marked=marked)),
        *section("Lessons", _list(narrative.lessons, pen, marked=True)),
        *section("Open threads", _list(narrative.open_threads, pen, marked=True)),
    ]


def _prose(statements: Sequence[Statement], pen: Pen, *, together: bool) -> list[str]:
    """Return quotations as blocks, and the statements between them as paragraphs."""
    blocks: list[list[str]] = []
    in_paragraph = False
    for statement in statements:
        if statement.standing is Standing.QUOTED:
            blocks.append(_quoted(statement, pen))
            in_paragraph = False
            continue
        line = _stated(statement, pen, marked=True)
        if together and in_paragraph:
            blocks[-1].append(line)
        else:
            blocks.append([line])
        in_paragraph = True
    return _separated(blocks)


def _separated(blocks: Sequence[Sequence[str]]) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        lines += [*([""] if lines else []), *block]
    return lines


def _quoted(statement: Statement, pen: Pen) -> list[str]:
    lines = pen.quote(statement.text)
    refs = pen.refs(statement.evidence)
    if statement.about:
        return [f"**{_strong(statement.about, pen)}**{refs}", "", *lines]
    if refs and not lines[-1].startswith("> `"):
        return [*lines[:-1], f"{lines[-1]}{refs}"]
    return [*lines, f">{refs}"] if refs else lines


def _strong(text: str, pen: Pen) -> str:
    return pen.literal(text, within=True).replace("*", "\\*")


def _stated(statement: Statement, pen: Pen, *, marked: bool) -> str:
    text = pen.words(statement.text)
    if statement.standing is Standing.QUOTED and marked:
        text = f"“{text}”"
    elif statement.standing is Standing.UNVERIFIED:
        text = f"{text} *(unverified)*"
    return f"{text}{pen.refs(statement.evidence)}"


def _list(statements: Sequence[Statement], pen: Pen, *, marked: bool) -> list[str]:
    return [f"- {_stated(statement, pen, marked=marked)}" for statement in statements]


def _decisions(decisions: Sequence[Decision], pen: Pen, *, marked: bool) -> list[str]:
    lines: list[str] = []
    for decision in decisions:
        lines.append(f"- {_stated(decision.decision, pen, marked=marked)}")
        if decision.reason.strip():
            lines.append(f"  - why: {pen.words(decision.reason)}")
        if decision.alternatives.strip():
            lines.append(f"  - also considered: {pen.words(decision.alternatives)}")
    return lines


def _problems(problems: Sequence[Problem], pen: Pen, *, marked: bool) -> list[str]:
    lines: list[str] = []
    for problem in problems:
        unsolved = " *(not solved)*" if problem.solved is False and not problem.fix.strip() else ""
        lines.append(f"- {_stated(problem.symptom, pen, marked=marked)}{unsolved}")
        if problem.cause.strip():
            lines.append(f"  - cause: {pen.words(problem.cause)}")
        if problem.fix.strip():
            lines.append(f"  - {_outcome(problem)}: {pen.words(problem.fix)}")
    return lines


def _outcome(problem: Problem) -> str:
    if problem.solved is None:
        return "fix"
    return "solved" if problem.solved else "tried, not solved"


def _asked(entry: Entry, pen: Pen) -> list[str]:
    lines: list[str] = []
    # The arguments of a command are words of the user, and may be all that they asked.
    spoken = [command for command in entry.ledger.slash_commands if " " in command.text.strip()]
    asked: list[Request | SlashCommand] = [*entry.ledger.requests, *spoken]
    for request in sorted(asked, key=lambda one: _number(one.id)):
        lines += _request(request, pen)
    commands = [
        pen.code(command.text) for command in entry.ledger.slash_commands if command not in spoken
    ]
    if commands:
        shown = list(dict.fromkeys(commands))
        more = len(shown) - _SLASH_COMMANDS
        tail = f" and {more} more" if more > 0 else ""
        lines.append(f"- slash commands: {', '.join(shown[:_SLASH_COMMANDS])}{tail}")
    return lines


def _number(event_id: str) -> int:
    digits = event_id.removeprefix("e")
    return int(digits) if digits.isdecimal() else 0


def _how(request: Request | SlashCommand) -> list[str]:
    if isinstance(request, SlashCommand):
        return ["as a command"]
    how = [_HOW[request.origin]] if request.origin in _HOW else []
    if request.withdrawn:
        how.append("withdrawn later")
    if request.images:
        how.append("with 1 picture" if request.images == 1 else f"with {request.images} pictures")
    return how


def _request(request: Request | SlashCommand, pen: Pen) -> list[str]:
    """Return a request as a list item: on its line when it is short, else quoted below it."""
    how = _how(request)
    time = pen.time(request.at)
    head = " ".join(
        part
        for part in (f"**{time}**" if time else "", f"*({', '.join(how)})*" if how else "")
        if part
    )
    # Only what can stand on the line is made inert as a line: pasted text can be megabytes. A cut
    # may end in a space that goes, hence two more.
    text = pen.literal(request.text, _ONE_LINE + 2)
    lead = f"{head} " if head else ""
    refs = pen.refs((request.id,))
    if not text:
        return [f"- {lead}*no words*{refs}"]
    if len(text) <= _ONE_LINE and "\n" not in request.text.strip():
        return [f"- {lead}{text}{refs}"]
    quoted = pen.quote(request.text, limit=_PASTED, literal=True)
    return [f"- {head}{refs}".rstrip(), *(f"  {line}" for line in quoted)]
