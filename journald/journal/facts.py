"""The section of facts: what code alone can tell of a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from journald.digest.names import fit_name
from journald.journal.changes import files, git_acts
from journald.journal.durations import amount, counted, span, spoken
from journald.journal.entry import Entry
from journald.journal.pen import Pen, capped, section
from journald.ledger.facts import (
    Command,
    Commit,
    Delegation,
    Failure,
    Fetch,
    Ledger,
    PullRequest,
    Refuser,
    Task,
    TestRun,
)

_COMMANDS = 15
_TESTS = 12
_COMMITS = 40
_ERRORS = 10
_PAGES = 20
_DELEGATIONS = 20
_TASKS = 30
_KINDS = 3
_OUTCOME_CHARS = 200
_COMMAND_CHARS = 160
_TEXT_CHARS = 200
_HASH_CHARS = 10
_REFUSERS = {
    Refuser.HUMAN: "by the user",
    Refuser.RULE: "by a rule",
    Refuser.AUTO_MODE: "by the auto mode",
    Refuser.HOOK: "by a hook",
}
_DONE = {"completed": "✓", "in_progress": "◐", "pending": "○"}


def facts(entry: Entry, pen: Pen) -> list[str]:
    """Return the lines of the section of facts."""
    ledger = entry.ledger
    parts = (
        ("Files", files(ledger, pen)),
        ("Commands", _commands(ledger, pen)),
        ("Tests", _tests(ledger.tests, pen)),
        ("Commits, branches and pull requests", _commits(ledger, pen)),
        ("Errors", _errors(ledger, pen)),
        ("Pages", _pages(ledger.fetched, pen)),
        ("Delegated work", _delegations(ledger.subagents, pen)),
        ("Tasks", _tasks(ledger, pen)),
        ("Times and tokens", _times(entry, pen)),
    )
    return ["## Facts", "", *(line for name, lines in parts for line in section(name, lines, 3))]


def _commands(ledger: Ledger, pen: Pen) -> list[str]:
    """Return how many commands ran, and those worth seeing: the user's own, and failed ones."""
    commands = ledger.commands
    if not commands:
        return []
    tests = {test.id for test in ledger.tests}
    failed = [one for one in commands if one.ok is False]
    shown = [one for one in commands if one.by_user or (one.ok is False and one.id not in tests)]
    solved = {failure.id: failure.solved_by for failure in ledger.errors}
    lines = [_command(one, solved.get(one.id), pen) for one in shown]
    sum_up = f"{counted(len(commands), 'command')} ran"
    if failed:
        sum_up = f"{sum_up}, {len(failed)} of them failed"
    stopped = sum(one.stopped for one in commands)
    if stopped:
        sum_up = f"{sum_up}, {stopped} stopped"
    return [f"{sum_up}.", *([""] if lines else []), *capped(lines, _COMMANDS, _more("command"))]


def _command(command: Command, solved_by: str | None, pen: Pen) -> str:
    status = ""
    if command.ok is False:
        status = " failed" if command.exit_status is None else f" exit {command.exit_status}"
    who = " *(typed by the user)*" if command.by_user else ""
    shown = pen.code(command.command, _COMMAND_CHARS)
    solved = f", solved{pen.refs((solved_by,))}" if solved_by else ""
    return f"- {_at(pen.time(command.at))}{shown}{status}{who}{pen.refs((command.id,))}{solved}"


def _at(time: str) -> str:
    return f"{time} " if time else ""


def _more(noun: str) -> Callable[[int], str]:
    return lambda number: f"and {counted(number, f'more {noun}')}"


def _tests(tests: Sequence[TestRun], pen: Pen) -> list[str]:
    """Return the runs of the tests; of many, the last ones, for they tell how it ended."""
    lines = [_test(run, pen) for run in tests]
    if len(lines) <= _TESTS + 1:
        return lines
    earlier = tests[: len(tests) - _TESTS]
    failed = sum(run.ok is False for run in earlier)
    return [f"- {counted(len(earlier), 'earlier run')}, {failed} of them failed", *lines[-_TESTS:]]


def _test(run: TestRun, pen: Pen) -> str:
    counts = [
        f"{number:,} {word}"
        for number, word in (
            (run.passed, "passed"),
            (run.failed, "failed"),
            (run.skipped or None, "skipped"),
        )
        if number is not None
    ]
    # Where successes were not counted, the number of failures alone tells little.
    if run.passed is None and not run.failed:
        counts = [{True: "passed", False: "failed", None: "no result seen"}[run.ok]]
    elif run.ok is False and not run.failed:
        counts.append("but the run failed")
    result = ", ".join(counts)
    shown = pen.code(run.command, _COMMAND_CHARS)
    return f"- {_at(pen.time(run.at))}{shown}: {result}{pen.refs((run.id,))}"


def _commits(ledger: Ledger, pen: Pen) -> list[str]:
    commits = [_commit(commit, pen) for commit in ledger.commits]
    pulls = [_pull(pull, pen) for pull in ledger.pull_requests]
    acts = git_acts(ledger.git_acts, pen)
    return [*capped(commits, _COMMITS, _more("commit")), *acts, *pulls]


def _pull(pull: PullRequest, pen: Pen) -> str:
    number = f" #{pull.number}" if pull.number else ""
    refs = pen.refs((pull.id,) if pull.id else ())
    told = f"pull request{number} {pen.literal(pull.action)} {pen.address(pull.url)}"
    return f"- {_at(pen.time(pull.at))}{told}{refs}"


def _commit(commit: Commit, pen: Pen) -> str:
    subject = pen.literal(commit.message.strip().partition("\n")[0], _TEXT_CHARS)
    hash_ = pen.code(commit.hash[:_HASH_CHARS])
    kind = "" if commit.kind == "committed" else f" ({pen.literal(commit.kind)})"
    return f"- {_at(pen.time(commit.at))}{hash_} {subject}{kind}{pen.refs((commit.id,))}"


def _errors(ledger: Ledger, pen: Pen) -> list[str]:
    """Return the failed tool calls that commands and tests do not tell already."""
    told = {command.id for command in ledger.commands if command.ok is False}
    told |= {run.id for run in ledger.tests}
    left = [failure for failure in ledger.errors if failure.id not in told]
    refusals = [
        f"- {_at(pen.time(refusal.at))}the model refused, or another one took over:"
        f" {pen.literal(refusal.text, _TEXT_CHARS)}{pen.refs((refusal.id,))}"
        for refusal in ledger.model_refusals
    ]
    return [
        *capped([_error(failure, pen) for failure in left], _ERRORS, _more("error")),
        *capped(refusals, _ERRORS, _more("refusal")),
    ]


def _error(failure: Failure, pen: Pen) -> str:
    solved = f", solved{pen.refs((failure.solved_by,))}" if failure.solved_by else ""
    text = pen.literal(failure.text, _TEXT_CHARS)
    tool = pen.code(failure.tool)
    return f"- {_at(pen.time(failure.at))}{tool}: {text}{pen.refs((failure.id,))}{solved}"


def _pages(fetched: Sequence[Fetch], pen: Pen) -> list[str]:
    def line(fetch: Fetch) -> str:
        what = (
            pen.address(fetch.url) if fetch.url else f"searched: {pen.literal(fetch.query or '')}"
        )
        return f"- {what}{'' if fetch.ok else ' (failed)'}{pen.refs((fetch.id,))}"

    return capped([line(fetch) for fetch in fetched], _PAGES, _more("page"))


def _delegations(delegations: Sequence[Delegation], pen: Pen) -> list[str]:
    lines = [_delegation(delegation, pen) for delegation in delegations]
    return capped(lines, _DELEGATIONS, _more("sub-agent"))


def _delegation(delegation: Delegation, pen: Pen) -> str:
    kind = f" ({pen.literal(delegation.kind)})" if delegation.kind else ""
    what = pen.literal(delegation.description, _TEXT_CHARS, within=True) or "a sub-agent"
    # Its opening words; a report is too long, and its Markdown makes no sense on one line.
    opening = _first_words(delegation.outcome)
    outcome = pen.literal(opening, _OUTCOME_CHARS, within=True)
    told = f"  \n  “{outcome}”" if outcome else ""
    events = f", {counted(delegation.events, 'event')}" if delegation.events else ""
    return f"- **{what}**{kind}{events}{pen.refs((delegation.id,))}{told}"


def _first_words(report: str) -> str:
    """Return the first paragraph that says something; headings and announcements say nothing."""
    paragraphs = [part.strip() for part in report.split("\n\n") if part.strip()]
    telling = (
        part for part in paragraphs if not part.startswith(("#", "---")) and not part.endswith(":")
    )
    return next(telling, paragraphs[0] if paragraphs else "")


def _tasks(ledger: Ledger, pen: Pen) -> list[str]:
    return capped([_task(task, pen) for task in ledger.tasks], _TASKS, _more("task"))


def _task(task: Task, pen: Pen) -> str:
    sign = _DONE.get(task.status, "○")
    subject = pen.literal(task.subject, _TEXT_CHARS)
    if task.status == "completed":
        return f"- {sign} {subject}"
    return f"- {sign} {subject} ({pen.literal(task.status.replace('_', ' '))})"


def _times(entry: Entry, pen: Pen) -> list[str]:
    return [f"- {line}" for line in (*_when(entry), *_what_ran(entry, pen), *_reading(entry, pen))]


def _when(entry: Entry) -> Iterator[str]:
    if entry.started and entry.ended:
        days = len(entry.ledger.days)
        over = f" on {counted(days, 'day')}" if days > 1 else ""
        yield (
            f"{span(entry.started, entry.ended)} (UTC{entry.started.isoformat()[-6:]}):"
            f" {spoken(entry.active)} active of {spoken(entry.wall)}{over}"
        )
    else:
        yield "The transcript has no valid time."


def _what_ran(entry: Entry, pen: Pen) -> Iterator[str]:
    models = ", ".join(
        f"{pen.code(name)} {counted(number, 'message')}" for name, number in entry.models.items()
    )
    if models:
        yield f"models: {models}"
    usage = entry.usage
    if any((usage.input, usage.output, usage.cache_read, usage.cache_creation)):
        # Versions before 2.1.97 left placeholders for the output while it was streamed.
        doubt = "" if usage.output_reliable else " (output at least)"
        yield (
            f"tokens: {amount(usage.input)} in, {amount(usage.output)} out, cache"
            f" {amount(usage.cache_creation)} written and {amount(usage.cache_read)} read{doubt}"
        )
    ledger = entry.ledger
    counts = (
        (ledger.compactions, "compaction", None),
        (ledger.interrupts, "interruption", None),
        (ledger.refusals, f"refused tool call{_by_whom(ledger)}", _refused(ledger)),
        (ledger.api_retries, "error of the API, tried again", "errors of the API, tried again"),
        (ledger.api_errors, "error of the API", "errors of the API"),
        (entry.pending_calls, "tool call without a result", "tool calls without a result"),
    )
    told = [counted(number, noun, plural) for number, noun, plural in counts if number]
    if told:
        yield ", ".join(told)


def _by_whom(ledger: Ledger) -> str:
    """Return who refused tool calls, in brackets; nothing where it was the user alone."""
    by = Counter(refusal.by for refusal in ledger.refused)
    if not by or set(by) == {Refuser.HUMAN}:
        return ""
    return f" ({', '.join(f'{number} {_REFUSERS[one]}' for one, number in by.items())})"


def _refused(ledger: Ledger) -> str:
    return f"refused tool calls{_by_whom(ledger)}"


def _reading(entry: Entry, pen: Pen) -> Iterator[str]:
    if entry.parent:
        yield (
            f"continues session {pen.code(entry.parent)};"
            f" {counted(entry.inherited, 'event')} of it, copied here, left out"
        )
    if entry.versions:
        yield f"Claude Code {', '.join(pen.literal(version) for version in entry.versions)}"
    lines = entry.lines
    doubts = [
        f"{number:,} {what}"
        for number, what in (
            (lines.broken, "unreadable"),
            (lines.recovered, "damaged but read"),
            (lines.unknown, f"of an unknown kind{_kinds(lines.unknown_kinds, pen)}"),
        )
        if number
    ]
    if lines.skipped_bytes:
        doubts.append(f"{lines.skipped_bytes:,} bytes too long to read")
    if lines.elided_chars:
        doubts.append(f"{lines.elided_chars:,} characters of tool calls and results left out")
    if lines.truncated:
        doubts.append("the last one cut off")
    if doubts:
        where = "; ".join(f"line {line} of {pen.code(file)}" for file, line in lines.damaged_at)
        yield (
            f"the transcript has {counted(lines.total, 'line')}: {', '.join(doubts)}"
            f"{f'; see {where}' if where else ''}"
        )


def _kinds(kinds: Mapping[str, int], pen: Pen) -> str:
    """Return the names of the kinds that were met most, in brackets; none for none."""
    ordered = sorted(kinds, key=lambda name: -kinds[name])
    names = dict.fromkeys(fit_name(name, pen.redact) for name in ordered)
    shown = [pen.code(name) for name in [*names][:_KINDS]]
    more = ", …" if len(names) > _KINDS else ""
    return f" ({', '.join(shown)}{more})" if shown else ""
