from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from sqlite3 import Connection, IntegrityError

import pytest

from journald import config
from journald.errors import JobLostError
from journald.store.database import open_database, rows
from journald.store.queue import Job, JobReason, JobState, Queue
from tests.clock import Clock

SETTINGS = config.Queue(attempts=3, wait=timedelta(seconds=30), wait_at_most=timedelta(minutes=5))
FILE = Path("/p/a.jsonl")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with closing(open_database(tmp_path / "q.sqlite3", migrate=True)) as made:
        yield made


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(connection: Connection, clock: Clock) -> Queue:
    return Queue(connection, SETTINGS, clock, random=lambda: 1.0)


def claimed(queue: Queue) -> Job:
    job = queue.claim()
    assert job is not None
    return job


def events(connection: Connection) -> list[tuple[str | None, str, str]]:
    return [
        (row["from_state"], row["to_state"], row["cause"])
        for row in rows(connection, "SELECT * FROM job_events ORDER BY id")
    ]


def test_a_session_waits_once_however_often_it_is_queued(queue: Queue) -> None:
    assert queue.enqueue("a", FILE, JobReason.NEW)
    assert not queue.enqueue("a", FILE, JobReason.GROWN)
    claimed(queue)
    assert queue.claim() is None


def test_claiming_counts_the_attempt(queue: Queue) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    assert claimed(queue).attempts == 1


def test_what_grew_during_its_job_waits_until_that_is_done(queue: Queue) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    first = claimed(queue)
    assert queue.enqueue("a", FILE, JobReason.GROWN)
    assert queue.claim() is None

    queue.finish(first, "created")

    assert claimed(queue).reason is JobReason.GROWN


def test_entries_that_wait_for_a_narrative_come_last(queue: Queue) -> None:
    queue.enqueue("old", FILE, JobReason.NARRATIVE)
    queue.enqueue("new", FILE, JobReason.NEW)
    assert [claimed(queue).session_id, claimed(queue).session_id] == ["new", "old"]


def test_growth_turns_a_waiting_narrative_into_a_job_that_is_due(
    queue: Queue, clock: Clock
) -> None:
    queue.enqueue("a", FILE, JobReason.NARRATIVE, not_before=clock() + timedelta(minutes=4))
    assert queue.claim() is None
    assert not queue.enqueue("a", FILE, JobReason.GROWN)
    assert claimed(queue).reason is JobReason.GROWN


def test_a_failure_waits_longer_each_time_and_ends_dead(queue: Queue, clock: Clock) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    waits = []
    for _ in range(SETTINGS.attempts - 1):
        assert queue.fail(claimed(queue), "no", retryable=True) is JobState.PENDING
        due = queue.next_due()
        assert due is not None
        waits.append((due - clock()).total_seconds())
        assert queue.claim() is None
        clock.at = due

    assert queue.fail(claimed(queue), "no", retryable=True) is JobState.DEAD
    assert waits == [30, 60]
    assert queue.next_due() is None


def test_what_trying_again_cannot_help_is_dead_at_once(queue: Queue) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    assert queue.fail(claimed(queue), "no", retryable=False) is JobState.DEAD


def test_the_pause_is_capped_and_jittered(connection: Connection, clock: Clock) -> None:
    most = Queue(connection, SETTINGS, clock, random=lambda: 1.0)
    least = Queue(connection, SETTINGS, clock, random=lambda: 0.0)
    assert most.back_off(400) == SETTINGS.wait_at_most
    assert least.back_off(400) == SETTINGS.wait_at_most / 2
    assert most.back_off(0) == timedelta()


def test_a_pause_survives_a_clock_that_is_set_back(queue: Queue, clock: Clock) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    queue.fail(claimed(queue), "no", retryable=True)
    clock.go(days=-400)
    assert claimed(queue).attempts == 2


def test_releasing_gives_the_attempt_back_and_is_due_at_once(queue: Queue) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    queue.release(claimed(queue))
    assert claimed(queue).attempts == 1


def test_postponing_waits_without_counting_however_often(queue: Queue, clock: Clock) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    for times in range(10):
        job = claimed(queue)
        assert (job.attempts, job.postponed) == (1, times)
        clock.at = queue.postpone(job, "the notes folder is away")


def test_deaths_of_the_engine_are_counted(queue: Queue, clock: Clock) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    clock.at = queue.postpone(claimed(queue), "gone", engine_died=True)
    assert claimed(queue).engine_deaths == 1


def test_orphans_keep_their_attempt_and_end_dead_when_it_was_the_last(
    queue: Queue, connection: Connection, clock: Clock
) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    for attempt in range(1, SETTINGS.attempts + 1):
        assert claimed(queue).attempts == attempt
        assert queue.requeue_orphans() == 1
        clock.go(hours=1)
    assert queue.claim() is None
    assert [row["state"] for row in rows(connection, "SELECT state FROM jobs")] == ["dead"]


def test_the_first_orphan_is_due_at_once(queue: Queue) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    claimed(queue)
    queue.requeue_orphans()
    assert claimed(queue).attempts == 2


SETTLE: dict[str, Callable[[Queue, Job], object]] = {
    "finish": lambda queue, job: queue.finish(job, "created"),
    "fail": lambda queue, job: queue.fail(job, "no", retryable=True),
    "release": lambda queue, job: queue.release(job),
    "postpone": lambda queue, job: queue.postpone(job, "no"),
}


@pytest.mark.parametrize("settle", [*SETTLE])
def test_who_lost_a_job_cannot_settle_it(queue: Queue, settle: str) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    lost = claimed(queue)
    queue.requeue_orphans()
    held = claimed(queue)
    with pytest.raises(JobLostError):
        SETTLE[settle](queue, lost)
    queue.finish(held, "created")


def test_a_job_that_goes_back_while_another_waits_hands_its_counts_on(
    queue: Queue, connection: Connection, clock: Clock
) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    first = claimed(queue)
    queue.enqueue("a", FILE, JobReason.GROWN)
    queue.fail(first, "no", retryable=True)

    assert queue.claim() is None
    clock.go(hours=1)
    second = claimed(queue)

    assert second.id != first.id
    assert second.attempts == 2
    outcome = rows(connection, "SELECT outcome FROM jobs WHERE id = :id", {"id": first.id})
    assert outcome[0]["outcome"] == "superseded"


def test_a_dead_job_can_be_tried_again_with_all_its_attempts(queue: Queue) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    dead = claimed(queue)
    queue.fail(dead, "no", retryable=False)
    assert queue.retry(dead.id)
    assert not queue.retry(dead.id)
    assert claimed(queue).attempts == 1


def test_a_dead_job_stays_dead_where_its_session_waits_already(queue: Queue) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    dead = claimed(queue)
    queue.fail(dead, "no", retryable=False)
    queue.enqueue("a", FILE, JobReason.GROWN)
    assert not queue.retry(dead.id)


def test_every_transition_is_recorded(queue: Queue, connection: Connection, clock: Clock) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    queue.fail(claimed(queue), "no", retryable=True)
    clock.go(hours=1)
    queue.finish(claimed(queue), "created")
    assert events(connection) == [
        (None, "pending", "queued"),
        ("pending", "running", "claimed"),
        ("running", "pending", "failed"),
        ("pending", "running", "claimed"),
        ("running", "done", "finished"),
    ]


@pytest.mark.parametrize(
    "statement",
    [
        (
            "INSERT INTO jobs (session_id, path, reason, state, cause, queued_us, not_before_us,"
            " changed_us) VALUES ('a', '/x', 'new', 'pending', 'x', 0, 0, 0)"
        ),
        "UPDATE jobs SET owner = 'me'",
        "UPDATE jobs SET state = 'running'",
        "UPDATE jobs SET state = 'done'",
        "UPDATE jobs SET state = 'lost'",
        "UPDATE jobs SET attempts = -1",
    ],
)
def test_the_schema_itself_refuses_a_broken_state(
    queue: Queue, connection: Connection, statement: str
) -> None:
    queue.enqueue("a", FILE, JobReason.NEW)
    with pytest.raises(IntegrityError):
        connection.execute(statement)
