"""The shapes in which the model answers: what it is held to, and how its answer is read.

The schemas use no length keywords: with them, xgrammar lets raw control characters into
strings and forbids every escape. Control characters are therefore accepted when reading, and
whatever stands around the JSON (fences, reasoning, small talk) is put aside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, TypeVar

import msgspec


class AnswerFault(StrEnum):
    """What is wrong with an answer as a whole."""

    EMPTY = "empty"  # nothing but white space or reasoning
    UNPARSABLE = "unparsable"  # no JSON of the shape asked for
    CUT_OFF = "cut off"  # the JSON stops in the middle
    ECHO = "echo"  # it says back what it was told to do
    REPETITION = "repetition"  # it goes in circles
    LANGUAGE = "language"  # a script that the session does not use


class AnswerError(Exception):
    """An answer that cannot be used; the message holds no transcript text."""

    def __init__(self, fault: AnswerFault) -> None:
        super().__init__(f"the model's answer is unusable: {fault}")
        self.fault = fault


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """One thing said by the model."""

    text: str = ""
    evidence: tuple[str, ...] | str = ()


class Happening(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was done."""

    what: str = ""
    why: str = ""
    outcome: str = ""
    evidence: tuple[str, ...] | str = ()


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was decided."""

    decision: str = ""
    reason: str = ""
    alternatives: str = ""
    evidence: tuple[str, ...] | str = ()


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """Something that went wrong; `solved` is `yes`, `no` or `unknown`."""

    symptom: str = ""
    cause: str = ""
    fix: str = ""
    solved: str = "unknown"
    evidence: tuple[str, ...] | str = ()


class Notes(msgspec.Struct, frozen=True, kw_only=True):
    """What the model noted on one part of a session."""

    events: tuple[Happening, ...] = ()
    decisions: tuple[Choice, ...] = ()
    problems: tuple[Trouble, ...] = ()
    lessons: tuple[Claim, ...] = ()
    open_threads: tuple[Claim, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing was noted."""
        return not (
            self.events or self.decisions or self.problems or self.lessons or self.open_threads
        )


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A narrative as the model wrote it, not yet held against the session."""

    title: str = ""
    summary: tuple[Claim, ...] = ()
    story: tuple[Claim, ...] = ()
    decisions: tuple[Choice, ...] = ()
    problems: tuple[Trouble, ...] = ()
    lessons: tuple[Claim, ...] = ()
    open_threads: tuple[Claim, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it tells nothing."""
        return not (self.summary or self.story)


_TEXT: Mapping[str, Any] = {"type": "string"}
_EVIDENCE: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}


def _record(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def _many(shape: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": shape}


_CLAIM = _record(text=_TEXT, evidence=_EVIDENCE)
_HAPPENING = _record(what=_TEXT, why=_TEXT, outcome=_TEXT, evidence=_EVIDENCE)
_CHOICE = _record(decision=_TEXT, reason=_TEXT, alternatives=_TEXT, evidence=_EVIDENCE)
_TROUBLE = _record(
    symptom=_TEXT,
    cause=_TEXT,
    fix=_TEXT,
    solved={"type": "string", "enum": ["yes", "no", "unknown"]},
    evidence=_EVIDENCE,
)

NOTES_SCHEMA: Mapping[str, Any] = _record(
    events=_many(_HAPPENING),
    decisions=_many(_CHOICE),
    problems=_many(_TROUBLE),
    lessons=_many(_CLAIM),
    open_threads=_many(_CLAIM),
)

NARRATIVE_SCHEMA: Mapping[str, Any] = _record(
    title=_TEXT,
    summary=_many(_CLAIM),
    story=_many(_CLAIM),
    decisions=_many(_CHOICE),
    problems=_many(_TROUBLE),
    lessons=_many(_CLAIM),
    open_threads=_many(_CLAIM),
)

_REASONING = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_REASONING_END = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_DECODER = json.JSONDecoder(strict=False)
# Small talk before the answer may hold braces of its own; more than this is no small talk.
_OPENINGS = 8

Shape = TypeVar("Shape", Notes, Draft)


def decode(answer: str, shape: type[Shape], *, cut_off: bool = False) -> Shape:
    """Read the model's answer as `shape`, putting aside what stands around the JSON.

    `cut_off` tells that the engine stopped at its limit. Raises AnswerError (EMPTY,
    UNPARSABLE, CUT_OFF).
    """
    text = _REASONING_END.sub("", _REASONING.sub("", answer)).strip()
    if not text:
        raise AnswerError(AnswerFault.CUT_OFF if cut_off else AnswerFault.EMPTY)
    openings = [match.start() for match in re.finditer(r"\{", text)][:_OPENINGS]
    for opening in openings:
        found = _object_at(text, opening)
        if found is not None and found.keys() & set(shape.__struct_fields__):
            return _convert(found, shape)
    unfinished = bool(openings) and not text.rstrip("`\n ").endswith("}")
    raise AnswerError(
        AnswerFault.CUT_OFF if cut_off or unfinished else AnswerFault.UNPARSABLE,
    )


def _object_at(text: str, opening: int) -> dict[str, Any] | None:
    try:
        found, _ = _DECODER.raw_decode(text, opening)
    except (json.JSONDecodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _convert(found: dict[str, Any], shape: type[Shape]) -> Shape:
    try:
        return msgspec.convert(found, shape, strict=False)
    except msgspec.ValidationError as error:
        raise AnswerError(AnswerFault.UNPARSABLE) from error
