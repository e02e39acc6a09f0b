"""System rows: compactions, API errors, recaps and other notices of the program."""

from __future__ import annotations

from typing import Any

from journald.transcript.clean import clean
from journald.transcript.conversation import Conversation, Place
from journald.transcript.kinds import is_ignored_system
from journald.transcript.records import Row, decode_any, decode_text
from journald.transcript.session import NoticeKind
from journald.transcript.user import UserRows

_HINT = "(disable recaps in /config)"
_PLAIN = {
    "away_summary": NoticeKind.RECAP,
    "informational": NoticeKind.OTHER,
}
_FALLBACKS = frozenset({"model_refusal_fallback", "model_consent_fallback"})


def add_system(conversation: Conversation, users: UserRows, place: Place, row: Row) -> bool:
    """Add the events of a system row; return False for a subtype that is not known."""
    kind = row.subtype or ""
    text = clean(decode_text(row.content)).removesuffix(_HINT).strip()
    if kind == "compact_boundary":
        conversation.boundary(place)
    elif kind == "api_error":
        conversation.notice(place, NoticeKind.API_ERROR, _api_error(row))
    elif kind == "local_command":
        users.printed(place, text)
    elif kind in _PLAIN:
        _add(conversation, place, _PLAIN[kind], text)
    elif kind in _FALLBACKS:
        _add(conversation, place, NoticeKind.REFUSAL, text or _fallback(row))
    elif kind == "stop_hook_summary":
        _add(conversation, place, NoticeKind.HOOK, _stopped(row))
    elif not kind:
        # Up to 2.0 notices have no subtype; those of hooks name a tool call.
        _add(conversation, place, NoticeKind.HOOK if row.toolUseID else NoticeKind.OTHER, text)
    else:
        return is_ignored_system(kind)
    return True


def _add(conversation: Conversation, place: Place, kind: NoticeKind, text: str) -> None:
    if text:
        conversation.notice(place, kind, text)


def _fallback(row: Row) -> str:
    first, second = clean(row.originalModel or ""), clean(row.fallbackModel or "")
    return f"{first or 'The model'} gave way to {second or 'another model'}."


def _stopped(row: Row) -> str:
    return clean(row.stopReason or "").strip() if row.preventedContinuation else ""


def _api_error(row: Row) -> str:
    """Return one line: what the API or the connection said, and which try it was."""
    reason = _reason(decode_any(row.error)) or _reason(decode_any(row.cause))
    told = clean(reason) if reason else "no reason given"
    if row.retryAttempt is None:
        return f"API error: {told}"
    most = "" if row.maxRetries is None else f" of {row.maxRetries}"
    return f"API error: {told} (retry {row.retryAttempt}{most})"


def _reason(error: Any, depth: int = 4) -> str:
    """Return the innermost message of an error object, with its status where there is one."""
    if isinstance(error, str):
        return error
    if not isinstance(error, dict) or depth == 0:
        return ""
    for key in ("error", "cause"):
        inner = _reason(error.get(key), depth - 1)
        if inner:
            return inner
    named = (error.get(key) for key in ("status", "code", "message", "type"))
    return " ".join(str(part) for part in named if part)
