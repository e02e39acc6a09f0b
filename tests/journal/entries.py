"""Entries for tests, made by hand."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from journald.journal.entry import Entry, build_entry
from journald.ledger.facts import (
    Change,
    Command,
    Commit,
    Delegation,
    Failure,
    Fetch,
    FileChange,
    Ledger,
    PullRequest,
    Request,
    SlashCommand,
    Task,
    TestRun,
)
from journald.summary.narrative import (
    Decision,
    Generation,
    Narrative,
    Problem,
    Scores,
    Source,
    Standing,
    Statement,
    Status,
    Summary,
)
from journald.transcript.session import Origin, Usage
from tests.sessions import START, Script

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)

# What could break out of a line, a quotation, the front matter or the generated part.
HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "---", "...", "===", "\n", "\r\n", "\r", "\n\n", "# ", "## Facts", "#tag ", "> ", "- ", "- [ ] ",
                "1. ", "    ", "\t", "```", "~~~", "````dataviewjs\n", "`", "``", "<!-- journald:end -->",
                "<!-- journald:begin title=x body=y -->", "<!--", "-->", "<script>alert(1)</script>", "<details>",
                "<% tp.file.delete() %>", "![x](http://evil.example/p.png)", "![[secret]]", "[a](http://evil.example)",
                "[a]: http://evil.example", "[a]", "[^1]", "[[link]]", "<http://evil.example>", "&lt;b&gt;", "$x$",
                "%%", "==", "| a | b |", "\\", "*", "**", "__", "'", '"', ": ", "title: x", "\x00", "\x1b[31m",
                "\u2028", "\u202e", "\ud800", "`= this`", "`$= dv`", "é", "名", "word ",
            ]
        ),
        st.text(max_size=8),
    ),
    max_size=14,
).map("".join)  # fmt: skip


def request(text: str, **more: Any) -> Request:
    settings: dict[str, Any] = {"id": "e1", "at": START, "origin": Origin.PROMPT}
    return Request(text=text, **(settings | more))


def stated(text: str, *ids: str, **more: Any) -> Statement:
    return Statement(text=text, evidence=ids or ("e1",), **more)


def ledger(**more: Any) -> Ledger:
    settings: dict[str, Any] = {
        "session_id": "s",
        "started": START,
        "ended": START + timedelta(minutes=84),
        "wall": timedelta(minutes=84),
        "active": timedelta(minutes=84),
        "days": (START.date(),),
        "requests": (request("please round the VAT"),),
        "slash_commands": (),
        "commands": (),
        "files": (),
        "tests": (),
        "commits": (),
        "pull_requests": (),
        "errors": (),
        "fetched": (),
        "subagents": (),
        "questions": (),
        "tasks": (),
        "refusals": 0,
        "interrupts": 0,
        "compactions": 0,
        "models": {"claude-test": 3},
        "usage": Usage(input=10, output=20, cache_read=30, cache_creation=40),
    }
    return Ledger(**(settings | more))


def summary(**more: Any) -> Summary:
    settings: dict[str, Any] = {
        "source": Source.MODEL,
        "title": "Add VAT rounding",
        "summary": (stated("VAT is rounded half to even."),),
    }
    narrative = Narrative(**(settings | more))
    return Summary(
        narrative=narrative,
        generation=Generation(engine="vllm", model="m", prompts="1", plan="single"),
        status=Status.COMPLETE,
    )


def entry(
    facts: Mapping[str, Any] | None = None,
    told: Mapping[str, Any] | None = None,
    session: Mapping[str, Any] | None = None,
    **more: Any,
) -> Entry:
    built = build_entry(
        Script().session(**(session or {})),
        ledger(**(facts or {})),
        summary(**(told or {})),
        fingerprint="f1",
        zone=BERLIN,
        now=NOW,
    )
    return replace(built, **more)


def full(text: str) -> Entry:
    """Return an entry that holds `text` in every place where a transcript can put one."""
    said = stated(text, "e1", text)
    quoted = stated(text, "e2", standing=Standing.QUOTED, about=text)
    return entry(
        facts={
            "requests": (request(text), request(f"{text}\n{text}", id=text), request("x" * 300)),
            "slash_commands": (SlashCommand(id="e3", at=None, text=text),),
            "commands": (
                Command(id="e4", at=START, command=text, ok=False, exit_status=1),
                Command(id="e5", at=None, command=text, ok=True, exit_status=0, by_user=True),
            ),
            "files": (
                FileChange(path=text, change=Change.EDITED, added=1, removed=2, ids=("e6",)),
            ),
            "tests": (
                TestRun(id="e7", at=START, command=text, runner=text, passed=1, failed=0, ok=True),
            ),
            "commits": (Commit(id="e8", at=START, hash=text, message=text),),
            "pull_requests": (PullRequest(id="e9", number=1, url=text, action=text),),
            "errors": (Failure(id="e10", at=START, tool=text, text=text, solved_by="e11"),),
            "fetched": (
                Fetch(id="e12", at=START, url=text, query=None, ok=False),
                Fetch(id="e13", at=START, url=None, query=text, ok=True),
            ),
            "subagents": (
                Delegation(id="e14", at=START, kind=text, description=text, events=2, outcome=text),
            ),
            "tasks": (Task(subject=text, status=text),),
            "models": {text: 1, "m": 2},
        },
        told={
            "source": Source.MIXED,
            "title": text,
            "summary": (said, quoted, said),
            "story": (quoted, said),
            "decisions": (Decision(decision=said, reason=text, alternatives=text),),
            "problems": (Problem(symptom=quoted, cause=text, fix=text, solved=False),),
            "lessons": (stated(text, standing=Standing.UNVERIFIED),),
            "open_threads": (quoted,),
            "scores": Scores(statements=3, kept=2, dropped=1),
        },
        session={
            "project": text,
            "branch": text,
            "path": text,
            "tags": (text,),
            "versions": (text,),
            "parent": text,
        },
        reason=text,
        status=Status.NARRATIVE_PENDING,
    )
