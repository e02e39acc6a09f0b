"""Durations, times and numbers as a reader says them."""

from __future__ import annotations

from datetime import datetime, timedelta

_MINUTES_OF_AN_HOUR = 60
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_THOUSAND = 1000


def spoken(duration: timedelta) -> str:
    """Return a duration as `1h 24m`, `12m`, or `45s` below a minute."""
    seconds = round(duration.total_seconds())
    if seconds < _MINUTES_OF_AN_HOUR:
        return f"{seconds}s"
    hours, minutes = divmod(round(seconds / 60), _MINUTES_OF_AN_HOUR)
    if not hours:
        return f"{minutes}m"
    return f"{hours}h {minutes}m" if minutes else f"{hours}h"


def clock(moment: datetime, day: datetime | None = None) -> str:
    """Return the time of day; with the date in front when it is not on the day of `day`."""
    time = moment.strftime("%H:%M")
    if day is None or moment.date() == day.date():
        return time
    return f"{moment.date().isoformat()} {time}"


def span(started: datetime, ended: datetime) -> str:
    """Return `Thu 2026-03-05, 10:00 to 11:24`; the second date too when it is another."""
    first = f"{_WEEKDAYS[started.weekday()]} {started.date().isoformat()}, {clock(started)}"
    last = clock(ended, started)
    return first if last == clock(started) else f"{first} to {last}"


def amount(number: int) -> str:
    """Return a number of tokens as `940`, `12.3K` or `4.1M`."""
    if number < _THOUSAND:
        return str(number)
    if number < _THOUSAND * _THOUSAND - _THOUSAND // 2:
        return (
            f"{number / _THOUSAND:.3g}K" if number < 100 * _THOUSAND else f"{number // _THOUSAND}K"
        )
    return f"{number / _THOUSAND / _THOUSAND:.1f}M"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, such as `1 file` or `12 files`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
