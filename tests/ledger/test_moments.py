from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.facts import Ledger
from journald.ledger.ledger import build_ledger
from tests.rows import Rows
from tests.sessions import START, Script
from tests.transcript.reading import read

BERLIN = ZoneInfo("Europe/Berlin")


def at(*moments: datetime) -> Script:
    """Return a session with one event at each of `moments`."""
    script = Script(start=moments[0])
    previous = moments[0]
    for moment in moments:
        script.wait(moment - previous)
        script.user("x")
        previous = moment + timedelta(minutes=1)
    return script


def ledger(*moments: datetime, zone: Any = UTC) -> Ledger:
    return build_ledger(at(*moments).session(), zone)


def test_a_session_over_midnight_has_two_local_days() -> None:
    before = datetime(2026, 3, 5, 22, 55, tzinfo=UTC)
    told = ledger(before, before + timedelta(minutes=10), zone=BERLIN)
    assert told.days == (date(2026, 3, 5), date(2026, 3, 6))
    assert told.active == timedelta(minutes=10)


@pytest.mark.parametrize(
    "change",
    [datetime(2026, 3, 29, 1, 0, tzinfo=UTC), datetime(2026, 10, 25, 1, 0, tzinfo=UTC)],
)
def test_the_hour_that_a_clock_is_changed_by_is_no_working_time(change: datetime) -> None:
    told = ledger(change - timedelta(minutes=10), change + timedelta(minutes=10), zone=BERLIN)
    assert (told.wall, told.active) == (timedelta(minutes=20), timedelta(minutes=20))
    assert told.days == (change.date(),)


def test_a_clock_that_was_set_back_makes_no_time_and_loses_none() -> None:
    moments = [START + timedelta(minutes=minute) for minute in (0, 10, 20, 5, 15, 25)]
    script = at(START)
    for moment in moments[1:]:
        script.events.append(script.events[0])
        script.events[-1] = at(moment).events[0]
    told = build_ledger(script.session(), UTC)
    assert (told.started, told.ended) == (START, START + timedelta(minutes=25))
    assert told.active == timedelta(minutes=25)


def test_many_events_at_one_moment_take_no_time() -> None:
    script = Script()
    script.user("x")
    script.events = script.events * 230
    told = build_ledger(script.session(), UTC)
    assert (told.wall, told.active, len(told.days)) == (timedelta(), timedelta(), 1)


def test_times_written_as_milliseconds_count(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Fix the cart")
    rows.say("Done.")
    for second, row in enumerate(row for row in rows.rows if isinstance(row, dict)):
        row["timestamp"] = (int(START.timestamp()) + 60 * second) * 1000
    told = build_ledger(read(rows, tmp_path), UTC)
    assert (told.started, told.wall) == (START, timedelta(minutes=1))


@settings(max_examples=60)
@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=12))
def test_active_time_is_never_longer_than_the_wall_clock_s(seconds: list[int]) -> None:
    moments = [START + timedelta(seconds=second) for second in sorted(seconds)]
    told = ledger(*moments, zone=BERLIN)
    assert timedelta() <= told.active <= told.wall
    assert list(told.days) == sorted(set(told.days))
