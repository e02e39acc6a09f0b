from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from journald.store.database import open_database
from journald.store.heartbeat import Heartbeat, Phase, read_heartbeat, write_heartbeat
from journald.store.sessions import Sessions, Standing
from tests.clock import NOON

FILE = Path("/p/a.jsonl")
HOUR = timedelta(hours=1)


@pytest.fixture
def sessions(tmp_path: Path) -> Iterator[Sessions]:
    with closing(open_database(tmp_path / "s.sqlite3", migrate=True)) as connection:
        yield Sessions(connection)


def observe(sessions: Sessions, mark: str = "1-a") -> None:
    sessions.observe(
        "a",
        FILE,
        signature="s1",
        mark=mark,
        seen_at=NOON,
        last_activity=NOON - HOUR,
        pending=True,
    )


def test_what_was_observed_is_read_back_to_the_microsecond(sessions: Sessions) -> None:
    at = NOON.replace(microsecond=123457)
    sessions.observe(
        "a", FILE, signature="s", mark="m", seen_at=at, last_activity=None, pending=False
    )
    known = sessions.get("a")
    assert known is not None
    assert (known.mark_seen_at, known.last_activity, known.standing) == (at, None, Standing.OPEN)


def test_observing_leaves_what_was_settled_as_it_is(sessions: Sessions) -> None:
    observe(sessions)
    sessions.mark_journaled("a", mark="1-a", entry=Path("/j/a.md"), status="complete", at=NOON)
    observe(sessions, mark="2-b")
    known = sessions.get("a")
    assert known is not None
    assert (known.standing, known.handled_mark, known.mark) == (Standing.JOURNALED, "1-a", "2-b")
    assert known.entry_path == Path("/j/a.md")


@pytest.mark.parametrize("back", [Standing.UNREADABLE, Standing.SOURCE_DELETED])
def test_what_can_be_read_again_is_open_again(sessions: Sessions, back: Standing) -> None:
    observe(sessions)
    if back is Standing.UNREADABLE:
        sessions.mark_unreadable("a", FILE, "s2", "no right to read")
    else:
        sessions.mark_source_deleted("a")
    observe(sessions)
    known = sessions.get("a")
    assert known is not None
    assert known.standing is Standing.OPEN


def test_the_earlier_look_wins(sessions: Sessions) -> None:
    sessions.notice("a", FILE, NOON + HOUR)
    sessions.notice("a", FILE, NOON + 2 * HOUR)
    assert sessions.next_look() == NOON + HOUR
    sessions.notice("a", FILE, NOON)
    assert sessions.next_look() == NOON


def test_a_look_is_due_in_time_and_when_the_clock_was_set_back(sessions: Sessions) -> None:
    sessions.notice("a", FILE, NOON + HOUR)
    assert sessions.due(NOON, longest=2 * HOUR) == ()
    assert [known.session_id for known in sessions.due(NOON + HOUR, longest=2 * HOUR)] == ["a"]
    assert [known.session_id for known in sessions.due(NOON - 48 * HOUR, 2 * HOUR)] == ["a"]


def test_an_entry_is_adopted_once(sessions: Sessions) -> None:
    entry = Path("/j/a.md")
    assert sessions.adopt("a", mark="1-a", entry=entry, status="complete")
    assert not sessions.adopt("a", mark="9-z", entry=entry, status="complete")
    known = sessions.get("a")
    assert known is not None
    assert (known.standing, known.handled_mark) == (Standing.JOURNALED, "1-a")


def test_the_origin_is_fixed_once(sessions: Sessions) -> None:
    assert sessions.history_before() is None
    sessions.set_origin(NOON, NOON - HOUR)
    assert sessions.history_before() == NOON - HOUR


def test_there_is_one_heartbeat_the_last(tmp_path: Path) -> None:
    beat = Heartbeat(
        pid=7,
        version="1",
        started=NOON,
        beat=NOON,
        phase=Phase.WATCHING,
        engine="vllm",
        engine_state="cold",
        engine_reason="a GPU",
        watcher="inotify",
    )
    with closing(open_database(tmp_path / "s.sqlite3", migrate=True)) as connection:
        assert read_heartbeat(connection) is None
        write_heartbeat(connection, beat)
        write_heartbeat(connection, beat)
        assert read_heartbeat(connection) == beat
