"""Digests and ledgers for the tests of the summary; one token is one word."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from journald.digest.evidence import Digest, Item, Role
from journald.ledger.facts import Ledger, Request
from journald.transcript.session import EventKind, Origin, Session, Usage
from tests.engines import words
from tests.sessions import START


def item(
    number: int,
    role: Role = Role.TOOL,
    *,
    size: int = 10,
    at: datetime | None = None,
    paths: tuple[str, ...] = (),
    splittable: bool | None = None,
) -> Item:
    text = f"[e{number}] " + " ".join(f"w{number}x{word}" for word in range(size - 1))
    return Item(
        id=f"e{number}",
        ids=(f"e{number}",),
        role=role,
        at=at or START + timedelta(minutes=number),
        text=text,
        tokens=words(text),
        paths=paths,
        splittable=role is not Role.USER if splittable is None else splittable,
    )


def digest(items: Sequence[Item]) -> Digest:
    return Digest(
        items=tuple(items),
        chars=sum(len(one.text) for one in items),
        tokens=sum(one.tokens for one in items),
        elided_chars=0,
        redactions={},
    )


_ROLES = {
    EventKind.USER: Role.USER,
    EventKind.ASSISTANT: Role.ASSISTANT,
    EventKind.TOOL_CALL: Role.TOOL,
    EventKind.TOOL_RESULT: Role.TOOL,
}


def digest_of(session: Session) -> Digest:
    """Tell every event of a session in one item, in full."""
    items = []
    for event in session.events:
        said = event.text or (f"{event.call.name} {dict(event.call.input)}" if event.call else "")
        text = f"[{event.id}] {said}"
        items.append(
            Item(
                id=event.id,
                ids=(event.id,),
                role=_ROLES.get(event.kind, Role.NOTICE),
                at=event.at,
                text=text,
                tokens=words(text),
                splittable=event.kind is not EventKind.USER,
            )
        )
    return digest(items)


def ledger_of(session: Session, **more: Any) -> Ledger:
    """Return a ledger with the session's requests and what the test knows of it."""
    facts: dict[str, Any] = {
        "session_id": session.session_id,
        "started": None,
        "ended": None,
        "wall": timedelta(),
        "active": timedelta(),
        "days": (),
        "requests": tuple(
            Request(
                id=event.id,
                at=event.at,
                text=event.text,
                origin=event.origin or Origin.PROMPT,
                withdrawn=event.withdrawn,
            )
            for event in session.events
            if event.kind is EventKind.USER
        ),
        "slash_commands": (),
        "refusals": 0,
        "interrupts": 0,
        "compactions": 0,
        "models": {},
        "usage": Usage(),
    }
    for part in (
        "commands",
        "files",
        "tests",
        "commits",
        "pull_requests",
        "errors",
        "fetched",
        "subagents",
        "questions",
        "tasks",
    ):
        facts[part] = ()
    return Ledger(**(facts | more))
