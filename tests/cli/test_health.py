from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from journald.cli.health import describe
from journald.daemon.status import LastEntry, LastError, Status
from journald.store.gaps import Coverage, MetKind
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


def met(number: int, version: str = "2.1.300") -> MetKind:
    return MetKind(version=version, kind=f"kind-{number}", count=1000 + number, sessions=number)


def not_read(coverage: Coverage) -> list[str]:
    status = Status(at=NOW, running=True, heartbeat=beat(), coverage=coverage)
    return describe(status).splitlines()[3:]


def test_kinds_that_are_not_known_are_listed_by_version() -> None:
    coverage = Coverage(unknown=3, kinds=(met(3), met(2, "2.1.301"), met(1)))
    assert not_read(coverage) == [
        "  not known   2.1.300: kind-3 (1,003 in 3 sessions), kind-1 (1,001 in 1 session)",
        "              2.1.301: kind-2 (1,002 in 2 sessions)",
    ]


def test_of_many_kinds_a_few_are_listed_and_the_rest_counted() -> None:
    coverage = Coverage(kinds=tuple(met(number) for number in range(9)), kinds_left_out=100)
    first, rest = not_read(coverage)
    assert first.count("kind-") == 5
    assert rest == "              and 104 more kinds; --json lists them"


def test_sessions_that_could_not_be_read_in_full_are_counted() -> None:
    coverage = Coverage(broken=2, recovered=1, skipped=1, elided=1, truncated=1, damaged=3)
    damaged, left_out = not_read(coverage)
    assert left_out == "  left out    1 session so long that not all tool output was kept"
    assert damaged == (
        "  damaged     3 sessions: 2 with lines that cannot be read, 1 with lines that were mended,"
        " 1 with lines too long to read, 1 that end within a line"
    )


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
