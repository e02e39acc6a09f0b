from datetime import UTC, date, datetime, timedelta

import pytest

from journald.journal.entry import Entry, build_entry, tag_of
from tests.journal.entries import BERLIN, NOW, entry, ledger, summary
from tests.sessions import START, Script


def of_times(*times: datetime | None) -> Entry:
    known = [time for time in times if time is not None]
    script = Script(start=known[0] if known else START)
    script.user("hello")
    facts = ledger(started=known[0] if known else None, ended=known[-1] if known else None)
    return build_entry(script.session(), facts, summary(), fingerprint="f", zone=BERLIN, now=NOW)


def test_the_day_is_the_local_day_on_which_the_session_began() -> None:
    late = datetime(2026, 3, 4, 23, 30, tzinfo=UTC)
    built = of_times(late, late + timedelta(hours=2))
    assert built.day == date(2026, 3, 5)
    assert built.started is not None
    assert built.started.isoformat() == "2026-03-05T00:30:00+01:00"


def test_a_session_over_the_change_to_summer_time_has_both_offsets() -> None:
    built = of_times(
        datetime(2026, 3, 29, 0, 30, tzinfo=UTC), datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    )
    built_now = [built.started, built.ended]
    assert [time.isoformat()[-6:] for time in built_now if time] == ["+01:00", "+02:00"]


def test_a_session_without_a_valid_time_has_no_day() -> None:
    built = of_times(None)
    assert (built.day, built.started, built.ended) == (None, None, None)


def test_a_time_in_the_future_does_not_make_the_day() -> None:
    script = Script()
    script.user("hello")
    facts = ledger(started=START, ended=datetime(2031, 1, 1, tzinfo=UTC))
    built = build_entry(script.session(), facts, summary(), fingerprint="f", zone=BERLIN, now=NOW)
    assert (built.started, built.ended) == (START, START)


def test_models_stand_in_the_order_of_their_use_without_what_no_model_wrote() -> None:
    built = entry(facts={"models": {"a": 1, "<synthetic>": 9, "b": 5}})
    assert [*built.models] == ["b", "a"]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("#bug", "bug"),
        ("two words!", "two-words"),
        ("2026", "t2026"),
        ("a/b", "a/b"),
        ("…", ""),
        ("größe", "größe"),
    ],
)
def test_tags_are_such_as_notes_apps_take(text: str, tag: str) -> None:
    assert tag_of(text) == tag
