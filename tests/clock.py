"""A clock that a test moves."""

from datetime import UTC, datetime, timedelta

NOON = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)


class Clock:
    def __init__(self, start: datetime = NOON) -> None:
        self.at = start

    def __call__(self) -> datetime:
        return self.at

    def monotonic(self) -> float:
        return self.at.timestamp()

    def go(self, **step: float) -> None:
        self.at += timedelta(**step)
