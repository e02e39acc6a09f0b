"""The digest: what the model reads of a session, item by item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Role(StrEnum):
    """Who speaks in an item."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One event as the model reads it; a tool call carries its result."""

    id: str
    """The event's id; a reader cites it."""
    ids: tuple[str, ...]
    """All events that the item tells: the call and its result."""
    role: Role
    at: datetime | None
    text: str
    """Rendered and redacted, `[e12] …`, no newline at the end."""
    tokens: int
    """Tokens of `text` and the newline after it."""
    paths: tuple[str, ...] = ()
    """Files that the item touches, for topic shifts and hints."""
    splittable: bool = True
    """False for words of the user, which are never cut in two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A session condensed."""

    items: tuple[Item, ...]
    chars: int
    tokens: int
    elided_chars: int
    redactions: Mapping[str, int]
    """Secrets taken out, by kind."""
