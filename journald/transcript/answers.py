"""The human's replies to questions that the model asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# The wording changed from version to version.
_ANSWERED = re.compile(
    r"(?:User has answered your questions?|Your questions? (?:have|has) been answered"
    r"|The user answered): (?=\")"
)
# Notes reach to the next question, or to what the program says to the model.
_ANSWER = re.compile(
    r'"(?P<question>[^"]*)"=(?:"(?P<reply>[^"]*)"|\(no option selected\))'
    r"(?: (?:user )?notes: (?P<notes>.+?)"
    r'(?=, "[^"]*"=|\.? (?:Read the answers|You can now|Continue)|\Z))?',
    re.DOTALL,
)


def read_answers(facts: Mapping[str, Any], text: str) -> str:
    """Return the answers that a result tells, one `question: answer` a line; empty without any.

    `facts` are the result's details, `text` is its text.
    """
    if "questions" not in facts and not _ANSWERED.match(text):
        return ""
    answers = facts.get("answers")
    if isinstance(answers, dict) and answers:
        notes = facts.get("annotations")
        lines = [_answer(question, reply, notes) for question, reply in answers.items()]
    else:
        lines = [
            answer_line(found["question"], found["reply"], found["notes"])
            for found in _ANSWER.finditer(text)
        ]
    response = facts.get("response")
    if isinstance(response, str) and response.strip():
        lines.append(response.strip())
    return "\n".join(line for line in lines if line)


def answer_line(question: str, reply: str | None, notes: str | None) -> str:
    """Return one answer as a line; empty when nothing was said."""
    told = (reply or "").strip()
    remark = (notes or "").strip()
    if told and remark:
        return f"{question}: {told} ({remark})"
    return f"{question}: {told or remark}" if told or remark else ""


def _answer(question: str, reply: object, notes: object) -> str:
    told = ", ".join(str(part) for part in reply) if isinstance(reply, list) else str(reply or "")
    note = notes.get(question) if isinstance(notes, dict) else None
    remark = note.get("notes") if isinstance(note, dict) else None
    return answer_line(question, told, remark if isinstance(remark, str) else None)
