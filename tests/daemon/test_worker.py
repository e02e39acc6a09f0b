import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from journald.daemon.scribe import Scribe
from journald.daemon.warm import EngineState
from journald.daemon.worker import release
from journald.engine.base import Engine, Prompt
from journald.errors import EngineDeadError, EngineError, JobLostError
from journald.journal.notebook import Notebook
from journald.store.queue import JobReason
from journald.store.sessions import Standing
from tests.daemon.bench import ONE, TWO, Bench, talk
from tests.engines import Answer, ScriptedEngine, oracle, oracle_engine
from tests.rows import Rows


def test_a_job_ends_in_an_entry_and_only_then_is_it_done(bench: Bench) -> None:
    bench.add(talk())
    assert bench.work() == 1
    (entry,) = bench.entries()
    known = bench.known()
    assert (known.standing, known.entry_path, known.entry_status) == (
        Standing.JOURNALED,
        entry,
        "complete",
    )
    assert [job[:3] for job in bench.jobs()] == [("new", "done", 1)]
    assert "count the words of the readme" in entry.read_text()


def test_a_session_that_grew_gets_its_entry_refreshed_and_the_users_words_kept(
    bench: Bench,
) -> None:
    made = talk()
    bench.add(made)
    bench.work()
    (entry,) = bench.entries()
    entry.write_text(entry.read_text() + "\nMy own thought.\n")
    first = bench.known().handled_mark
    made.user("and the lines of the changelog")
    made.say("Nine lines.")
    bench.add(made, JobReason.GROWN)
    bench.work()
    assert bench.entries() == [entry]
    assert "lines of the changelog" in entry.read_text()
    assert "My own thought." in entry.read_text()
    assert bench.known().handled_mark != first


def nothing_said(made: Rows) -> None:
    made.meta("custom-title", customTitle="x")


def only_cleared(made: Rows) -> None:
    made.command("clear", output="")


def warm_up(made: Rows) -> None:
    made.user("Warmup")
    made.say("I'm ready.")


@pytest.mark.parametrize("fill", [nothing_said, only_cleared, warm_up])
def test_a_trivial_session_is_skipped_and_no_engine_loaded_for_it(
    bench: Bench, fill: Callable[[Rows], None]
) -> None:
    made = Rows(ONE)
    fill(made)
    bench.add(made)
    assert bench.work() == 1
    assert bench.entries() == []
    known = bench.known()
    assert known.standing is Standing.SKIPPED
    assert known.reason
    assert known.handled_mark
    assert bench.warm.state is EngineState.COLD


def test_a_command_that_the_model_answered_deserves_an_entry(bench: Bench) -> None:
    made = Rows(ONE)
    made.command("explain", "the build")
    made.say("The build has three steps.")
    bench.add(made)
    bench.work()
    assert len(bench.entries()) == 1


def test_a_transcript_that_vanished_ends_the_job_for_good(bench: Bench) -> None:
    bench.add(talk()).unlink()
    assert bench.work() == 1
    assert bench.known().standing is Standing.SOURCE_DELETED
    assert [job[1:] for job in bench.jobs()] == [("done", 1, "source_deleted")]


def test_a_transcript_that_moved_since_is_followed(bench: Bench) -> None:
    path = bench.add(talk())
    moved = bench.folder / "projects" / "elsewhere" / path.name
    moved.parent.mkdir()
    path.rename(moved)
    bench.sessions.moved(ONE, moved)
    bench.work()
    assert bench.known().standing is Standing.JOURNALED


def test_while_the_notes_folder_is_away_jobs_wait_uncounted(bench: Bench) -> None:
    notes = bench.settings.notes_dir
    notes.parent.mkdir(parents=True, exist_ok=True)
    notes.write_text("a file stands where the folder should be")
    bench.add(talk(ONE))
    bench.add(talk(TWO))
    for _ in range(20):
        bench.work()
        bench.clock.go(hours=1)
    assert {(state, attempts) for _, state, attempts, _ in bench.jobs()} == {("pending", 0)}
    notes.unlink()
    bench.clock.go(hours=1)
    bench.work()
    assert len(bench.entries()) == 2


def test_an_engine_that_dies_costs_the_session_no_attempt(bench: Bench) -> None:
    dying: list[Answer] = [EngineDeadError("its process is gone")]
    engines: list[ScriptedEngine] = [ScriptedEngine(dying), oracle_engine()]
    bench.use(lambda: engines.pop(0))
    bench.add(talk())
    assert bench.work() == 1
    assert [job[1:3] for job in bench.jobs()] == [("pending", 0)]
    assert bench.entries() == []
    bench.clock.go(minutes=5)
    assert bench.work() == 1
    assert bench.known().entry_status == "complete"


def test_a_session_that_kills_every_engine_is_written_without_one(bench: Bench) -> None:
    def poisonous(prompt: Prompt) -> Answer:
        if "poison" in prompt.user:
            return EngineDeadError("its process is gone")
        return oracle(prompt)

    bench.use(lambda: ScriptedEngine(poisonous))
    bad = talk(ONE)
    bad.user("and now the poison")
    bad.say("Done.")
    bench.add(bad)
    for number in range(8):
        good = f"00000000-0000-4000-8000-00000000010{number}"
        bench.add(talk(good))
        bench.work()
        bench.clock.go(hours=1)
        bench.work()
        assert bench.known(good).entry_status == "complete"
    assert bench.known(ONE).entry_status == "narrative-pending"
    assert bench.queue.next_due() is None, "it is not tried again until it grows"


def test_while_the_engine_is_down_entries_are_written_and_redone_when_it_is_back(
    bench: Bench,
) -> None:
    broken = [True]

    def load() -> Engine:
        if broken[0]:
            raise EngineError("out of memory")
        return oracle_engine()

    bench.use(load)
    bench.add(talk())
    for _ in range(12):
        bench.work()
        bench.clock.go(minutes=20)
    assert bench.known().entry_status == "narrative-pending"
    (entry,) = bench.entries()
    broken[0] = False
    bench.clock.go(hours=2)
    bench.work()
    assert bench.known().entry_status == "complete"
    assert bench.entries() == [entry]
    assert bench.queue.next_due() is None


def test_a_defect_in_one_session_stops_no_other_and_ends_dead(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Scribe.write

    def write(self: Scribe, path: Path, **more: Any) -> Any:
        if path.stem == ONE:
            raise RuntimeError("the secret words of a session")
        return real(self, path, **more)

    monkeypatch.setattr(Scribe, "write", write)
    bench.add(talk(ONE))
    bench.add(talk(TWO))
    for _ in range(10):
        bench.work()
        bench.clock.go(hours=1)
    assert bench.known(TWO).standing is Standing.JOURNALED
    assert [job[:3] for job in bench.jobs()] == [("new", "dead", 5), ("new", "done", 1)]
    assert "RuntimeError in test_worker.py" in bench.jobs()[0][3]
    assert "secret" not in bench.jobs()[0][3]


def test_writing_the_same_session_again_changes_nothing(bench: Bench) -> None:
    bench.use(oracle_engine, name="extractive")
    bench.add(talk())
    bench.work()
    (entry,) = bench.entries()
    before = entry.read_text()
    bench.add(talk(), JobReason.GROWN)
    bench.work()
    assert bench.entries() == [entry]
    assert entry.read_text() == before


def test_a_released_job_is_nobodys_but_the_next_ones(bench: Bench) -> None:
    bench.add(talk())
    job = bench.queue.claim()
    assert job is not None
    assert release(bench.queue, job)
    assert not release(bench.queue, job)
    with pytest.raises(JobLostError):
        bench.queue.finish(job, "created")
    bench.work()
    assert bench.known().standing is Standing.JOURNALED
    assert bench.jobs()[0][2] == 1


def test_a_job_past_its_deadline_is_not_moving(bench: Bench) -> None:
    bench.work()
    assert bench.worker.moving
    bench.clock.at += bench.settings.engine.vllm.batch_timeout + timedelta(minutes=2)
    assert not bench.worker.moving


def test_the_gpu_is_given_back_when_there_is_nothing_to_do(bench: Bench) -> None:
    bench.add(talk())
    bench.work()
    assert bench.warm.state is EngineState.WARM
    bench.clock.at += bench.settings.engine.vllm.keep_warm
    bench.work()
    assert str(bench.warm.state) == EngineState.COLD


def test_an_entry_is_found_again_with_the_database_gone(bench: Bench) -> None:
    bench.add(talk())
    bench.work()
    notebook = Notebook(bench.settings.notes_dir, bench.settings.journal)
    (found,) = notebook.entries()
    assert (found.session_id, found.fingerprint) == (ONE, bench.known().handled_mark)
    shutil.rmtree(bench.settings.notes_dir)
    assert [*notebook.entries()] == []
