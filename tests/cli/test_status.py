import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from journald.daemon.lock import InstanceLock
from journald.errors import ExitCode
from journald.paths import state_dir
from journald.store.database import database_path, open_database
from journald.store.gaps import Gaps, UnknownKind, write_gaps
from journald.store.heartbeat import Heartbeat, Phase, write_heartbeat
from journald.store.sessions import Sessions
from tests.cli.commands import Journald


def test_without_a_daemon_it_says_so_and_exits_12(journald: Journald, isolated_home: Path) -> None:
    ran = journald("status")
    assert ran.code == ExitCode.NOT_RUNNING
    assert "not running" in ran.out
    shown = journald("status", "--json")
    assert shown.code == ExitCode.NOT_RUNNING
    assert (shown.json["schema"], shown.json["running"]) == (1, False)
    assert not state_dir({"HOME": str(isolated_home)}).exists()


def beat(home: Path, engine_state: str) -> None:
    now = datetime.now(UTC)
    connection = open_database(database_path(state_dir({"HOME": str(home)})), migrate=True)
    write_heartbeat(
        connection,
        Heartbeat(
            pid=7,
            version="0.1.0",
            started=now,
            beat=now,
            phase=Phase.WATCHING,
            engine="vllm",
            engine_state=engine_state,
            engine_reason="out of memory",
            watcher="inotify",
        ),
    )
    connection.close()


def test_a_daemon_that_is_well_exits_0(journald: Journald, isolated_home: Path) -> None:
    with InstanceLock(state_dir({"HOME": str(isolated_home)})):
        beat(isolated_home, "cold")
        ran = journald("status")
    assert ran.code == 0
    assert "is running (pid 7" in ran.out


def test_a_daemon_with_a_problem_exits_13(journald: Journald, isolated_home: Path) -> None:
    with InstanceLock(state_dir({"HOME": str(isolated_home)})):
        beat(isolated_home, "down")
        ran = journald("status")
        assert journald("status", "--json").json["problems"]
    assert ran.code == ExitCode.DEGRADED
    assert "the engine is down: out of memory" in ran.out


def test_what_could_not_be_read_is_named_and_exits_0(
    journald: Journald, isolated_home: Path
) -> None:
    state = state_dir({"HOME": str(isolated_home)})
    with InstanceLock(state):
        beat(isolated_home, "cold")
        new = UnknownKind(version="2.1.300", kind="new-type", count=12)
        with closing(open_database(database_path(state), migrate=False)) as connection:
            for name in ("a", "b", "c"):
                Sessions(connection).notice(name, Path("/p"), datetime.now(UTC))
                write_gaps(connection, name, Gaps(unknown=4, broken=1, kinds=(new,)))
        ran = journald("status")
        shown = journald("status", "--json")
    assert (ran.code, shown.code) == (0, 0)
    assert "2.1.300: new-type (36 in 3 sessions)" in ran.out
    assert "3 sessions: 3 with lines that cannot be read" in ran.out
    assert "Not as it should be" not in ran.out
    assert shown.json["not_read"]["unknown_kinds"][0]["kind"] == "new-type"


def test_a_database_of_an_earlier_journald_exits_14_and_names_the_way(
    journald: Journald, isolated_home: Path
) -> None:
    path = database_path(state_dir({"HOME": str(isolated_home)}))
    open_database(path, migrate=True).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
    ran = journald("status")
    assert ran.code == ExitCode.STATE_UNUSABLE
    assert "start `journald run` once" in ran.err


def test_a_state_that_is_no_database_exits_14(journald: Journald, isolated_home: Path) -> None:
    path = database_path(state_dir({"HOME": str(isolated_home)}))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 1000)
    assert journald("status").code == ExitCode.STATE_UNUSABLE
