from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.config.duration import LONGEST, format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90s", 90), ("15m", 900), ("2h", 7200), ("7d", 604800), ("1h30m", 5400), ("0s", 0), ("007s", 7)],
)  # fmt: skip
def test_a_duration_is_a_number_with_its_unit(text: str, seconds: int) -> None:
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text", ["", "90", "s", "-5m", "1.5h", "5 m", "5M", "30m1h", "5m5m", "٣m", "15m\n", "1w", "9" * 40 + "s"]
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a duration is"):
        parse_duration(text)


def test_more_than_ten_years_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 3650d"):
        parse_duration("3650d1s")


@given(st.integers(0, int(LONGEST.total_seconds())))
@settings(max_examples=200, deadline=None)
def test_what_is_written_reads_back(seconds: int) -> None:
    duration = timedelta(seconds=seconds)
    assert parse_duration(format_duration(duration)) == duration
