"""Whole records out of damaged lines.

Claude Code's own crashes leave cut records with the next one on the same line, two records
without a newline between them, and runs of NUL bytes (anthropics/claude-code#81843, #52387,
#49876); versions before 2.1.132 wrote lone surrogates (anthropics/claude-code#56064).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from journald.transcript.kinds import is_known_row

# Every record starts with one of these keys; inside of a string the quotes would be escaped.
_START = re.compile(r'\{"(?:parentUuid|type|uuid|sessionId|logicalParentUuid|timestamp)":')
_INK = re.compile(r"\S")
_DECODER = json.JSONDecoder(strict=False)
# A stub holds few nested objects that start like a record; the bound keeps a hostile line cheap.
_ATTEMPTS = 256
# Types whose rows carry no session id.
_WITHOUT_SESSION = frozenset({"summary", "file-history-snapshot", "file-history-delta"})

_ESCAPES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u([dD][89a-fA-F][0-9a-fA-F]{2})|\\."
)


def valid_text(data: bytes) -> bytes:
    """Return `data` as valid UTF-8, what is not replaced by U+FFFD."""
    if data.isascii():
        return data
    try:
        data.decode()
    except UnicodeDecodeError:
        return data.decode(errors="replace").encode()
    return data


def whole_characters(data: bytes) -> bytes:
    r"""Return `data` with every lone surrogate escape as `\ufffd`, which every writer can write."""
    return _ESCAPES.sub(_escape, data)


def _escape(found: re.Match[bytes]) -> bytes:
    return rb"\ufffd" if found[1] else found[0]


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a damaged line held."""

    records: tuple[bytes, ...]
    """Whole records in order, each as valid JSON."""
    complete: bool
    """Nothing but records and padding stood in the line."""


def recover(data: bytes, *, search: bool) -> Recovery:
    """Return the whole records in `data`.

    With `search`, records that begin after a damaged stretch are looked for as well; without it
    only those that the line starts with are returned.
    """
    # A NUL inside of an escape hides a lone surrogate until it is taken out.
    text = whole_characters(data.replace(b"\0", b"")).decode()
    found: list[bytes] = []
    at, trusted, complete = _next(text, 0), True, True
    attempts = 0
    while at >= 0 and attempts < _ATTEMPTS:
        value, end = _decode(text, at)
        if value is not None and (trusted or _is_record(value)):
            found.append(msgspec.json.encode(value))
            at, trusted = _next(text, end), True
            continue
        attempts += 1
        complete = False
        start = _START.search(text, at + 1 if value is None else end) if search else None
        at, trusted = (start.start() if start else -1), False
    return Recovery(tuple(found), complete and at < 0 and bool(found))


def _next(text: str, at: int) -> int:
    """Return the first place from `at` on that is not blank; -1 at the end."""
    found = _INK.search(text, at)
    return found.start() if found else -1


def _decode(text: str, at: int) -> tuple[dict[str, Any] | None, int]:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, at
    return (value if isinstance(value, dict) else None), end


def _is_record(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    return (
        isinstance(kind, str)
        and is_known_row(kind)
        and (kind in _WITHOUT_SESSION or "sessionId" in value)
    )
