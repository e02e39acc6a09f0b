"""The machine's time zone, with its changes between summer and winter time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_LOCALTIME = Path("/etc/localtime")


def local_zone(environment: Mapping[str, str], localtime: Path = _LOCALTIME) -> tzinfo:
    """Return the zone that $TZ names, else the one of /etc/localtime, else UTC."""
    named = environment.get("TZ", "").removeprefix(":")
    if named:
        try:
            return ZoneInfo(named)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            # A POSIX rule such as CET-1CEST, or a name that is not installed.
            pass
    try:
        with localtime.open("rb") as stream:
            return ZoneInfo.from_file(stream, key=_name(localtime))
    except (ValueError, OSError):
        return UTC


def _name(localtime: Path) -> str | None:
    _, found, name = str(localtime.resolve()).partition("zoneinfo/")
    return name if found else None
