"""Times in the database: whole microseconds since 1970, UTC, so that they sort and compare."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_microseconds(moment: datetime) -> int:
    """Return `moment`, which is aware, as microseconds."""
    return (moment - _EPOCH) // _MICROSECOND


def from_microseconds(value: int) -> datetime:
    """Return the aware UTC time of `value` microseconds."""
    return _EPOCH + value * _MICROSECOND


def optional_to_microseconds(moment: datetime | None) -> int | None:
    """Do the same where there may be no time."""
    return None if moment is None else to_microseconds(moment)


def optional_from_microseconds(value: int | None) -> datetime | None:
    """Do the same where there may be no time."""
    return None if value is None else from_microseconds(value)
