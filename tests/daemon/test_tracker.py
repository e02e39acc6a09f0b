import os
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Connection
from typing import NoReturn

import pytest

from journald import config
from journald.daemon.tracker import Tracker
from journald.errors import TranscriptError
from journald.store.database import open_database, rows
from journald.store.queue import JobReason, Queue
from journald.store.sessions import Known, Sessions, Standing
from journald.transcript.reader import Reader
from tests.clock import NOON, Clock
from tests.rows import Rows

MINUTE = timedelta(minutes=1)
IDLE = config.Idle(after=15 * MINUTE, pending_after=120 * MINUTE, scan_every=5 * MINUTE)
ONE = "00000000-0000-4000-8000-000000000001"
TWO = "00000000-0000-4000-8000-000000000002"


class Desk:
    """A projects folder, a clock, and a tracker between them."""

    def __init__(self, folder: Path, connection: Connection) -> None:
        self.root = folder / "projects"
        self.project = self.root / "-home-ada-shop"
        self.project.mkdir(parents=True)
        self.clock = Clock()
        self.connection = connection
        self.sessions = Sessions(connection)
        self.queue = Queue(connection, config.Queue(), self.clock)
        self.sessions.set_origin(NOON, NOON - timedelta(days=7))
        self.restart()

    def restart(self) -> None:
        self.tracker = Tracker(self.connection, self.queue, IDLE, [self.root], self.clock)

    def write(self, made: Rows, folder: Path | None = None) -> Path:
        """Write the rows so far; the file's own time is the clock's."""
        path = made.write(folder or self.project)
        self.stamp(path)
        return path

    def stamp(self, path: Path, at: datetime | None = None) -> None:
        moment = (at or self.clock()).timestamp()
        os.utime(path, (moment, moment))

    def pass_time(self, minutes: float) -> int:
        """Let time pass, with a scan every five minutes; return how many were queued."""
        queued = 0
        end = self.clock() + minutes * MINUTE
        while self.clock() < end:
            self.clock.at = min(end, self.clock() + 5 * MINUTE)
            queued += self.tracker.scan().queued + self.tracker.judge_due()
        return queued

    def journal(self) -> None:
        """Do what the worker does with every job that waits."""
        while job := self.queue.claim():
            known = self.known(job.session_id)
            self.queue.finish(job, "created")
            self.sessions.mark_journaled(
                job.session_id,
                mark=known.mark,
                entry=Path("/j/x.md"),
                status="complete",
                at=self.clock(),
            )

    def known(self, session_id: str = ONE) -> Known:
        known = self.sessions.get(session_id)
        assert known is not None
        return known

    def jobs(self) -> list[tuple[str, str]]:
        found = rows(self.connection, "SELECT session_id, reason FROM jobs ORDER BY id")
        return [(row["session_id"], row["reason"]) for row in found]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with closing(open_database(tmp_path / "state.sqlite3", migrate=True)) as connection:
        yield Desk(tmp_path, connection)


def talk(session_id: str = ONE, start: datetime = NOON) -> Rows:
    made = Rows(session_id, start=start, prefix=session_id[-8:])
    made.user("count the words of the readme")
    made.say("There are seven.")
    return made


def test_a_session_is_queued_once_when_it_has_been_silent_long_enough(desk: Desk) -> None:
    desk.write(talk())
    assert desk.pass_time(15) == 0
    assert desk.pass_time(5) == 1
    assert desk.pass_time(300) == 0
    assert desk.jobs() == [(ONE, JobReason.NEW)]


def test_a_session_at_work_is_not_queued_however_often_it_is_looked_at(desk: Desk) -> None:
    made = talk()
    for _ in range(20):
        made.now = desk.clock()
        made.say("Still counting.")
        path = desk.write(made)
        desk.tracker.look([path])
        assert desk.pass_time(5) == 0
    assert desk.pass_time(20) == 1


def test_growth_queues_the_session_again_and_no_other(desk: Desk) -> None:
    one, two = talk(ONE), talk(TWO)
    desk.write(one)
    desk.write(two)
    desk.pass_time(20)
    desk.journal()
    one.now = desk.clock()
    one.user("and the lines")
    desk.write(one)
    assert desk.pass_time(10) == 0
    assert desk.pass_time(10) == 1
    assert desk.jobs()[2:] == [(ONE, JobReason.GROWN)]


def test_touched_files_are_nothing_new(desk: Desk) -> None:
    paths = [desk.write(talk(session_id)) for session_id in (ONE, TWO)]
    desk.pass_time(20)
    desk.journal()
    for path in paths:
        desk.stamp(path)
    assert desk.pass_time(60) == 0
    assert len(desk.jobs()) == 2


def test_rows_that_only_keep_state_are_nothing_new(desk: Desk) -> None:
    made = talk()
    desk.write(made)
    desk.pass_time(20)
    desk.journal()
    for _ in range(10):
        made.meta("last-prompt", lastPrompt="count the words of the readme")
        made.meta("permission-mode", permissionMode="default")
        desk.tracker.look([desk.write(made)])
        assert desk.pass_time(10) == 0
    assert desk.pass_time(60) == 0


def test_rows_that_a_resume_repeats_are_nothing_new(desk: Desk) -> None:
    made = talk()
    desk.write(made)
    desk.pass_time(20)
    desk.journal()
    made.rows += made.rows
    desk.write(made)
    assert desk.pass_time(60) == 0


def test_a_call_without_result_is_waited_for_until_the_longer_ceiling(desk: Desk) -> None:
    made = talk()
    made.call("Bash", {"command": "make"})
    desk.write(made)
    assert desk.pass_time(115) == 0
    assert desk.pass_time(10) == 1


def test_a_call_that_gets_its_result_is_idle_after_the_usual_time(desk: Desk) -> None:
    made = talk()
    call = made.call("Bash", {"command": "make"})
    desk.write(made)
    assert desk.pass_time(30) == 0
    made.now = desk.clock()
    made.result(call, "made")
    made.say("It is made.")
    desk.write(made)
    assert desk.pass_time(10) == 0
    assert desk.pass_time(10) == 1


def test_a_subagent_at_work_keeps_its_parent_from_being_idle(desk: Desk) -> None:
    desk.write(talk())
    agent = Rows(ONE, isSidechain=True, agentId="abc1234", prefix="abc1234")
    agents = desk.project / ONE / "subagents"
    for _ in range(6):
        agent.now = desk.clock()
        agent.say("Looking.")
        desk.stamp(agent.write(agents, "agent-abc1234.jsonl"))
        assert desk.pass_time(10) == 0
    assert desk.pass_time(10) == 1


def test_only_what_is_younger_than_the_backlog_is_queued_at_the_first_start(desk: Desk) -> None:
    old, young = NOON - timedelta(days=8), NOON - timedelta(days=6)
    for session_id, start in ((ONE, old), (TWO, young)):
        path = talk(session_id, start).write(desk.project)
        desk.stamp(path, start + MINUTE)
    desk.tracker.scan()
    assert desk.jobs() == [(TWO, JobReason.NEW)]
    assert desk.known(ONE).standing is Standing.HISTORY


def test_old_sessions_whose_files_were_touched_stay_history(desk: Desk) -> None:
    path = desk.write(talk(ONE, NOON - timedelta(days=60)))
    desk.pass_time(30)
    desk.stamp(path)
    desk.pass_time(30)
    assert desk.jobs() == []
    assert desk.known().standing is Standing.HISTORY


def test_history_that_goes_on_is_journaled(desk: Desk) -> None:
    start = NOON - timedelta(days=60)
    made = talk(ONE, start)
    desk.stamp(made.write(desk.project), start)
    desk.tracker.scan()
    made.now = desk.clock()
    made.user("and the lines")
    desk.write(made)
    assert desk.pass_time(20) == 1


def test_a_session_that_came_from_the_future_is_journaled_nevertheless(desk: Desk) -> None:
    desk.write(talk(ONE, NOON + timedelta(days=400)))
    assert desk.pass_time(35) == 1


def test_a_clock_that_is_set_back_delays_nothing_for_long(desk: Desk) -> None:
    desk.write(talk())
    desk.pass_time(5)
    desk.clock.go(days=-300)
    assert desk.pass_time(40) == 1


def test_a_clock_that_is_set_forward_journals_early_and_refreshes_later(desk: Desk) -> None:
    made = talk()
    desk.write(made)
    desk.clock.go(days=300)
    assert desk.pass_time(5) == 1
    desk.journal()
    desk.clock.go(days=-300)
    made.now = desk.clock()
    made.say("Go on.")
    desk.write(made)
    assert desk.pass_time(40) == 1


def test_a_restart_changes_nothing(desk: Desk) -> None:
    desk.write(talk())
    desk.pass_time(10)
    desk.restart()
    assert desk.pass_time(15) == 1
    desk.restart()
    assert desk.pass_time(60) == 0


def test_a_root_that_is_away_takes_nothing_with_it(desk: Desk, tmp_path: Path) -> None:
    desk.write(talk())
    desk.pass_time(5)
    desk.root.rename(tmp_path / "away")
    assert desk.tracker.scan().missing_roots == (desk.root,)
    desk.pass_time(60)
    assert desk.known().standing is Standing.OPEN
    (tmp_path / "away").rename(desk.root)
    assert desk.pass_time(30) == 1


def test_a_transcript_that_is_deleted_before_it_is_idle_is_said_to_be(desk: Desk) -> None:
    path = desk.write(talk())
    desk.pass_time(5)
    content = path.read_bytes()
    path.unlink()
    assert desk.pass_time(30) == 0
    assert desk.known().standing is Standing.SOURCE_DELETED
    path.write_bytes(content)
    desk.stamp(path)
    assert desk.pass_time(20) == 1


def test_a_journaled_session_keeps_its_standing_when_claude_code_deletes_it(desk: Desk) -> None:
    path = desk.write(talk())
    desk.pass_time(20)
    desk.journal()
    path.unlink()
    desk.pass_time(60)
    assert desk.known().standing is Standing.JOURNALED


def test_a_session_that_moves_to_another_project_is_the_same_session(desk: Desk) -> None:
    path = desk.write(talk())
    desk.pass_time(20)
    desk.journal()
    other = desk.root / "-home-ada-store"
    other.mkdir()
    path.rename(other / path.name)
    assert desk.pass_time(60) == 0
    assert desk.known().path == other / path.name


def test_of_two_copies_the_longer_is_read(desk: Desk) -> None:
    short, long = talk(), talk()
    long.say("And that is all.")
    desk.write(short)
    longer = desk.write(long, desk.root / "-home-ada-store")
    assert desk.pass_time(20) == 1
    assert desk.known().path == longer


def test_an_adopted_entry_that_is_up_to_date_is_not_written_again(desk: Desk) -> None:
    desk.write(talk())
    desk.pass_time(20)
    mark = desk.known().mark
    desk.connection.execute("DELETE FROM sessions")
    desk.connection.execute("DELETE FROM job_events")
    desk.connection.execute("DELETE FROM jobs")
    desk.sessions.adopt(ONE, mark=mark, entry=Path("/j/x.md"), status="complete")
    assert desk.pass_time(60) == 0
    assert desk.known().path.name == f"{ONE}.jsonl"


def test_what_cannot_be_read_is_named_and_read_again_with_every_scan(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Reader, path: Path) -> NoReturn:
        raise TranscriptError(f"{path} cannot be read: Permission denied")

    desk.write(talk())
    with monkeypatch.context() as patch:
        patch.setattr(Reader, "read", refuse)
        desk.pass_time(60)
        assert desk.known().standing is Standing.UNREADABLE
        assert "Permission denied" in desk.known().reason
        assert desk.pass_time(60) == 0
    assert desk.pass_time(5) == 1
