"""Results of tool calls, and the words of the human that hide in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from journald.transcript.answers import read_answers
from journald.transcript.clean import clean, clean_value, unwrap, without_reminders
from journald.transcript.kinds import PICTURES
from journald.transcript.persisted import Persisted
from journald.transcript.records import (
    Block,
    decode_any,
    decode_blocks,
    decode_fields,
    decode_text,
    is_text,
)
from journald.transcript.refusals import is_refused, read_objection
from journald.transcript.session import ToolResult

# The facts that are kept of `toolUseResult`; bodies of files, output and pictures never are.
_KEPT = frozenset(
    {
        "agentId", "agentType", "annotations", "answers", "backgroundTaskId", "backgroundedByUser",
        "code", "commandName", "edit_mode", "error", "exitCode", "filePath", "gitOperation",
        "interrupted", "isAsync", "mode", "newTodos", "notebook_path", "numFiles", "numLines",
        "operation", "persistedOutputSize", "plan", "planWasEdited", "query", "questions",
        "resolvedModel", "response", "resultCount", "retrieval_status",
        "returnCodeInterpretation", "shellId", "shell_id", "status", "statusChange",
        "structuredPatch", "success", "task", "taskId", "task_id", "timedOutAfterMs", "title",
        "totalDurationMs", "totalTokens", "totalToolUseCount", "truncated", "type", "url",
        "userModified", "worktreeBranch", "worktreePath",
    }
)  # fmt: skip
_TASK_BODIES = frozenset({"output", "prompt", "result"})
# A fact is small; what is larger under such a key is a body. A patch grows with the change, and
# a task holds its output beside its facts.
_FACT_BYTES = 64 * 1024
_LARGE = frozenset({"structuredPatch", "task"})

# A newline as JSON writes it; behind an escaped backslash stands the letter.
_LINE_END = re.compile(rb"(?<!\\)(?:\\\\)*\\n")
_SIBLING = "Sibling tool call errored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A tool result and what the human said with it."""

    text: str
    result: ToolResult
    images: int
    objection: str = ""
    """Words said while refusing."""
    answer: str = ""
    """Reply to questions, one `question: answer` a line."""
    unknown: tuple[str, ...] = ()
    """Types of inner blocks that are not known."""


def read_result(
    block: Block, details: Raw, denial: str | None, persisted: Persisted, *, question: bool
) -> Outcome:
    """Return what a `tool_result` block tells; `details` is the row's `toolUseResult`.

    `denial` is the row's `toolDenialKind`; `persisted` holds the ends of outputs that were too
    large for the row. Only the result of a `question` to the human can hold answers.
    """
    raw, images, unknown = _body(block.content)
    text = persisted.unwrap(without_reminders(clean(raw)))
    text = unwrap(text, "tool_use_error")
    error = bool(block.is_error)
    word = decode_text(details) if details and is_text(details) else ""
    refused = is_refused(text, word, denial, error=error)
    cancelled = _SIBLING in (text.strip(), word) or denial == "interrupted" or _stopped(word, text)
    facts = {} if word else keep_details(details)
    objection, answer = read_objection(text) if refused else ("", "")
    if question and not (refused or error):
        answer = read_answers(facts, text)
    return Outcome(
        text=text,
        result=ToolResult(
            call_id=block.tool_use_id or "",
            is_error=error,
            rejected=refused,
            cancelled=cancelled and not refused,
            details=facts,
        ),
        images=images,
        objection=objection,
        answer=answer,
        unknown=unknown,
    )


def keep_details(details: Raw) -> dict[str, Any]:
    """Return the facts worth keeping of a `toolUseResult`, under its own key names."""
    kept: dict[str, Any] = {}
    if not details or is_text(details):
        return kept
    fields = decode_fields(details)
    for key, raw in fields.items():
        if key not in _KEPT or (len(bytes(raw)) > _FACT_BYTES and key not in _LARGE):
            continue
        value = _task(raw) if key == "task" else decode_any(raw)
        if value is not None:
            kept[key] = clean_value(value)
    if "newTodos" in kept:
        kept["todos"] = kept["newTodos"]
    content = fields.get("content")
    if kept.get("type") == "create" and content is not None and is_text(content):
        kept["contentLines"] = _lines(content)
    return kept


def _lines(text: Raw) -> int:
    """Return how many lines a JSON string holds, which is not decoded for that."""
    body = memoryview(text)[1:-1]
    ends = [found.end() for found in _LINE_END.finditer(body)]
    return len(ends) + (len(body) > (ends[-1] if ends else 0))


def _task(raw: Raw) -> dict[str, Any] | None:
    """Return what is known of a task, without its bodies."""
    fields = decode_fields(raw)
    if not fields:
        return None
    return {
        key: decode_any(value)
        for key, value in fields.items()
        if key not in _TASK_BODIES and len(bytes(value)) <= _FACT_BYTES
    }


def _body(content: Raw) -> tuple[str, int, tuple[str, ...]]:
    """Return text, number of pictures and unknown inner types of a result's content."""
    texts: list[str] = []
    images = 0
    unknown: list[str] = []
    for inner in decode_blocks(content):
        if inner.type == "text":
            texts.append(inner.text or "")
        elif inner.type in PICTURES:
            images += 1
        elif inner.type == "tool_reference":
            texts.append(inner.tool_name or "")
        elif inner.type == "search_result":
            texts.extend(part.text or "" for part in decode_blocks(inner.content))
        else:
            unknown.append(inner.type or "?")
    return "\n".join(texts), images, tuple(unknown)


def _stopped(word: str, text: str) -> bool:
    return word.startswith("[Request interrupted") or text.startswith("[Request interrupted")
