from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from journald.cli.health import describe
from journald.daemon.status import LastEntry, LastError, Status
from journald.store.heartbeat import Heartbeat, Phase
from journald.store.queue import JobState

NOW = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)


def beat(**more: Any) -> Heartbeat:
    settings: dict[str, Any] = {
        "pid": 4242,
        "version": "0.1.0",
        "started": NOW - timedelta(hours=5),
        "beat": NOW - timedelta(seconds=3),
        "phase": Phase.WATCHING,
        "engine": "extractive",
        "engine_state": "none",
        "engine_reason": "vllm is not installed",
        "watcher": "inotify",
    }
    return Heartbeat(**(settings | more))


def test_where_no_daemon_ever_ran_it_says_how_to_start_one() -> None:
    text = describe(Status(at=NOW, running=False))
    assert text.startswith("journald is not running. Start it with `systemctl --user start")
    assert len(text.splitlines()) == 1


def test_a_daemon_at_work_is_described_on_one_screen() -> None:
    status = Status(
        at=NOW,
        running=True,
        heartbeat=beat(),
        jobs={JobState.PENDING: 2, JobState.DONE: 40},
        oldest_waiting=NOW - timedelta(minutes=7),
        narratives_pending=3,
        last_entry=LastEntry(session_id="s", path=Path("/j/a.md"), at=NOW - timedelta(days=2)),
    )
    assert describe(status).splitlines() == [
        "journald 0.1.0 is running (pid 4242, started 5 h ago, watching by inotify).",
        "  engine      extractive (none): vllm is not installed",
        "  jobs        2 waiting, 0 running, 40 done, 0 given up; the oldest was queued 7 min ago",
        "  narratives  3 to be written once the model can be had",
        "  last entry  2 d ago: /j/a.md",
    ]


def test_what_is_wrong_is_listed_with_where_to_look() -> None:
    status = Status(
        at=NOW,
        running=True,
        heartbeat=beat(engine="vllm", engine_state="down", engine_reason="out of memory"),
        jobs={JobState.DEAD: 1},
        last_error=LastError(
            session_id="s", at=NOW - timedelta(hours=1), state="dead", error="disk full"
        ),
    )
    lines = describe(status).splitlines()
    assert "  last error  1 h ago, session s, now dead: disk full" in lines
    assert lines[-4:-1] == ["Not as it should be:", *(f"  - {one}" for one in status.problems)]
    assert "journalctl" in lines[-1]


def test_a_dead_daemon_says_when_it_was_last_heard_of_and_no_engine_state() -> None:
    text = describe(Status(at=NOW, running=False, heartbeat=beat(beat=NOW - timedelta(hours=2))))
    assert "is not running, last heard of 2 h ago." in text
    assert "(none)" not in text


def test_a_time_in_the_future_is_called_that() -> None:
    last = LastEntry(session_id="s", path=Path("/j/a.md"), at=NOW + timedelta(hours=2))
    text = describe(Status(at=NOW, running=True, heartbeat=beat(), last_entry=last))
    assert "in the future" in text
