"""Text as a person would read it: no escape sequences, no control characters, no scaffolding."""

from __future__ import annotations

import re
from typing import Any

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_DIRTY = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_REMINDER = "system-reminder"


def clean(text: str) -> str:
    """Return `text` without terminal escapes and control characters, line ends unified."""
    if not _DIRTY.search(text):
        return text
    text = _ANSI.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text)


def clean_value(value: Any) -> Any:
    """Return decoded JSON with every string in it cleaned."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(key): clean_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [clean_value(item) for item in value]
    return value


def without_reminders(text: str) -> str:
    """Return `text` without `<system-reminder>` elements; one without an end is left alone."""
    return drop_elements(text, _REMINDER) if f"<{_REMINDER}>" in text else text


def drop_elements(text: str, name: str) -> str:
    """Return `text` without the complete elements `name`, trimmed when there were any."""
    opening, closing = f"<{name}>", f"</{name}>"
    kept: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start)
        if end < 0:
            break
        kept.append(text[at:start])
        at = end + len(closing)
    if not kept:
        return text
    kept.append(text[at:])
    return "".join(kept).strip()


def element(text: str, name: str) -> str | None:
    """Return what stands in the first element `name` of `text`; None without one.

    An element without an end reaches to the end of the text.
    """
    opening = f"<{name}>"
    start = text.find(opening)
    if start < 0:
        return None
    start += len(opening)
    end = text.find(f"</{name}>", start)
    return (text[start:] if end < 0 else text[start:end]).strip()


def unwrap(text: str, name: str) -> str:
    """Return `text` without the tags of one element `name` that encloses all of it."""
    opening, closing = f"<{name}>", f"</{name}>"
    trimmed = text.strip()
    if not trimmed.startswith(opening):
        return text
    return trimmed.removeprefix(opening).removesuffix(closing).strip()
