"""One conversation while its rows are read: the main one, or a sub-agent's."""

from __future__ import annotations

import sys

from journald.transcript.attachments import add_attachment
from journald.transcript.clean import clean
from journald.transcript.conversation import Conversation, Place
from journald.transcript.kinds import BLOCKS_IGNORED, PICTURES
from journald.transcript.messages import CALLS, Messages, scheduled_prompt
from journald.transcript.notices import add_system
from journald.transcript.persisted import Persisted
from journald.transcript.queue import PromptQueue
from journald.transcript.records import Block, Message, Row, decode_any, decode_blocks
from journald.transcript.server import server_text
from journald.transcript.session import EventKind, NoticeKind, ToolResult
from journald.transcript.spending import SYNTHETIC, Spending
from journald.transcript.user import UserRows

_FILLER = "No response requested."
_TOLD = CALLS | PICTURES | BLOCKS_IGNORED | {"text", "thinking"}
_NO_CONTENT = "no-content"
# Tools by which the model wakes itself up.
_SCHEDULERS = frozenset({"ScheduleWakeup", "CronCreate"})


class Thread:
    """Turns rows into the events of one conversation."""

    def __init__(
        self,
        conversation: Conversation,
        spending: Spending,
        persisted: Persisted | None = None,
    ) -> None:
        self.conversation = conversation
        self.queue = PromptQueue()
        self.users = UserRows(conversation, self.queue, persisted or Persisted())
        self._messages = Messages(conversation)
        self._spending = spending
        self._server_results: set[str] = set()

    def add(self, place: Place, row: Row) -> list[str]:
        """Add the events of a row of the tree; return what in it is not known."""
        if row.type == "system":
            known = add_system(self.conversation, self.users, place, row)
            return [] if known else [row.subtype or "?"]
        if row.type == "attachment":
            unknown = add_attachment(self.conversation, self.users, place, row)
            return [unknown] if unknown else []
        if row.message is None or not row.message.content:
            return [_NO_CONTENT]
        if row.type == "assistant":
            return self._assistant(place, row, row.message)
        return self.users.add(place, row)

    def _assistant(self, place: Place, row: Row, message: Message) -> list[str]:
        blocks = decode_blocks(message.content)
        if row.isApiErrorMessage or message.model == SYNTHETIC:
            self._program(place, row, blocks)
            return []
        # The id and the model are repeated on every row of a message.
        key = sys.intern(message.id or f"row {row.uuid or place.line}")
        self._spending.add(key, message, row.version, inherited=place.inherited)
        self._messages.add(place, key, sys.intern(message.model or "") or None, blocks)
        unknown: list[str] = []
        for block in blocks:
            if block.type == "tool_use":
                self._called(block)
            if block.type and block.type.endswith("_tool_result"):
                self._server_result(place, block)
            elif block.type not in _TOLD:
                unknown.append(block.type or "?")
        return unknown

    def _called(self, block: Block) -> None:
        self.users.called(block.id or "", block.name or "")
        if block.name in _SCHEDULERS:
            self.users.schedule(scheduled_prompt(block))

    def _program(self, place: Place, row: Row, blocks: list[Block]) -> None:
        """Add what the program said in the model's name."""
        text = clean("\n".join(block.text for block in blocks if block.text)).strip()
        if text and text != _FILLER:
            kind = NoticeKind.API_ERROR if row.isApiErrorMessage else NoticeKind.OTHER
            self.conversation.notice(place, kind, text)

    def _server_result(self, place: Place, block: Block) -> None:
        """Add the result of a tool that ran at the API's side, once however often it is written."""
        call_id = block.tool_use_id or ""
        if call_id in self._server_results:
            return
        if call_id:
            self._server_results.add(call_id)
        text, failed = server_text(decode_any(block.content) if block.content else None)
        result = ToolResult(call_id=call_id, is_error=failed or bool(block.is_error))
        self.conversation.tell(place, EventKind.TOOL_RESULT, clean(text), result=result)
