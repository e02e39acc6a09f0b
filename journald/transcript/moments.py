"""Timestamps of rows."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Raw

_MILLISECONDS = 1000


def moment(raw: Raw) -> datetime | None:
    """Return a row's timestamp, aware and in UTC; None when it is missing or no time.

    Claude Code writes ISO 8601 with `Z`; numbers are milliseconds since 1970, as in its other
    files. A time without a zone is taken for UTC.
    """
    if not raw:
        return None
    data = bytes(raw)
    try:
        if data.startswith(b'"'):
            found = datetime.fromisoformat(data[1:-1].decode())
            return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
        return datetime.fromtimestamp(float(data) / _MILLISECONDS, UTC)
    except (ValueError, OverflowError, OSError):
        return None
