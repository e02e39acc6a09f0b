from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection

import pytest

from journald.store.database import execute, open_database, rows
from journald.store.gaps import (
    Coverage,
    Gaps,
    MetKind,
    UnknownKind,
    read_coverage,
    write_gaps,
)
from journald.store.sessions import Sessions
from tests.clock import NOON

NEW = UnknownKind(version="2.1.300", kind="new-type", count=3)
OLD = UnknownKind(version="2.1.299", kind="user/odd", count=1)
DAMAGED = Gaps(
    broken=1,
    recovered=2,
    unknown=4,
    skipped_bytes=5,
    elided_chars=6,
    truncated=True,
    kinds=(NEW, OLD),
)


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "s.sqlite3", migrate=True)) as made:
        for name in ("a", "b", "c"):
            Sessions(made).notice(name, Path(f"/p/{name}.jsonl"), NOON)
        yield made


def coverage(connection: Connection, most: int = 9) -> Coverage:
    return read_coverage(connection, most)


def test_where_all_was_read_nothing_is_kept(connection: Connection) -> None:
    assert write_gaps(connection, "a", Gaps()) == ()
    assert coverage(connection) == Coverage()
    assert rows(connection, "SELECT * FROM gaps") == []


def test_what_could_not_be_read_is_counted_by_session(connection: Connection) -> None:
    write_gaps(connection, "a", DAMAGED)
    write_gaps(connection, "b", Gaps(broken=7))
    write_gaps(connection, "c", Gaps(unknown=2, kinds=(NEW,)))
    assert coverage(connection) == Coverage(
        broken=2,
        recovered=1,
        unknown=2,
        skipped=1,
        elided=1,
        truncated=1,
        damaged=2,
        kinds=(
            MetKind(version="2.1.300", kind="new-type", count=6, sessions=2),
            MetKind(version="2.1.299", kind="user/odd", count=1, sessions=1),
        ),
    )


def test_reading_a_session_again_replaces_its_counts(connection: Connection) -> None:
    for _ in range(3):
        write_gaps(connection, "a", DAMAGED)
    assert coverage(connection).kinds[0] == MetKind(
        version="2.1.300", kind="new-type", count=3, sessions=1
    )
    write_gaps(connection, "a", Gaps(truncated=True))
    assert coverage(connection) == Coverage(truncated=1, damaged=1)
    write_gaps(connection, "a", Gaps(elided_chars=1))
    assert coverage(connection) == Coverage(elided=1)
    write_gaps(connection, "a", Gaps())
    assert coverage(connection) == Coverage()


def test_a_kind_is_new_once_per_version_over_all_sessions(connection: Connection) -> None:
    later = UnknownKind(version="2.1.301", kind="new-type", count=1)
    assert write_gaps(connection, "a", Gaps(unknown=3, kinds=(NEW,))) == (NEW,)
    assert write_gaps(connection, "a", Gaps(unknown=3, kinds=(NEW,))) == ()
    assert write_gaps(connection, "b", Gaps(unknown=9, kinds=(NEW, later))) == (later,)


def test_a_session_that_goes_takes_its_counts_along_but_its_kinds_stay_named(
    connection: Connection,
) -> None:
    write_gaps(connection, "a", DAMAGED)
    execute(connection, "DELETE FROM sessions WHERE session_id = 'a'")
    assert coverage(connection) == Coverage()
    assert rows(connection, "SELECT * FROM unknown_kinds") == []
    assert write_gaps(connection, "b", DAMAGED) == ()


def test_of_a_session_that_is_not_known_nothing_is_kept(connection: Connection) -> None:
    assert write_gaps(connection, "nobody", DAMAGED) == (NEW, OLD)
    assert coverage(connection) == Coverage()


def test_of_many_kinds_those_of_most_sessions_come_first_and_the_rest_is_counted(
    connection: Connection,
) -> None:
    rare = tuple(UnknownKind(version="2", kind=f"k{number}", count=50) for number in range(9))
    write_gaps(connection, "a", Gaps(unknown=9, kinds=(*rare, OLD)))
    write_gaps(connection, "b", Gaps(unknown=1, kinds=(OLD,)))
    found = coverage(connection, most=4)
    assert [kind.kind for kind in found.kinds] == ["user/odd", "k0", "k1", "k2"]
    assert found.kinds_left_out == 6


@pytest.mark.parametrize("gaps", [DAMAGED, Gaps(skipped_bytes=1), Gaps(recovered=1)])
def test_gaps_are_true_where_there_is_one(gaps: Gaps) -> None:
    assert gaps
    assert not Gaps()
