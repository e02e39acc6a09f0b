"""What `journald inspect --json` prints: a documented contract that only ever grows.

Times are RFC 3339 in UTC, durations are seconds, sizes are bytes, and whatever the transcript
does not tell is null. Every text is redacted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from journald.digest.evidence import Digest
from journald.digest.names import fit_name
from journald.ledger.facts import Ledger
from journald.summary.plan import Plan
from journald.transcript.session import Event, LineCounts, Session, Usage

SCHEMA = 1

Redact: TypeAlias = Callable[[str], str]
Json: TypeAlias = dict[str, Any]


def tell_digest(digest: Digest, plan: Plan, redact: Redact) -> Json:
    """Return the part of a report that tells of the digest, which is large, and its plan."""
    return {
        "digest": {
            "chars": digest.chars,
            "tokens": digest.tokens,
            "tokens_exact": False,
            "elided_chars": digest.elided_chars,
            "redactions": dict(digest.redactions),
        },
        "plan": _plan(plan, redact),
    }


def build_report(session: Session, ledger: Ledger, digested: Json, redact: Redact) -> Json:
    """Return everything journald reads in a session before any model sees it, as JSON values.

    `digested` is what `tell_digest` told.
    """
    return {
        "schema": SCHEMA,
        **_identity(session, ledger, redact),
        **_work(ledger, redact),
        **_around(ledger, redact),
        "messages": sum(session.models.values()),
        "tokens_by_model": {
            redact(model): _tokens(usage) for model, usage in session.usage_by_model.items()
        },
        "tool_calls": _tool_calls(session, redact),
        "events": len(session.events),
        "inherited_events": session.inherited,
        "pending_calls": len(session.pending_calls),
        **digested,
    }


def _identity(session: Session, ledger: Ledger, redact: Redact) -> Json:
    return {
        "session_id": session.session_id,
        "parent": session.parent,
        "path": redact(session.path),
        "project": redact(session.project),
        "cwd": _text(session.cwd, redact),
        "branch": _text(session.branch, redact),
        "started": _time(ledger.started),
        "ended": _time(ledger.ended),
        "wall_seconds": ledger.wall.total_seconds(),
        "active_seconds": ledger.active.total_seconds(),
        "title": _text(session.title, redact),
        "versions": list(session.versions),
        "lines": _lines(session.lines, redact),
    }


def _lines(lines: LineCounts, redact: Redact) -> Json:
    return {
        "total": lines.total,
        "broken": lines.broken,
        "recovered": lines.recovered,
        "unknown": lines.unknown,
        "bytes": lines.bytes,
        "skipped_bytes": lines.skipped_bytes,
        "elided_chars": lines.elided_chars,
        "unknown_kinds": _fit(lines.unknown_kinds, redact),
        "types": _fit(lines.types, redact),
        "truncated": lines.truncated,
        "damaged_at": [{"file": redact(file), "line": line} for file, line in lines.damaged_at],
    }


def _fit(counts: Mapping[str, int], redact: Redact) -> dict[str, int]:
    """Return counts by name; names that become the same are added up."""
    fit: Counter[str] = Counter()
    for name, count in counts.items():
        fit[fit_name(name, redact)] += count
    return dict(fit)


def _tool_calls(session: Session, redact: Redact) -> dict[str, int]:
    """Return how many calls each tool had, sub-agents included, the most used first."""
    conversations: Iterable[Iterable[Event]] = (
        session.events,
        *(agent.events for agent in session.subagents),
    )
    calls = {
        event.call.call_id: redact(event.call.name)
        for events in conversations
        for event in events
        if event.call is not None
    }
    return dict(Counter(calls.values()).most_common())


def _work(ledger: Ledger, redact: Redact) -> Json:
    return {
        "requests": [
            {
                "id": request.id,
                "at": _time(request.at),
                "text": redact(request.text),
                "origin": request.origin.value,
                "withdrawn": request.withdrawn,
            }
            for request in ledger.requests
        ],
        "commands": [
            {
                "id": command.id,
                "at": _time(command.at),
                "command": redact(command.command),
                "ok": command.ok,
                "exit_status": command.exit_status,
                "stopped": command.stopped,
                "by_user": command.by_user,
            }
            for command in ledger.commands
        ],
        "files": [
            {
                "path": redact(file.path),
                "change": file.change.value,
                "added": file.added,
                "removed": file.removed,
                "exact": file.exact,
                "moved_to": _text(file.moved_to, redact),
            }
            for file in ledger.files
        ],
        "tests": [
            {
                "id": run.id,
                "at": _time(run.at),
                "command": redact(run.command),
                "passed": run.passed,
                "failed": run.failed,
                "skipped": run.skipped,
                "ok": run.ok,
            }
            for run in ledger.tests
        ],
        "commits": [
            {
                "id": commit.id,
                "at": _time(commit.at),
                "hash": commit.hash,
                "message": redact(commit.message),
                "branch": _text(commit.branch, redact),
                "kind": redact(commit.kind),
            }
            for commit in ledger.commits
        ],
        "git_acts": [
            {"id": act.id, "at": _time(act.at), "act": act.act.value, "name": redact(act.name)}
            for act in ledger.git_acts
        ],
        "shell_changes": [
            {
                "id": change.id,
                "at": _time(change.at),
                "command": redact(change.command),
                "signs": list(change.signs),
            }
            for change in ledger.shell_changes
        ],
        "pull_requests": [
            {
                "id": pull.id,
                "at": _time(pull.at),
                "number": pull.number,
                "url": redact(pull.url),
                "action": pull.action,
            }
            for pull in ledger.pull_requests
        ],
    }


def _around(ledger: Ledger, redact: Redact) -> Json:
    return {
        "errors": [
            {
                "id": failure.id,
                "at": _time(failure.at),
                "tool": failure.tool,
                "text": redact(failure.text),
                "solved_by": failure.solved_by,
            }
            for failure in ledger.errors
        ],
        "questions": [
            {
                "id": question.id,
                "at": _time(question.at),
                "question": redact(question.question),
                "answer": redact(question.answer),
            }
            for question in ledger.questions
        ],
        "fetched": [
            {
                "id": fetch.id,
                "at": _time(fetch.at),
                "url": _text(fetch.url, redact),
                "query": _text(fetch.query, redact),
                "ok": fetch.ok,
            }
            for fetch in ledger.fetched
        ],
        "subagents": [
            {
                "id": delegation.id,
                "kind": delegation.kind,
                "description": redact(delegation.description),
                "events": delegation.events,
            }
            for delegation in ledger.subagents
        ],
        "compactions": ledger.compactions,
        "interrupts": ledger.interrupts,
        "refusals": ledger.refusals,
        "refused": [
            {
                "id": refusal.id,
                "at": _time(refusal.at),
                "tool": redact(refusal.tool),
                "by": refusal.by.value,
            }
            for refusal in ledger.refused
        ],
        "model_refusals": [
            {"id": refusal.id, "at": _time(refusal.at), "text": redact(refusal.text)}
            for refusal in ledger.model_refusals
        ],
        "api_retries": ledger.api_retries,
        "api_errors": ledger.api_errors,
        "tasks": [
            {"subject": redact(task.subject), "status": redact(task.status)}
            for task in ledger.tasks
        ],
        "models": dict(ledger.models),
        "tokens": _tokens(ledger.usage),
    }


def _tokens(usage: Usage) -> Json:
    return {
        "input": usage.input,
        "output": usage.output,
        "cache_read": usage.cache_read,
        "cache_creation": usage.cache_creation,
        "output_reliable": usage.output_reliable,
    }


def _plan(plan: Plan, redact: Redact) -> Json:
    return {
        "kind": plan.kind,
        "chunks": [
            {
                "first": chunk.first,
                "last": chunk.last,
                "tokens": chunk.tokens,
                "topic": redact(chunk.topic),
            }
            for chunk in plan.chunks
        ],
    }


def _time(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _text(text: str | None, redact: Redact) -> str | None:
    return None if text is None else redact(text)
