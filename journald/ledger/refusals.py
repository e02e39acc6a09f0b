"""What was not let through, and by whom; and where the model itself refused."""

from __future__ import annotations

import re

from journald.ledger.facts import ModelRefusal, Refusal, Refuser
from journald.ledger.timeline import Call, Timeline
from journald.transcript.session import NoticeKind

# How Claude Code words a refusal, the human's left out: theirs are the rest.
_WORDS = (
    (
        Refuser.AUTO_MODE,
        re.compile(
            r"Permission for this action (?:was|has been) denied"
            r"|Auto mode could not evaluate this action"
            r"|.{1,80} is temporarily unavailable, so auto mode cannot determine the safety of"
        ),
    ),
    (
        Refuser.RULE,
        re.compile(
            r"Permission to use .{1,200}? has been (?:auto-)?denied"
            r"|Claude requested permissions? "
            r"|This command requires approval"
            r"|File is in a directory that is denied by your permission settings"
        ),
    ),
    (Refuser.HOOK, re.compile(r"(?:Hook )?PreToolUse:")),
)
_RETRY = re.compile(r"\(retry \d+(?: of \d+)?\)\Z")


def find_refusals(timeline: Timeline) -> tuple[Refusal, ...]:
    """Return the tool calls that were refused, in order of time."""
    return tuple(
        Refusal(id=call.id, at=call.event.at, tool=call.name, by=by)
        for call in timeline.calls
        if (by := refuser_of(call)) is not None
    )


def refuser_of(call: Call) -> Refuser | None:
    """Return who refused a call; None for one that was let through."""
    result = call.answer.result if call.answer else None
    if result is None or not (result.rejected or result.is_error):
        return None
    text = call.text.removeprefix("Error: ")
    by = next((by for by, words in _WORDS if words.match(text)), None)
    if by is None and result.rejected:
        return Refuser.HUMAN
    return by


def find_model_refusals(timeline: Timeline) -> tuple[ModelRefusal, ...]:
    """Return where the model refused, or another one took over because of it."""
    return tuple(
        ModelRefusal(id=moment.event.id, at=moment.event.at, text=moment.event.text)
        for moment in timeline.moments
        if moment.event.notice is NoticeKind.REFUSAL
    )


def count_interrupts(timeline: Timeline) -> int:
    """Return how often the human interrupted; each running sub-agent notes it once more."""
    return sum(
        moment.event.notice is NoticeKind.INTERRUPT and moment.agent_id is None
        for moment in timeline.moments
    )


def count_api_errors(timeline: Timeline) -> tuple[int, int]:
    """Return how many errors of the API were followed by another try, and how many were not."""
    told = [
        _RETRY.search(moment.event.text) is not None
        for moment in timeline.moments
        if moment.event.notice is NoticeKind.API_ERROR
    ]
    return sum(told), len(told) - sum(told)
