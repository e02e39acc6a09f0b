import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from journald import config
from journald.errors import (
    StateCorruptError,
    StateError,
    StateNewerError,
    StateUnavailableError,
)
from journald.store import database
from journald.store.database import (
    APPLICATION_ID,
    execute,
    open_database,
    rows,
    set_aside,
    transaction,
)
from journald.store.gaps import Gaps, read_coverage, write_gaps
from journald.store.migrations import Migration, migrations
from journald.store.queue import JobReason, Queue
from journald.store.sessions import Sessions
from tests.clock import NOON, Clock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journald.sqlite3"


def made(path: Path) -> Path:
    open_database(path, migrate=True).close()
    return path


def test_a_new_database_records_every_step_and_is_marked_as_ours(path: Path) -> None:
    with closing(open_database(path, migrate=True)) as connection:
        names = [row["name"] for row in rows(connection, "SELECT name FROM migrations")]
        application = rows(connection, "PRAGMA application_id")[0][0]
        version = rows(connection, "PRAGMA user_version")[0][0]

    assert names == [migration.name for migration in migrations()]
    assert application == APPLICATION_ID
    assert version == len(migrations())


def test_the_versions_of_the_steps_count_from_one_without_gaps() -> None:
    assert [step.version for step in migrations()] == [*range(1, len(migrations()) + 1)]


def test_opening_again_applies_nothing_twice(path: Path) -> None:
    made(path)
    with closing(open_database(made(path), migrate=True)) as connection:
        assert rows(connection, "SELECT count(*) AS n FROM migrations")[0]["n"] == len(migrations())


def test_all_its_files_are_private(path: Path) -> None:
    with closing(open_database(path, migrate=True)) as connection:
        execute(connection, "INSERT INTO origin VALUES (1, 0, 0)")
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}

    assert set(modes) == {path.name, f"{path.name}-wal", f"{path.name}-shm"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_every_table_is_strict(path: Path) -> None:
    with closing(open_database(path, migrate=True)) as connection:
        loose = rows(
            connection,
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict"
            " AND name NOT LIKE 'sqlite%'",
        )
    assert loose == []


def test_a_newer_schema_is_refused_by_name(path: Path) -> None:
    with closing(open_database(path, migrate=True)) as connection:
        connection.execute("PRAGMA user_version = 99")

    with pytest.raises(StateNewerError, match="schema 99"):
        open_database(path, migrate=True)


def test_a_step_that_fails_half_way_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = migrations()
    bad = Migration(
        version=len(good) + 1,
        name="9999_bad",
        statements="CREATE TABLE half (x TEXT) STRICT; CREATE TABLE half (x TEXT) STRICT;",
    )
    monkeypatch.setattr(database, "migrations", lambda: (*good, bad))
    with pytest.raises(StateError):
        open_database(path, migrate=True)

    monkeypatch.undo()
    with closing(open_database(path, migrate=True)) as connection:
        tables = {row["name"] for row in rows(connection, "SELECT name FROM sqlite_schema")}
        assert "half" not in tables
        assert rows(connection, "PRAGMA user_version")[0][0] == len(good)


def test_only_who_migrates_creates_it(path: Path) -> None:
    with pytest.raises(StateError, match="does not exist"):
        open_database(path, migrate=False)
    assert not path.parent.exists()


def test_an_older_schema_is_left_to_the_daemon(path: Path) -> None:
    with closing(open_database(path, migrate=True)) as connection:
        connection.execute("PRAGMA user_version = 0")

    with pytest.raises(StateError, match="earlier journald") as caught:
        open_database(path, migrate=False)
    assert "journald run" in str(caught.value.hint)


@pytest.fixture
def first_schema(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a database as the first journald left it, with rows."""
    first = migrations()[:1]
    with monkeypatch.context() as before:
        before.setattr(database, "migrations", lambda: first)
        with closing(open_database(path, migrate=True)) as connection:
            sessions = Sessions(connection)
            sessions.notice("a", Path("/p/a.jsonl"), NOON)
            sessions.mark_journaled(
                "a", mark="1-a", entry=Path("/j/a.md"), status="complete", at=NOON
            )
            queue = Queue(connection, config.Queue(), Clock(NOON))
            queue.enqueue("a", Path("/p/a.jsonl"), JobReason.GROWN)
    return path


def test_a_database_of_the_first_schema_keeps_its_rows_and_gets_the_new_tables(
    first_schema: Path,
) -> None:
    with closing(open_database(first_schema, migrate=True)) as connection:
        assert rows(connection, "PRAGMA user_version")[0][0] == len(migrations())
        known = Sessions(connection).get("a")
        job = Queue(connection, config.Queue(), Clock(NOON)).claim()
        write_gaps(connection, "a", Gaps(broken=2))
        assert read_coverage(connection, 9).broken == 1
    assert known is not None
    assert (known.handled_mark, known.entry_path) == ("1-a", Path("/j/a.md"))
    assert job is not None
    assert job.reason is JobReason.GROWN


def test_a_reader_leaves_the_first_schema_as_it_is_and_says_what_to_do(first_schema: Path) -> None:
    with pytest.raises(StateError, match="earlier journald") as caught:
        open_database(first_schema, migrate=False, read_only=True)
    assert "journald run" in str(caught.value.hint)
    with closing(sqlite3.connect(first_schema)) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)


def test_a_database_of_another_program_is_not_touched(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE songs (name TEXT)")
        other.commit()
    before = path.read_bytes()

    with pytest.raises(StateError, match="another program"):
        open_database(path, migrate=True)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all, only some text\n" * 30, b"\0" * 8192])
def test_garbage_is_recognised_as_damage(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)

    with pytest.raises(StateCorruptError):
        open_database(path, migrate=True)


def test_a_damaged_page_is_recognised(path: Path) -> None:
    with closing(open_database(path, migrate=True)) as connection:
        for number in range(2000):
            execute(
                connection,
                "INSERT INTO sessions (session_id, path, standing) VALUES (:id, '/x', 'open')",
                {"id": f"session-{number:08}"},
            )
        execute(connection, "PRAGMA wal_checkpoint(TRUNCATE)")
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 8192] = b"\xaa" * 8192
    path.write_bytes(content)

    with pytest.raises(StateCorruptError):
        open_database(path, migrate=True)


def test_setting_aside_makes_room_for_a_new_one(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"garbage")
    path.with_name(f"{path.name}-wal").write_bytes(b"more")

    aside = set_aside(path, NOON)

    assert aside.name == "journald.sqlite3.corrupt-20260305T120000000000Z"
    assert aside.read_bytes() == b"garbage"
    assert {file.name for file in path.parent.iterdir()} == {aside.name, f"{aside.name}-wal"}
    made(path)


def test_a_reader_needs_no_right_to_write_and_sees_what_was_committed(path: Path) -> None:
    with closing(open_database(path, migrate=True)) as writer:
        execute(writer, "INSERT INTO origin VALUES (1, 5, 6)")
    with closing(open_database(path, migrate=False, read_only=True)) as reader:
        assert rows(reader, "SELECT first_start_us FROM origin")[0][0] == 5
        with pytest.raises(StateError):
            execute(reader, "DELETE FROM origin")


def test_a_transaction_is_all_or_nothing_and_joins_the_outer_one(path: Path) -> None:
    with closing(open_database(path, migrate=True)) as connection:

        def fail_inside() -> None:
            with transaction(connection):
                execute(connection, "INSERT INTO origin VALUES (1, 5, 6)")
                with transaction(connection):
                    raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fail_inside()
        assert rows(connection, "SELECT * FROM origin") == []
        assert not connection.in_transaction


def test_a_lock_held_by_another_is_an_error_that_passes(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_BUSY_SECONDS", 0.05)
    with (
        closing(open_database(path, migrate=True)) as holder,
        closing(open_database(path, migrate=False)) as other,
        transaction(holder),
        pytest.raises(StateUnavailableError) as caught,
        transaction(other),
    ):
        pass
    assert caught.value.retryable


def test_a_connection_handed_to_another_thread_works_there(path: Path) -> None:
    made(path)
    with closing(open_database(path, migrate=False, any_thread=True)) as connection:
        seen: list[int] = []
        thread = threading.Thread(
            target=lambda: seen.append(rows(connection, "SELECT 7 AS n")[0]["n"])
        )
        thread.start()
        thread.join()
    assert seen == [7]
