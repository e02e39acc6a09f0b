"""Tool calls that the human, or a rule of theirs, refused, and what they said to it.

The texts are Claude Code's own and differ between the main conversation, sub-agents and plans.
"""

from __future__ import annotations

import re

from journald.transcript.answers import answer_line

_TEXTS = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "The agent proposed a plan that was rejected by the user.",
    "User chose to stay in plan mode",
)
_DENIED = re.compile(
    r"Permission (?:to use .{1,200}?|for this (?:tool use|action|command)) (?:has been|was) "
    r"(?:auto-)?denied"
)
_HOOK = re.compile(
    r"(?:Error: )?(?:Hook PreToolUse:\S+ denied this tool|PreToolUse:\S+ hook error: )"
)
_REJECTED = "User rejected tool use"
_INTERRUPTED = "interrupted"
_SAID = re.compile(r"(?:To tell you how to proceed, the|The) user said:\n")
_NOTE = "\n\nNote: The user's next message may contain a correction"
# What the program writes in the human's name when they would rather talk than answer.
_CANNED = (
    "The user wants to clarify these questions",
    "The user has indicated they have provided enough answers",
)
_PARTIAL = re.compile(
    r'- "(?P<question>.+)"\n\s+(?:Answer: (?P<reply>.+)|\(No answer provided\))'
    r"(?:\n\s+User notes: (?P<notes>.+))?"
)


def is_refused(text: str, word: str, denial: str | None, *, error: bool) -> bool:
    """Tell whether a result says that its call was refused.

    `word` is the row's `toolUseResult` where that is a string, `denial` its `toolDenialKind`;
    any kind but an interrupt is a refusal, those of versions to come as well. Texts count only in
    a result that is an `error`: what a tool printed could begin like one.
    """
    if word == _REJECTED or (denial and denial != _INTERRUPTED):
        return True
    if not error:
        return False
    return text.startswith(_TEXTS) or bool(_DENIED.match(text) or _HOOK.match(text))


def read_objection(text: str) -> tuple[str, str]:
    """Return the human's words in a refusal, and their answers, one `question: answer` a line."""
    said = _SAID.split(text, maxsplit=1)
    words = said[1].partition(_NOTE)[0].strip() if len(said) > 1 else ""
    if not words.startswith(_CANNED):
        return words, ""
    answers = (
        answer_line(found["question"], found["reply"], found["notes"])
        for found in _PARTIAL.finditer(words)
    )
    return "", "\n".join(line for line in answers if line)
