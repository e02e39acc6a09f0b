"""What was said: requests, slash commands, questions and their answers."""

from __future__ import annotations

from typing import Any

from journald.ledger.facts import Question, Request, SlashCommand
from journald.ledger.timeline import Call, Timeline
from journald.transcript.answers import read_answers
from journald.transcript.session import EventKind, Origin

# By it `read_answers` knows the result of a question.
_ASKED = {"questions": True}


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
    asked = _questions(call.call.input.get("questions"))
    answers = _answers(call, asked)
    open_ones = {text: "" for text in asked if text not in answers}
    reply = call.told("response").strip()
    return [
        Question(id=call.id, at=call.event.at, question=text, answer=answer or reply)
        for text, answer in (answers | open_ones).items()
    ]


def _answers(call: Call, asked: list[str]) -> dict[str, str]:
    """Return the answers by question, with the remarks that the human made beside them."""
    told = call.detail("answers")
    if not isinstance(told, dict):
        return _replies(read_answers(_ASKED, call.text), asked) if call.succeeded else {}
    found: dict[str, str] = {}
    for question, answer in told.items():
        facts = {**_ASKED, "answers": {question: answer}, "annotations": call.detail("annotations")}
        found[question] = read_answers(facts, "").removeprefix(f"{question}: ")
    return found


def _replies(told: str, asked: list[str]) -> dict[str, str]:
    """Return what follows each question in `question: answer` lines; an answer may have several."""
    lines = f"\n{told}"
    places = {question: lines.find(f"\n{question}: ") for question in asked}
    ends = [*sorted(place for place in places.values() if place >= 0), len(lines)]
    found = sorted((place, question) for question, place in places.items() if place >= 0)
    return {
        question: lines[place + len(f"\n{question}: ") : end]
        for (place, question), end in zip(found, ends[1:], strict=True)
    }


def _questions(given: Any) -> list[str]:
    several = given if isinstance(given, list) else []
    return [
        one["question"]
        for one in several
        if isinstance(one, dict) and isinstance(one.get("question"), str)
    ]
