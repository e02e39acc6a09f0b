"""Who caused a user row, as far as the row says so of itself."""

from __future__ import annotations

from journald.transcript.records import Row

SCHEDULED = "scheduled"
SYSTEM = "system"
# Ways in which a human puts a prompt there; the words decide where nothing else is said.
_BY_HAND = frozenset({"typed", "queued", "suggestion_accepted", "sdk"})
# Claude Code's own word for a message that it could not place; so the words decide.
_UNPLACED = "unclassified"


def origin_of(row: Row) -> str | None:
    """Return who caused a row, in the words of `origin.kind`; None when the row does not say.

    `origin` is there since 2.1.119 and decides. Rows without it may say by `promptSource`,
    `scheduledTaskId` or `turnOrigin` (2.1.278) that no human did.
    """
    kind = row.origin.kind if row.origin else None
    if kind == _UNPLACED:
        return None
    if kind:
        return kind
    if row.scheduledTaskId:
        return SCHEDULED
    if row.promptSource in _BY_HAND:
        return None
    turn = (row.turnOrigin or "").replace("_", "-")
    if turn and turn != "human":
        return turn
    return SYSTEM if row.promptSource == "system" else None
