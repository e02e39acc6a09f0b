"""What was said: requests, slash commands, questions and their answers."""

from __future__ import annotations

import re
from typing import Any

from journald.ledger.facts import Question, Request, SlashCommand
from journald.ledger.timeline import Call, Timeline
from journald.transcript.session import EventKind, Origin

_ANSWER = re.compile(r'"([^"]*)"="([^"]*)"')


def find_requests(timeline: Timeline) -> tuple[Request, ...]:
    """Return the words of the human; a plan that they accepted is the model's words."""
    return tuple(
        Request(
            id=event.id,
            at=event.at,
            text=event.text,
            origin=event.origin or Origin.PROMPT,
            withdrawn=event.withdrawn,
            images=event.images,
        )
        for event in (moment.event for moment in timeline.moments)
        if event.kind is EventKind.USER and event.origin is not Origin.PLAN
    )


def find_slash_commands(timeline: Timeline) -> tuple[SlashCommand, ...]:
    """Return what was typed as a command, shell commands left out."""
    return tuple(
        SlashCommand(id=moment.event.id, at=moment.event.at, text=moment.event.text)
        for moment in timeline.moments
        if moment.event.kind is EventKind.COMMAND and not moment.event.text.startswith("!")
    )


def find_questions(timeline: Timeline) -> tuple[Question, ...]:
    """Return the questions that the model asked; an answer is empty when none was given."""
    return tuple(
        question
        for call in timeline.calls
        if call.name == "AskUserQuestion"
        for question in _asked(call)
    )


def _asked(call: Call) -> list[Question]:
    answers = _answers(call)
    asked = [text for text in _questions(call.call.input.get("questions")) if text not in answers]
    pairs = [*answers.items(), *((text, "") for text in asked)]
    reply = call.detail("response")
    if isinstance(reply, str) and reply.strip():
        pairs = [(text, answer or reply.strip()) for text, answer in pairs]
    return [
        Question(id=call.id, at=call.event.at, question=text, answer=answer)
        for text, answer in pairs
    ]


def _answers(call: Call) -> dict[str, str]:
    told = call.detail("answers")
    if isinstance(told, dict):
        return {str(question): _told(answer) for question, answer in told.items()}
    return dict(_ANSWER.findall(call.text)) if call.succeeded else {}


def _told(answer: Any) -> str:
    return ", ".join(str(part) for part in answer) if isinstance(answer, list) else str(answer)


def _questions(given: Any) -> list[str]:
    several = given if isinstance(given, list) else []
    return [
        one["question"]
        for one in several
        if isinstance(one, dict) and isinstance(one.get("question"), str)
    ]
