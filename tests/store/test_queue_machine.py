"""The queue against a model made of plain dictionaries, with crashes in between."""

import tempfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import settings, strategies
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from journald import config
from journald.store.database import open_database, rows
from journald.store.queue import Job, JobReason, JobState, Queue
from tests.clock import Clock

SETTINGS = config.Queue(attempts=3, wait=timedelta(seconds=30), wait_at_most=timedelta(minutes=5))
SESSIONS = strategies.sampled_from(["a", "b", "c"])


@dataclass
class Waiting:
    attempts: int
    due: datetime
    order: int
    narrative: bool


class QueueMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name) / "q.sqlite3"
        self.clock = Clock()
        self.waiting: dict[str, Waiting] = {}
        self.held: Job | None = None
        self.held_model: Waiting | None = None
        self.done = 0
        self.dead = 0
        self.made = 0
        self._open()

    def teardown(self) -> None:
        self.connection.close()
        self._folder.cleanup()

    def _open(self) -> None:
        self.connection = open_database(self.path, migrate=True)
        self.queue = Queue(self.connection, SETTINGS, self.clock, random=lambda: 1.0)

    @rule(session=SESSIONS, reason=strategies.sampled_from([*JobReason]))
    def enqueue(self, session: str, reason: JobReason) -> None:
        narrative = reason is JobReason.NARRATIVE
        made = self.queue.enqueue(session, Path(f"/{session}"), reason)
        assert made == (session not in self.waiting)
        if made:
            self.made += 1
            self.waiting[session] = Waiting(0, self.clock(), self.made, narrative)
        elif not narrative and self.waiting[session].narrative:
            self.waiting[session].narrative = False
            self.waiting[session].due = min(self.waiting[session].due, self.clock())
        self.clock.go(milliseconds=1)

    @precondition(lambda self: self.held is None)
    @rule()
    def claim(self) -> None:
        due = {name: job for name, job in self.waiting.items() if job.due <= self.clock()}
        job = self.queue.claim()
        if not due:
            assert job is None
            return
        expected = min(
            due, key=lambda name: (due[name].narrative, due[name].attempts, due[name].order)
        )
        assert job is not None
        assert job.session_id == expected
        self.held, self.held_model = job, self.waiting.pop(expected)
        self.held_model.attempts += 1
        assert job.attempts == self.held_model.attempts

    @precondition(lambda self: self.held is not None)
    @rule()
    def finish(self) -> None:
        job, _ = self._let_go()
        self.queue.finish(job, "created")
        self.done += 1

    @precondition(lambda self: self.held is not None)
    @rule(retryable=strategies.booleans())
    def fail(self, retryable: bool) -> None:
        job, model = self._let_go()
        spent = not retryable or model.attempts >= SETTINGS.attempts
        state = self.queue.fail(job, "no", retryable=retryable)
        if spent:
            assert state is JobState.DEAD
            self.dead += 1
        else:
            self._goes_back(job, model, self.queue.back_off(model.attempts))

    @precondition(lambda self: self.held is not None)
    @rule()
    def release(self) -> None:
        job, model = self._let_go()
        self.queue.release(job)
        model.attempts -= 1
        self._goes_back(job, model, timedelta())

    @precondition(lambda self: self.held is not None)
    @rule()
    def postpone(self) -> None:
        job, model = self._let_go()
        due = self.queue.postpone(job, "the notes folder is away")
        model.attempts -= 1
        self._goes_back(job, model, due - self.clock())

    @rule()
    def crash_and_start_again(self) -> None:
        self.connection.close()
        self._open()
        assert self.queue.requeue_orphans() == int(self.held is not None)
        if self.held is None:
            return
        job, model = self._let_go()
        if model.attempts >= SETTINGS.attempts:
            self.dead += 1
        else:
            self._goes_back(job, model, self.queue.back_off(model.attempts - 1))

    @rule(minutes=strategies.integers(min_value=0, max_value=6))
    def wait(self, minutes: int) -> None:
        self.clock.go(minutes=minutes)

    @invariant()
    def the_tables_hold_what_the_model_holds(self) -> None:
        counted = {
            row["state"]: row["n"]
            for row in rows(self.connection, "SELECT state, count(*) AS n FROM jobs GROUP BY state")
        }
        assert counted.get("pending", 0) == len(self.waiting)
        assert counted.get("running", 0) == int(self.held is not None)
        assert counted.get("done", 0) == self.done
        assert counted.get("dead", 0) == self.dead

    @invariant()
    def the_events_of_each_job_lead_to_its_state(self) -> None:
        broken = rows(
            self.connection,
            "SELECT jobs.id FROM jobs WHERE state <> (SELECT to_state FROM job_events"
            " WHERE job_id = jobs.id ORDER BY id DESC LIMIT 1)",
        )
        assert broken == []

    def _let_go(self) -> tuple[Job, Waiting]:
        assert self.held is not None
        assert self.held_model is not None
        held = self.held, self.held_model
        self.held = self.held_model = None
        return held

    def _goes_back(self, job: Job, model: Waiting, pause: timedelta) -> None:
        due = self.clock() + pause
        other = self.waiting.get(job.session_id)
        if other is None:
            model.due = due
            self.waiting[job.session_id] = model
        else:
            other.attempts = max(other.attempts, model.attempts)
            other.due = max(other.due, due)
            self.done += 1


TestQueue = QueueMachine.TestCase
TestQueue.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)
