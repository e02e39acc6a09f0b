"""Attachment rows: what was put into the model's context beside the prompts."""

from __future__ import annotations

from journald.transcript.clean import clean
from journald.transcript.conversation import Conversation, Place
from journald.transcript.kinds import PICTURES, is_ignored_attachment
from journald.transcript.origins import SYSTEM
from journald.transcript.queue import PromptQueue
from journald.transcript.records import Attachment, Row, decode_blocks, decode_body
from journald.transcript.session import NoticeKind
from journald.transcript.user import UserRows, normalise


def add_attachment(
    conversation: Conversation, users: UserRows, place: Place, row: Row
) -> str | None:
    """Add the events of an attachment row; return its type when that is not known."""
    body = decode_body(row.attachment, Attachment)
    kind = body.type or "?"
    if kind == "queued_command":
        _add_queued(users, users.queue, place, body)
    elif kind == "edited_text_file":
        if body.filename:
            conversation.notice(place, NoticeKind.FILE_EDITED, clean(body.filename))
    elif not is_ignored_attachment(kind):
        return kind
    return None


def _add_queued(users: UserRows, queue: PromptQueue, place: Place, body: Attachment) -> None:
    blocks = decode_blocks(body.prompt)
    text = normalise("\n".join(block.text for block in blocks if block.text))
    images = sum(block.type in PICTURES for block in blocks)
    if not (text or images) or not queue.attached(text, place.line):
        return
    users.queued(place, text, _origin(body), images)


def _origin(body: Attachment) -> str | None:
    if body.origin and body.origin.kind:
        return body.origin.kind
    if body.commandMode not in {None, "prompt"}:
        return body.commandMode
    return SYSTEM if body.isMeta else None
