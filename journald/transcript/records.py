"""The shapes of Claude Code's rows, and how they are decoded.

The format is internal to Claude Code and changes between versions: every key may be missing, and
a key of the wrong type is left out rather than the row that holds it. Bodies stay `msgspec.Raw`
until somebody needs them.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

EMPTY = Raw()


class Shape(Struct, gc=False):
    """A record; none can hold itself, so the garbage collector need not follow them."""


class ForkedFrom(Shape):
    """Where a row of a forked session was copied from."""

    sessionId: str | None = None
    messageUuid: str | None = None


class RowOrigin(Shape):
    """Who caused a user row."""

    kind: str | None = None


class Message(Shape):
    """The API message inside of a user or assistant row."""

    id: str | None = None
    model: str | None = None
    content: Raw = EMPTY
    stop_reason: str | None = None
    usage: Raw = EMPTY


class Row(Shape):
    """One row, of whichever type."""

    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    parentUuid: str | None = None
    logicalParentUuid: str | None = None
    sessionId: str | None = None
    timestamp: Raw = EMPTY
    cwd: str | None = None
    gitBranch: str | None = None
    version: str | None = None
    entrypoint: str | None = None
    isSidechain: bool | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    isApiErrorMessage: bool | None = None
    agentId: str | None = None
    forkedFrom: ForkedFrom | None = None
    origin: RowOrigin | None = None
    promptSource: str | None = None
    turnOrigin: str | None = None
    scheduledTaskId: str | None = None
    planContent: str | None = None
    sourceToolUseID: str | None = None
    toolDenialKind: str | None = None
    toolUseResult: Raw = EMPTY
    message: Message | None = None
    content: Raw = EMPTY
    attachment: Raw = EMPTY
    data: Raw = EMPTY
    toolUseID: str | None = None
    parentToolUseID: str | None = None
    operation: str | None = None
    error: Raw = EMPTY
    cause: Raw = EMPTY
    retryAttempt: int | None = None
    maxRetries: int | None = None
    preventedContinuation: bool | None = None
    stopReason: str | None = None
    originalModel: str | None = None
    fallbackModel: str | None = None
    relocatedCwd: str | None = None
    customTitle: str | None = None
    aiTitle: str | None = None
    summary: str | None = None
    leafUuid: str | None = None
    tag: str | None = None
    prNumber: int | None = None
    prUrl: str | None = None
    worktreeSession: Raw = EMPTY


class Block(Shape):
    """One content block of a message; the bytes of pictures are never decoded."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = EMPTY
    tool_use_id: str | None = None
    content: Raw = EMPTY
    is_error: bool | None = None
    tool_name: str | None = None


class Attachment(Shape):
    """The body of an attachment row."""

    type: str | None = None
    prompt: Raw = EMPTY
    commandMode: str | None = None
    origin: RowOrigin | None = None
    isMeta: bool | None = None
    filename: str | None = None


class Progress(Shape):
    """The body of a progress row, as far as it is read."""

    type: str | None = None
    agentId: str | None = None
    message: Raw = EMPTY
    """A row of the sub-agent."""


class UsageRow(Shape):
    """Token counts of one message."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_creation: dict[str, Any] | None = None


class WorktreeSession(Shape):
    """The worktree that a session moved into."""

    originalCwd: str | None = None


class AgentMeta(Shape):
    """What stands beside a sub-agent's transcript."""

    agentType: str | None = None
    description: str | None = None
    toolUseId: str | None = None


class TitleFile(Shape):
    """What stands in the file that keeps a session's title."""

    customTitle: str | None = None


class Link(Shape):
    """The place of a row in the conversation tree."""

    type: str | None = None
    sessionKind: str | None = None
    uuid: str | None = None
    parentUuid: str | None = None
    logicalParentUuid: str | None = None
    sessionId: str | None = None
    timestamp: Raw = EMPTY
    subtype: str | None = None
    forkedFrom: ForkedFrom | None = None


_T = TypeVar("_T", bound=Struct)

_ROW = msgspec.json.Decoder(Row)
_LINK = msgspec.json.Decoder(Link)
_BLOCKS = msgspec.json.Decoder(list[Block])
_FIELDS = msgspec.json.Decoder(dict[str, Raw])
_ITEMS = msgspec.json.Decoder(list[Raw])
_ANY = msgspec.json.Decoder()
_NESTED: dict[str, type[Struct]] = {
    "message": Message,
    "forkedFrom": ForkedFrom,
    "origin": RowOrigin,
}

# Nothing that Claude Code writes is nested as deep as this.
_DEEPEST = 100

# What a decoder raises for JSON that is wrong, of another type, or nested without an end.
UNREADABLE = (msgspec.MsgspecError, RecursionError)


def decode_row(data: bytes) -> Row | None:
    """Return the record in `data`, or None when `data` is not one JSON object."""
    try:
        return _ROW.decode(data)
    except UNREADABLE:
        return decode_leniently(data, Row)


def decode_link(data: bytes) -> Link | None:
    """Return where the record in `data` stands in the tree, or None when it is no object."""
    try:
        return _LINK.decode(data)
    except UNREADABLE:
        return decode_leniently(data, Link)


def decode_meta(data: bytes) -> AgentMeta:
    """Return what is known of a sub-agent; nothing when `data` is no JSON object."""
    return decode_leniently(data, AgentMeta) or AgentMeta()


def decode_title(data: bytes) -> str | None:
    """Return the title in a title's file; None when `data` is no JSON object with one."""
    return (decode_leniently(data, TitleFile) or TitleFile()).customTitle


def decode_body(raw: Raw, kind: type[_T]) -> _T:
    """Return a nested object; one without any key when `raw` is no object."""
    if not raw:
        return kind()
    try:
        return msgspec.json.decode(raw, type=kind)
    except UNREADABLE:
        return decode_leniently(raw, kind) or kind()


@cache
def _fields(kind: type[Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    # msgspec evaluates all annotations anew at every call, which takes longer than the decoding.
    return msgspec.structs.fields(kind)


def decode_leniently(data: bytes | Raw, kind: type[_T]) -> _T | None:
    """Return the object in `data` with the keys whose type is right; None if it is no object."""
    try:
        raw = _FIELDS.decode(data)
    except UNREADABLE:
        return None
    values: dict[str, Any] = {}
    for known in _fields(kind):
        body = raw.get(known.encode_name)
        if body is None:
            continue
        nested = _NESTED.get(known.name)
        if known.type is Raw:
            values[known.name] = body
        elif nested is not None and nested is not kind:
            values[known.name] = _nested(body, known.type, nested)
        else:
            try:
                values[known.name] = msgspec.json.decode(body, type=known.type)
            except UNREADABLE:
                continue
    return kind(**values)


def _nested(body: Raw, declared: Any, nested: type[Struct]) -> Struct | None:
    try:
        found: Struct | None = msgspec.json.decode(body, type=declared)
    except UNREADABLE:
        return decode_leniently(body, nested)
    return found


def decode_fields(raw: Raw) -> dict[str, Raw]:
    """Return the keys of an object, their bodies undecoded; none when `raw` is no object."""
    try:
        return _FIELDS.decode(raw)
    except UNREADABLE:
        return {}


def decode_any(raw: Raw | bytes) -> Any:
    """Return the value in `raw` as plain Python; None when it cannot be read."""
    try:
        value = _ANY.decode(raw)
    except UNREADABLE:
        return None
    return None if _is_deep(raw, value) else value


def _is_deep(raw: Raw | bytes, value: Any) -> bool:
    """Tell whether a value is nested so deep that code that follows it down could fail."""
    data = bytes(raw)
    if data.count(b"[") + data.count(b"{") <= _DEEPEST:
        return False
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return True


def decode_text(raw: Raw) -> str:
    """Return a JSON string; empty when `raw` is anything else."""
    value = decode_any(raw) if is_text(raw) else None
    return value if isinstance(value, str) else ""


def is_text(raw: Raw) -> bool:
    """Tell whether `raw` is a JSON string."""
    return bytes(memoryview(raw)[:1]) == b'"'


def decode_blocks(raw: Raw) -> list[Block]:
    """Return content blocks; a string is one text block, something else a block without type."""
    if not raw:
        return []
    if is_text(raw):
        return [Block(type="text", text=decode_text(raw))]
    try:
        return _BLOCKS.decode(raw)
    except UNREADABLE:
        pass
    try:
        return [_block(item) for item in _ITEMS.decode(raw)]
    except UNREADABLE:
        return [_block(raw)]


def _block(raw: Raw) -> Block:
    if is_text(raw):
        return Block(type="text", text=decode_text(raw))
    return decode_leniently(raw, Block) or Block()


def is_json(data: bytes) -> bool:
    """Tell whether `data` is one JSON value, of whatever type."""
    try:
        _ANY.decode(data)
    except UNREADABLE:
        return False
    return True
