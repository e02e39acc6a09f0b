"""Results of tool calls, and the words of the human that hide in them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import Raw

from journald.transcript.clean import clean, clean_value, unwrap, without_reminders
from journald.transcript.kinds import PICTURES
from journald.transcript.records import (
    Block,
    decode_any,
    decode_blocks,
    decode_fields,
    decode_text,
    is_text,
)
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
# A fact is small; what is larger under such a key is a body. A patch grows with the change.
_FACT_BYTES = 64 * 1024

_REFUSED = (
    "The user doesn't want to proceed with this tool use.",
    "User chose to stay in plan mode",
)
_REJECTED = "User rejected tool use"
_SAID = "To tell you how to proceed, the user said:\n"
_NOTE = "\n\nNote: The user's next message may contain a correction"
_DENIED = re.compile(r"Permission to use .{1,200}? has been (?:auto-)?denied")
_ANSWERED = re.compile(r"User has answered your questions?: ")
_ANSWER = re.compile(r'"([^"]*)"="([^"]*)"')
_REFUSALS = frozenset({"user-rejected", "automode-unavailable"})
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


def read_result(block: Block, details: Raw, denial: str | None) -> Outcome:
    """Return what a `tool_result` block tells; `details` is the row's `toolUseResult`.

    `denial` is the row's `toolDenialKind`.
    """
    raw, images, unknown = _body(block.content)
    text = without_reminders(clean(raw))
    text = unwrap(unwrap(text, "persisted-output"), "tool_use_error")
    error = bool(block.is_error)
    word = decode_text(details) if details and is_text(details) else ""
    refused = (
        word == _REJECTED
        or text.startswith(_REFUSED)
        or bool(_DENIED.match(text))
        or denial in _REFUSALS
    )
    cancelled = _SIBLING in (text.strip(), word) or denial == "interrupted" or _stopped(word, text)
    facts = {} if word else keep_details(details)
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
        objection=_objection(text) if refused else "",
        answer="" if refused or error else _answers(facts, text),
        unknown=unknown,
    )


def keep_details(details: Raw) -> dict[str, Any]:
    """Return the facts worth keeping of a `toolUseResult`, under its own key names."""
    kept: dict[str, Any] = {}
    if not details or is_text(details):
        return kept
    for key, raw in decode_fields(details).items():
        if key not in _KEPT or (len(bytes(raw)) > _FACT_BYTES and key != "structuredPatch"):
            continue
        value = decode_any(raw)
        if value is not None:
            kept[key] = clean_value(value)
    task = kept.get("task")
    if isinstance(task, dict):
        kept["task"] = {key: value for key, value in task.items() if key not in _TASK_BODIES}
    if "newTodos" in kept:
        kept["todos"] = kept["newTodos"]
    return kept


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


def _objection(text: str) -> str:
    _, _, said = text.partition(_SAID)
    return said.partition(_NOTE)[0].strip()


def _answers(facts: Mapping[str, Any], text: str) -> str:
    if "questions" not in facts and not _ANSWERED.match(text):
        return ""
    answers = facts.get("answers")
    if isinstance(answers, dict) and answers:
        notes = facts.get("annotations")
        lines = [_answer(question, reply, notes) for question, reply in answers.items()]
    else:
        lines = [f"{question}: {reply}" for question, reply in _ANSWER.findall(text)]
    response = facts.get("response")
    if isinstance(response, str) and response.strip():
        lines.append(response.strip())
    return "\n".join(lines)


def _answer(question: str, reply: object, notes: object) -> str:
    told = ", ".join(str(part) for part in reply) if isinstance(reply, list) else str(reply)
    note = notes.get(question) if isinstance(notes, dict) else None
    remark = note.get("notes") if isinstance(note, dict) else None
    return f"{question}: {told} ({remark})" if remark else f"{question}: {told}"
