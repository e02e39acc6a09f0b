"""Messages of the model, put together from the rows they are spread over.

Since 1.0.98 each content block is a row of its own. Other writers repeat the blocks they have
and add to them (a streaming snapshot), or write the whole history again. A block is known again by
its message and its id, or its text; text that goes on where the message's last text stood is the
same block, grown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from journald.transcript.clean import clean, clean_value
from journald.transcript.conversation import Conversation, Place
from journald.transcript.records import Block, decode_any
from journald.transcript.session import EventKind, ToolCall

CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_NOTHING = "(no content)"
# So many messages may still get more blocks: those of one turn and what stands mixed with them.
_GROWING = 512
# Under this key stands what the model wrote where it was no JSON (2.1.209).
_BROKEN = "__unparsedToolInput"


@dataclass(slots=True)
class _Piece:
    kind: EventKind
    mark: str
    """The text, or the id of the tool call."""
    number: int


class Messages:
    """The messages of one conversation."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._pieces: dict[str, list[_Piece]] = {}
        self._old: set[int] = set()
        """What the pieces of older messages hash to: they do not grow any more."""

    def add(self, place: Place, message_id: str, model: str | None, blocks: list[Block]) -> None:
        """Add one row of the message `message_id`."""
        found = [piece for block in blocks if (piece := _read(block)) is not None]
        if message_id not in self._pieces:
            self._set_oldest_aside()
            found = [one for one in found if hash((message_id, *one[:2])) not in self._old]
        known = self._pieces.setdefault(message_id, [])
        snapshot = _is_snapshot(known, [(kind, mark) for kind, mark, _ in found])
        for index, (kind, mark, call) in enumerate(found):
            same = known[index] if snapshot and index < len(known) else _find(known, kind, mark)
            if same is not None:
                self._grow(same, mark, call)
                continue
            number = self._conversation.add(
                place,
                kind,
                "" if call else mark,
                message_id=message_id,
                model=model,
                call=call,
            )
            known.append(_Piece(kind, mark, number))

    def _set_oldest_aside(self) -> None:
        """Forget the texts of messages that are long done, but not that they were told."""
        if len(self._pieces) >= _GROWING:
            oldest = next(iter(self._pieces))
            for piece in self._pieces.pop(oldest):
                self._old.add(hash((oldest, piece.kind, piece.mark)))

    def _grow(self, piece: _Piece, mark: str, call: ToolCall | None) -> None:
        if call is not None:
            self._conversation.change(piece.number, call=call)
        elif len(mark) > len(piece.mark):
            piece.mark = mark
            self._conversation.change(piece.number, text=mark)


def _read(block: Block) -> tuple[EventKind, str, ToolCall | None] | None:
    """Return kind, mark and tool call of a block that tells something."""
    if block.type == "text":
        text = clean(block.text or "")
        return (EventKind.ASSISTANT, text, None) if _tells(text) else None
    if block.type == "thinking":
        text = clean(block.thinking or "")
        return (EventKind.THINKING, text, None) if _tells(text) else None
    if block.type in CALLS:
        call = read_call(block)
        return EventKind.TOOL_CALL, call.call_id, call
    return None


def _tells(text: str) -> bool:
    return bool(text.strip()) and text.strip() != _NOTHING


def read_call(block: Block) -> ToolCall:
    """Return a tool call; its input is empty where the model wrote broken JSON."""
    value: Any = decode_any(block.input) if block.input else None
    arguments = value if isinstance(value, dict) and _BROKEN not in value else {}
    if b"\\u00" in bytes(block.input):
        arguments = clean_value(arguments)
    return ToolCall(call_id=block.id or "", name=clean(block.name or ""), input=arguments)


def scheduled_prompt(block: Block) -> str:
    """Return the prompt that a call sets down for later; empty without one."""
    prompt = read_call(block).input.get("prompt")
    return prompt if isinstance(prompt, str) else ""


def _is_snapshot(known: list[_Piece], found: list[tuple[EventKind, str]]) -> bool:
    """Tell whether a row repeats everything that is known of its message, text perhaps longer."""
    return (
        bool(known)
        and len(found) >= len(known)
        and all(
            piece.kind is kind and _goes_on(piece, mark)
            for piece, (kind, mark) in zip(known, found, strict=False)
        )
    )


def _goes_on(piece: _Piece, mark: str) -> bool:
    if piece.kind is EventKind.TOOL_CALL:
        return piece.mark == mark
    return mark.startswith(piece.mark)


def _find(known: list[_Piece], kind: EventKind, mark: str) -> _Piece | None:
    """Return the piece that a block repeats, or that it goes on with."""
    for piece in known:
        if piece.kind is kind and piece.mark == mark and mark:
            return piece
    last = known[-1] if known else None
    if last is not None and last.kind is kind and kind is not EventKind.TOOL_CALL:
        return last if mark.startswith(last.mark) else None
    return None
