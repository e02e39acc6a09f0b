from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from journald.daemon.zone import local_zone

SUMMER, WINTER = datetime(2026, 7, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
ZONES = Path("/usr/share/zoneinfo")


def test_the_environment_wins() -> None:
    zone = local_zone({"TZ": ":Europe/Berlin"})
    assert SUMMER.astimezone(zone).utcoffset() == timedelta(hours=2)
    assert WINTER.astimezone(zone).utcoffset() == timedelta(hours=1)


@pytest.mark.skipif(not (ZONES / "Asia" / "Tokyo").exists(), reason="no zone files here")
@pytest.mark.parametrize("named", ["", "NST-9nonsense", "../../etc/passwd"])
def test_else_the_machine_does(tmp_path: Path, named: str) -> None:
    (tmp_path / "localtime").symlink_to(ZONES / "Asia" / "Tokyo")
    zone = local_zone({"TZ": named}, tmp_path / "localtime")
    assert WINTER.astimezone(zone).utcoffset() == timedelta(hours=9)


def test_else_it_is_utc(tmp_path: Path) -> None:
    assert local_zone({}, tmp_path / "none") is UTC
    (tmp_path / "garbage").write_text("x")
    assert local_zone({}, tmp_path / "garbage") is UTC
