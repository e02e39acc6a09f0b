"""Durations as the settings write them: `90s`, `15m`, `2h`, `7d`, `1h30m`."""

from __future__ import annotations

import re
from datetime import timedelta

_UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_FORM = re.compile(r"(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?", re.ASCII)
LONGEST = timedelta(days=3650)


def parse_duration(text: str) -> timedelta:
    """Return the duration that `text` writes down.

    Raises ValueError, with what is wanted, for anything else and for more than ten years.
    """
    found = _FORM.fullmatch(text)
    if not text or found is None:
        raise ValueError("a duration is wanted, such as 90s, 15m, 2h or 7d")
    numbers = (int(number or 0) for number in found.groups())
    seconds = sum(number * unit for number, unit in zip(numbers, _UNITS.values(), strict=True))
    if seconds > LONGEST.total_seconds():
        raise ValueError(f"a duration is at most {format_duration(LONGEST)}")
    return timedelta(seconds=seconds)


def format_duration(duration: timedelta) -> str:
    """Return `duration` in the form that `parse_duration` reads; parts of a second are cut off."""
    left = int(duration.total_seconds())
    parts: list[str] = []
    for letter, unit in _UNITS.items():
        count, left = divmod(left, unit)
        if count:
            parts.append(f"{count}{letter}")
    return "".join(parts) or "0s"
