"""The daemon as it really runs: a process, signals, files, a clock that nobody holds."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from journald import config
from journald.daemon.status import Status, read_status
from journald.errors import ExitCode
from journald.store.database import database_path, open_database, rows
from journald.store.heartbeat import Phase
from journald.store.queue import JobState
from journald.store.sessions import Standing
from tests.rows import Rows

ONE = "00000000-0000-4000-8000-000000000001"
TWO = "00000000-0000-4000-8000-000000000002"
REPOSITORY = Path(__file__).parents[2]
PATIENCE_SECONDS = 20.0


class Home:
    """A home folder with sessions in it, and daemons that look after it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings = config.defaults({"HOME": str(folder)})
        self.projects = self.settings.projects[0]
        self.processes: list[subprocess.Popen[str]] = []

    def start(self, engine: str = "extractive", **environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.daemon.child", engine],
            cwd=REPOSITORY,
            env={"HOME": str(self.folder), "PATH": os.environ["PATH"], "TZ": "UTC"} | environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.processes.append(process)
        return process

    def end(self, process: subprocess.Popen[str], number: signal.Signals) -> list[dict[str, Any]]:
        """Send a signal; return the lines of the log."""
        process.send_signal(number)
        _, log = process.communicate(timeout=PATIENCE_SECONDS)
        return [json.loads(line) for line in log.splitlines()]

    def status(self) -> Status:
        return read_status(self.settings, datetime.now(UTC))

    def entries(self) -> list[Path]:
        return sorted(self.settings.notes_dir.rglob("*.md"))

    def write(self, made: Rows) -> Path:
        return made.write(self.projects / "-home-ada-shop")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    for process in made.processes:
        process.kill()
        process.communicate()


def wait_for(reached: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def talk(session_id: str = ONE) -> Rows:
    start = datetime.now(UTC) - timedelta(minutes=1)
    made = Rows(session_id, start=start, prefix=session_id[-8:])
    made.user("count the words of the readme")
    made.bash("wc -w README.md", "7 README.md")
    made.say("There are seven words in the readme.")
    return made


def test_from_a_session_that_goes_idle_to_its_entry_and_to_the_refreshed_entry(
    home: Home,
) -> None:
    process = home.start()
    wait_for(lambda: home.status().running)
    one, two = talk(ONE), talk(TWO)
    home.write(one)
    home.write(two)
    wait_for(lambda: len(home.entries()) == 2)
    wait_for(lambda: home.status().jobs == {JobState.DONE: 2})
    mine, other = sorted(home.entries(), key=lambda path: ONE not in path.read_text())
    before = other.stat()
    mine.write_text(mine.read_text() + "\nMy own thought.\n")

    one.now = datetime.now(UTC)
    one.user("and the lines of the changelog")
    one.say("Nine lines.")
    home.write(one)
    wait_for(lambda: "lines of the changelog" in mine.read_text())

    assert "My own thought." in mine.read_text()
    assert len(home.entries()) == 2
    assert (other.stat().st_ino, other.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)

    log = home.end(process, signal.SIGTERM)
    assert process.returncode == ExitCode.OK
    events = [line["event"] for line in log]
    assert events[-1] == "daemon_stopped"
    assert events.count("job_finished") == 3
    assert "count the words" not in json.dumps(log)
    status = home.status()
    assert not status.running
    assert status.heartbeat is not None
    assert status.heartbeat.phase is Phase.STOPPED
    assert status.sessions == {Standing.JOURNALED: 2}


def test_killed_in_the_middle_of_a_job_it_writes_the_entry_after_the_next_start_once(
    home: Home,
) -> None:
    home.write(talk())
    process = home.start("stuck")
    wait_for(lambda: home.status().jobs == {JobState.RUNNING: 1})
    home.end(process, signal.SIGKILL)
    assert home.entries() == []
    assert not home.status().running
    leftover = home.settings.notes_dir / ".0123456789ab.journald-tmp"
    home.settings.notes_dir.mkdir(exist_ok=True)
    leftover.write_text("half an ent")

    process = home.start()
    wait_for(lambda: home.status().jobs == {JobState.DONE: 1})
    home.end(process, signal.SIGTERM)
    assert len(home.entries()) == 1
    assert not leftover.exists()
    with closing(open_database(database_path(home.settings.state_dir), migrate=False)) as found:
        assert rows(found, "SELECT attempts FROM jobs")[0]["attempts"] == 2


def test_asked_to_stop_in_the_middle_of_a_job_it_gives_the_job_back_uncounted(
    home: Home,
) -> None:
    home.write(talk())
    process = home.start("stuck")
    wait_for(lambda: home.status().jobs == {JobState.RUNNING: 1})
    log = home.end(process, signal.SIGTERM)
    assert process.returncode == ExitCode.OK
    assert "job_released" in [line["event"] for line in log]
    with closing(open_database(database_path(home.settings.state_dir), migrate=False)) as found:
        job = rows(found, "SELECT state, attempts FROM jobs")[0]
    assert (job["state"], job["attempts"]) == ("pending", 0)


def test_a_second_daemon_is_refused(home: Home) -> None:
    home.start()
    wait_for(lambda: home.status().running)
    second = home.start()
    _, said = second.communicate(timeout=PATIENCE_SECONDS)
    assert second.returncode == ExitCode.ALREADY_RUNNING
    assert "another journald" in said


def test_with_its_database_gone_or_damaged_nothing_is_written_twice(home: Home) -> None:
    home.write(talk())
    process = home.start()
    wait_for(lambda: home.status().jobs == {JobState.DONE: 1})
    home.end(process, signal.SIGTERM)
    (entry,) = home.entries()
    before = entry.stat().st_mtime_ns
    database = database_path(home.settings.state_dir)
    database.write_bytes(b"\0no database" * 500)
    for ending in ("-wal", "-shm"):
        database.with_name(database.name + ending).unlink(missing_ok=True)

    process = home.start()
    wait_for(lambda: [*home.settings.state_dir.glob("*.corrupt-*")] and database.exists())
    wait_for(lambda: home.status().sessions.get(Standing.JOURNALED))
    home.write(talk(TWO))
    wait_for(lambda: len(home.entries()) == 2)
    log = home.end(process, signal.SIGTERM)
    assert {"database_set_aside", "entries_recovered"} <= {line["event"] for line in log}
    assert entry.stat().st_mtime_ns == before


def test_a_database_that_is_removed_under_it_ends_it_for_a_fresh_start(home: Home) -> None:
    process = home.start(BEAT_SECONDS="0.2")
    wait_for(lambda: home.status().heartbeat is not None and home.status().running)
    database_path(home.settings.state_dir).unlink()
    _, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == ExitCode.UNEXPECTED
    assert "was removed or replaced while it was in use" in log

    home.write(talk())
    second = home.start()
    wait_for(lambda: len(home.entries()) == 1)
    home.end(second, signal.SIGTERM)
    assert second.returncode == ExitCode.OK


def test_systemd_is_told_when_it_is_ready_that_it_lives_and_when_it_stops(
    home: Home, tmp_path: Path
) -> None:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listener:
        listener.settimeout(PATIENCE_SECONDS)
        listener.bind(str(tmp_path / "notify"))
        process = home.start(NOTIFY_SOCKET=str(tmp_path / "notify"), WATCHDOG_USEC="1000000")
        heard = ""
        while heard.count("WATCHDOG=1") < 2:
            heard += listener.recv(200).decode() + "\n"
        home.end(process, signal.SIGTERM)
        while "STOPPING=1" not in heard:
            heard += listener.recv(200).decode() + "\n"
    assert heard.index("READY=1") < heard.index("WATCHDOG=1") < heard.index("STOPPING=1")
