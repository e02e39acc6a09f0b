import json
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest

from journald import config
from journald.daemon.lock import InstanceLock
from journald.daemon.status import Status, read_status, to_json
from journald.errors import StateCorruptError
from journald.store.database import database_path, open_database
from journald.store.gaps import Gaps, UnknownKind, write_gaps
from journald.store.heartbeat import Heartbeat, Phase, write_heartbeat
from journald.store.queue import JobReason, JobState, Queue
from journald.store.sessions import Sessions, Standing
from tests.clock import NOON, Clock

FILE = Path("/p/a.jsonl")
HOUR = timedelta(hours=1)


@pytest.fixture
def settings(tmp_path: Path) -> config.Settings:
    return config.defaults({"HOME": str(tmp_path)})


def database(settings: config.Settings) -> Connection:
    return open_database(database_path(settings.state_dir), migrate=True)


def beat(**changes: Any) -> Heartbeat:
    values: dict[str, Any] = {
        "pid": 7,
        "version": "1",
        "started": NOON - HOUR,
        "beat": NOON,
        "phase": Phase.WATCHING,
        "engine": "vllm",
        "engine_state": "warm",
        "engine_reason": "there is a GPU",
        "watcher": "inotify",
    }
    return Heartbeat(**(values | changes))


def test_where_no_daemon_ever_ran_it_is_empty_and_leaves_nothing(
    settings: config.Settings,
) -> None:
    status = read_status(settings, NOON)
    assert status == Status(at=NOON, running=False)
    assert not settings.state_dir.exists()
    assert to_json(status)["healthy"] is False


def test_while_a_first_start_creates_the_database_it_is_empty(settings: config.Settings) -> None:
    settings.state_dir.mkdir(parents=True)
    database_path(settings.state_dir).touch()
    assert read_status(settings, NOON) == Status(at=NOON, running=False)


def test_it_reads_what_a_dead_daemon_left(settings: config.Settings) -> None:
    clock = Clock(NOON - HOUR)
    with closing(database(settings)) as connection:
        write_heartbeat(connection, beat())
        queue = Queue(connection, settings.queue, clock)
        sessions = Sessions(connection)
        for name in ("a", "b", "c"):
            sessions.notice(name, FILE, NOON)
            queue.enqueue(name, FILE, JobReason.NEW)
        job = queue.claim()
        assert job is not None
        queue.finish(job, "created")
        sessions.mark_journaled(
            "a", mark="1-a", entry=Path("/j/a.md"), status="narrative-pending", at=NOON
        )
        job = queue.claim()
        assert job is not None
        queue.fail(job, "line 3 is unreadable", retryable=False)

    status = read_status(settings, NOON)
    assert not status.running
    assert status.heartbeat == beat()
    assert status.jobs == {JobState.PENDING: 1, JobState.DONE: 1, JobState.DEAD: 1}
    assert status.oldest_waiting == NOON - HOUR
    assert status.sessions == {Standing.OPEN: 2, Standing.JOURNALED: 1}
    assert status.narratives_pending == 1
    assert status.last_entry is not None
    assert status.last_entry.path == Path("/j/a.md")
    assert status.last_error is not None
    assert status.last_error.error == "line 3 is unreadable"
    assert status.problems == ("1 sessions were given up",)


def test_the_last_error_tells_what_became_of_its_job_since(settings: config.Settings) -> None:
    clock = Clock(NOON)
    with closing(database(settings)) as connection:
        queue = Queue(connection, settings.queue, clock)
        Sessions(connection).notice("a", FILE, NOON)
        queue.enqueue("a", FILE, JobReason.NEW)
        job = queue.claim()
        assert job is not None
        queue.postpone(job, "no space left")
        clock.go(hours=1)
        job = queue.claim()
        assert job is not None
        error = read_status(settings, clock()).last_error
        assert error is not None
        assert (error.state, error.error) == ("running", "no space left")
        assert error.at == NOON
        queue.finish(job, "created")

    error = read_status(settings, clock()).last_error
    assert error is not None
    assert (error.state, error.error) == ("done", "no space left")


def test_a_job_that_waits_for_something_outside_of_it_is_a_problem(
    settings: config.Settings,
) -> None:
    with closing(database(settings)) as connection:
        queue = Queue(connection, settings.queue, Clock(NOON))
        Sessions(connection).notice("a", FILE, NOON)
        queue.enqueue("a", FILE, JobReason.NEW)
        assert read_status(settings, NOON).problems == ()
        job = queue.claim()
        assert job is not None
        queue.postpone(job, "/j: No space left on device.")
    assert read_status(settings, NOON).problems == (
        "1 sessions wait: /j: No space left on device.",
    )


def test_running_means_that_the_lock_is_held(settings: config.Settings) -> None:
    with InstanceLock(settings.state_dir):
        assert read_status(settings, NOON).running
    assert not read_status(settings, NOON).running


def test_json_is_plain_and_names_its_units(settings: config.Settings) -> None:
    clock = Clock(NOON - HOUR)
    with closing(database(settings)) as connection:
        write_heartbeat(connection, beat(beat=NOON - timedelta(seconds=5)))
        Queue(connection, settings.queue, clock).enqueue("a", FILE, JobReason.NEW)
    report = json.loads(json.dumps(to_json(read_status(settings, NOON))))
    assert report["schema"] == 1
    assert report["daemon"]["beat_age_seconds"] == 5
    assert report["oldest_waiting_seconds"] == 3600
    assert report["jobs"] == {"pending": 1, "running": 0, "done": 0, "dead": 0}
    assert report["engine"] == {"name": "vllm", "state": None, "reason": "there is a GPU"}


@pytest.mark.parametrize(
    ("late", "problem"),
    [
        ({"beat": NOON - HOUR}, "not been heard of"),
        ({"engine_state": "down", "engine_reason": "no memory"}, "the engine is down: no memory"),
    ],
)
def test_a_daemon_that_runs_and_does_nothing_is_no_healthy_one(
    settings: config.Settings, late: dict[str, Any], problem: str
) -> None:
    with InstanceLock(settings.state_dir), closing(database(settings)) as connection:
        write_heartbeat(connection, beat(**late))
        status = read_status(settings, NOON)
    assert len(status.problems) == 1
    assert problem in status.problems[0]


def test_a_session_that_waits_for_hours_is_a_problem(settings: config.Settings) -> None:
    with closing(database(settings)) as connection:
        queue = Queue(connection, settings.queue, Clock(NOON - 7 * HOUR))
        queue.enqueue("a", FILE, JobReason.NARRATIVE)
        assert read_status(settings, NOON).problems == ()
        queue.enqueue("b", FILE, JobReason.NEW)
    assert "waits since" in read_status(settings, NOON).problems[0]


def test_what_could_not_be_read_is_told_and_is_no_problem(settings: config.Settings) -> None:
    new = UnknownKind(version="2.1.300", kind="new-type", count=12)
    with InstanceLock(settings.state_dir), closing(database(settings)) as connection:
        write_heartbeat(connection, beat())
        Sessions(connection).notice("a", FILE, NOON)
        write_gaps(connection, "a", Gaps(broken=1, skipped_bytes=9, unknown=12, kinds=(new,)))
        status = read_status(settings, NOON)
    assert status.problems == ()
    told = json.loads(json.dumps(to_json(status)))
    assert told["healthy"] is True
    assert told["not_read"] == {
        "unknown_kinds": [{"version": "2.1.300", "kind": "new-type", "count": 12, "sessions": 1}],
        "unknown_kinds_left_out": 0,
        "sessions": {
            "unknown": 1, "broken": 1, "recovered": 0, "skipped": 1, "elided": 0,
            "truncated": 0, "damaged": 1,
        },
    }  # fmt: skip


def test_a_damaged_database_is_said_not_hidden(settings: config.Settings) -> None:
    settings.state_dir.mkdir(parents=True)
    database_path(settings.state_dir).write_bytes(b"no database" * 100)
    with pytest.raises(StateCorruptError) as caught:
        read_status(settings, NOON)
    assert "journald run" in str(caught.value.hint)
