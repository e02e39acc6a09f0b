"""What code alone can tell beyond the facts: decisions, problems, and what was left open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from journald.digest.redact import Redactor
from journald.ledger.facts import Failure, Ledger
from journald.summary.narrative import Decision, Problem, Standing, Statement
from journald.summary.quoting import gist, last_question, plain_line
from journald.summary.turns import Turn
from journald.summary.words import opening
from journald.transcript.session import Event, EventKind, NoticeKind, Origin, Session, ToolCall

_DECISION_CHARS = 300
_LINE_CHARS = 200
_COMMAND_CHARS = 80
_PROBLEMS = 8
_TASKS = 12
_DONE = frozenset({"completed", "done", "deleted", "cancelled", "canceled"})
_TASK_TOOLS = frozenset({"TodoWrite", "TaskCreate", "TaskUpdate"})
# Slips of the model in using its tools; they are among the facts, but they are no story.
_SLIPS = re.compile(
    r"tool_use_error|has not been read yet|modified since|String to replace not found"
    r"|File does not exist|exceeds maximum allowed|InputValidationError|EISDIR|is not found in file"
    r"|No such tool available|Sibling tool call errored|matches of the string to replace"
    r"|doesn't want to (?:proceed|take)|was rejected|haven't granted|requires approval"
    r"|chose to stay in plan mode",
    re.IGNORECASE,
)
_TELLING = re.compile(
    r"\b\w*(?:Error|Exception)\b\s*:|\berror(?:\[\w+\])?:|\bfatal:|^E\s{2,}\S|\bFAIL(?:ED|URE)?\b"
    r"|\bpanic:|not found|no matches found|No such file|denied"
    r"|refused|cannot|can't|unable to|timed? ?out|undefined"
    r"|^\S+:\d+(?::\d+)?:",
    re.IGNORECASE,
)
# Put below an output by Claude Code, so that the model may ask for it again.
_TRAILER = re.compile(r"\[rerun: \w+\]\Z")
_HINT = re.compile(r"\A(?:hint|note|help|warning):|\AError:?\Z", re.IGNORECASE)
# A look that finds nothing is no problem.
_LOOKING = re.compile(
    r"\A\s*(?:cd \S+ *(?:&&|;) *)?(?:ls|which|find|grep|rg|cat|head|tail|stat|test|pwd|type)\b"
)
_EXIT_CODE = re.compile(r"\AExit code \d+\s*")


def decisions(session: Session, ledger: Ledger, redactor: Redactor) -> tuple[Decision, ...]:
    """Return what the human decided: answers to questions, accepted plans, refusals."""
    found: list[tuple[str, str]] = []
    refused = _refused(session)
    for question in ledger.questions:
        if question.answer.strip():
            asked = gist(redactor.clean(question.question), _DECISION_CHARS)
            answer = gist(redactor.clean(question.answer), _DECISION_CHARS)
            found.append((question.id, f"{asked} → {answer}" if asked else answer))
    for request in ledger.requests:
        words = redactor.clean(request.text)
        if request.withdrawn or not words.strip():
            continue
        if request.origin is Origin.PLAN:
            plan = opening(plain_line(words), _LINE_CHARS)
            found.append((request.id, f"Plan accepted: {plan}"))
        elif request.origin is Origin.REJECTION:
            what = _named(refused[request.id], redactor) if request.id in refused else ""
            said = gist(words, _DECISION_CHARS)
            found.append((request.id, f"Refused {what}: {said}" if what else f"Refused: {said}"))
    places = {event.id: index for index, event in enumerate(session.events)}
    found.sort(key=lambda pair: places.get(pair[0], len(places)))
    return tuple(
        Decision(decision=Statement(text=text, evidence=(event_id,), standing=Standing.QUOTED))
        for event_id, text in found
    )


def _refused(session: Session) -> Mapping[str, ToolCall]:
    """Return what was refused, by the id of the words that came with the refusal."""
    calls = {event.call.call_id: event.call for event in session.events if event.call}
    found: dict[str, ToolCall] = {}
    call: ToolCall | None = None
    for event in session.events:
        if event.result and event.result.rejected:
            call = calls.get(event.result.call_id)
        elif event.origin is Origin.REJECTION and call is not None:
            found[event.id] = call
            call = None
    return found


def _named(call: ToolCall, redactor: Redactor) -> str:
    """Say in a few words what a tool call was to do."""
    if call.name == "ExitPlanMode":
        return "the plan"
    command, path = call.input.get("command"), call.input.get("file_path")
    if isinstance(command, str) and command.strip():
        line = " ".join(redactor.clean(command).replace("`", "").split())
        return f"`{opening(line, _COMMAND_CHARS)}`"
    if isinstance(path, str) and path.strip():
        name = redactor.clean(path).replace("`", "").replace("\\", "/").rpartition("/")[2]
        return f"{call.name} of `{name}`"
    return call.name


def problems(ledger: Ledger, redactor: Redactor) -> tuple[Problem, ...]:
    """Return what failed, the same failure once; of many, those that stayed unsolved first."""
    commands = {command.id: command.command for command in ledger.commands}
    grouped: dict[str, list[Failure]] = {}
    for failure in ledger.errors:
        looking = _LOOKING.match(commands.get(failure.id, ""))
        if not looking and not _SLIPS.search(failure.text):
            line = opening(_telling_line(redactor.clean(failure.text)), _LINE_CHARS)
            if line:
                grouped.setdefault(line, []).append(failure)
    ranked = sorted(grouped.items(), key=lambda group: (_solution(group[1]) != "", -len(group[1])))
    chosen = {line for line, _ in ranked[:_PROBLEMS]}
    found = []
    for line, failures in grouped.items():
        if line in chosen:
            command = redactor.clean(commands.get(failures[0].id, ""))
            found.append(_problem(line, failures, opening(command, _COMMAND_CHARS)))
    return tuple(found)


def _problem(line: str, failures: Sequence[Failure], command: str) -> Problem:
    solution = _solution(failures)
    where = f"`{command.replace('`', '')}`" if command else failures[0].tool
    times = f" ({len(failures)} times)" if len(failures) > 1 else ""
    ids = [failure.id for failure in failures][:5]
    return Problem(
        symptom=Statement(
            text=f"{where}: {line}{times}",
            evidence=tuple([*ids, solution] if solution else ids),
            standing=Standing.QUOTED,
        ),
        fix="The same command succeeded later." if solution else "",
        solved=True if solution else None,
    )


def _solution(failures: Sequence[Failure]) -> str:
    return failures[-1].solved_by or ""


def _telling_line(text: str) -> str:
    """Return the line of an error's text that says most, the last of several for a stack trace."""
    # Hooks report with their newlines escaped.
    text = _EXIT_CODE.sub("", text.strip()).replace("\\n", "\n")
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if not _TRAILER.match(line)]
    lines = [line for line in lines if any(char.isalnum() for char in line)]
    lines = [line for line in lines if not _HINT.search(line)] or lines
    telling = [index for index, line in enumerate(lines) if _TELLING.search(line)]
    if telling:
        at = telling[-1] if text.startswith("Traceback") else telling[0]
    elif lines:
        at = 0 if lines[0].endswith(":") else len(lines) - 1
    else:
        return ""
    # A line that announces says nothing without the one after it.
    return " ".join(lines[at : at + 2]) if lines[at].endswith(":") else lines[at]


def open_threads(
    session: Session, ledger: Ledger, told: Sequence[Turn], redactor: Redactor
) -> tuple[Statement, ...]:
    """Return what was left undone or unanswered when the session went silent."""
    return (
        *_unanswered(told, redactor),
        *_broken_off(session),
        *_failing_tests(ledger, redactor),
        *_tasks(session, ledger, redactor),
    )


def _unanswered(told: Sequence[Turn], redactor: Redactor) -> Iterator[Statement]:
    if not told:
        return
    last = told[-1]
    if last.answer is None and last.asked:
        words = gist(redactor.clean(last.asked[-1].text), _DECISION_CHARS)
        yield Statement(text=f"Not answered in words: {words}", evidence=last.ids)
    elif last.answer is not None and last.last is last.answer:
        question = last_question(redactor.clean(last.answer.text))
        if question:
            yield Statement(text=question, evidence=(last.answer.id,), standing=Standing.QUOTED)


def _broken_off(session: Session) -> Iterator[Statement]:
    events = [event for event in session.events if not event.withdrawn]
    pending = frozenset(session.pending_calls)
    waiting = [event for event in events if event.call and {event.id, event.call.call_id} & pending]
    if waiting:
        names = ", ".join(dict.fromkeys(_tool(event) for event in waiting))
        yield Statement(
            text=f"The session ended before a result came back from {names}.",
            evidence=tuple(event.id for event in waiting[:5]),
        )
    ends = {
        NoticeKind.INTERRUPT: "The session ended with an interruption by the user.",
        NoticeKind.API_ERROR: "The session ended with an error of the API.",
    }
    if events and events[-1].notice in ends:
        yield Statement(text=ends[events[-1].notice], evidence=(events[-1].id,))


def _tool(event: Event) -> str:
    return event.call.name if event.call else ""


def _failing_tests(ledger: Ledger, redactor: Redactor) -> Iterator[Statement]:
    last = ledger.tests[-1] if ledger.tests else None
    if last is not None and last.ok is False:
        command = opening(redactor.clean(last.command).replace("`", ""), _COMMAND_CHARS)
        number = f" ({last.failed} failed)" if last.failed else ""
        yield Statement(
            text=f"The last run of the tests failed{number}: `{command}`", evidence=(last.id,)
        )


def _tasks(session: Session, ledger: Ledger, redactor: Redactor) -> Iterator[Statement]:
    left = [task for task in ledger.tasks if task.status not in _DONE]
    listed = [
        event
        for event in session.events
        if event.kind is EventKind.TOOL_CALL and _tool(event) in _TASK_TOOLS
    ]
    evidence = tuple(event.id for event in (listed or session.events)[-1:])
    for task in left[:_TASKS]:
        words = opening(plain_line(redactor.clean(task.subject)), _LINE_CHARS)
        status = task.status.replace("_", " ")
        yield Statement(text=f"{words} ({status})", evidence=evidence)
    if len(left) > _TASKS:
        yield Statement(
            text=f"{len(left) - _TASKS} more tasks were not completed.", evidence=evidence
        )
