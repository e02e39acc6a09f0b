"""What the worker keeps and logs of what could not be read."""

import io
import json
from typing import Any

from journald import config, logs
from journald.logs import LogEvent
from journald.store.gaps import Coverage, MetKind, read_coverage
from journald.store.queue import JobReason
from journald.store.sessions import Standing
from tests.daemon.bench import ONE, TWO, Bench, talk
from tests.rows import Rows


class Log:
    """What the worker logs from here on."""

    def __init__(self) -> None:
        self._stream = io.StringIO()
        logs.configure(config.Log(format="json"), self._stream)

    def told(self, event: LogEvent) -> list[dict[str, Any]]:
        told = [json.loads(line) for line in self._stream.getvalue().splitlines()]
        return [line for line in told if line["event"] == event]


def holograms(session_id: str, number: int = 2) -> Rows:
    made = talk(session_id)
    for _ in range(number):
        made.tree("hologram", version="2.1.300")
    return made


def test_a_kind_that_is_not_known_is_logged_once_and_not_per_line_or_session(
    bench: Bench,
) -> None:
    log = Log()
    bench.add(holograms(ONE))
    bench.add(holograms(TWO))
    bench.work()
    bench.add(holograms(ONE, number=5), JobReason.GROWN)
    bench.work()
    (line,) = log.told(LogEvent.KIND_UNKNOWN)
    assert (line["version"], line["kind"], line["count"]) == ("2.1.300", "hologram", 2)
    assert line["session_id"] == ONE
    assert line["level"] == "warning"
    newer = talk(TWO)
    newer.tree("hologram", version="2.1.301")
    bench.add(newer, JobReason.GROWN)
    bench.work()
    assert [one["version"] for one in log.told(LogEvent.KIND_UNKNOWN)] == ["2.1.300", "2.1.301"]


def test_what_could_not_be_read_is_kept_by_session_and_replaced_by_the_next_job(
    bench: Bench,
) -> None:
    for number in (2, 3):
        bench.add(holograms(ONE, number))
        bench.add(holograms(TWO, number))
        bench.work()
    met = MetKind(version="2.1.300", kind="hologram", count=6, sessions=2)
    assert read_coverage(bench.connection, 9) == Coverage(unknown=2, kinds=(met,))
    bench.add(talk(TWO), JobReason.GROWN)
    bench.work()
    assert read_coverage(bench.connection, 9).unknown == 1


def test_the_line_of_a_finished_job_says_what_could_not_be_read(bench: Bench) -> None:
    log = Log()
    bench.add(talk(ONE))
    made = holograms(TWO, number=1)
    made.add(b"no record at all\n")
    made.add(b'{"type":"user","uuid":"cut o')
    bench.add(made)
    bench.work()
    whole, damaged = log.told(LogEvent.JOB_FINISHED)
    lost = {"broken_lines": 1, "unknown_lines": 1, "truncated": True}
    assert {name: damaged[name] for name in lost} == lost
    assert not any(name in whole for name in (*lost, "recovered_lines", "skipped_bytes"))


def test_a_skipped_session_tells_its_kinds_too(bench: Bench) -> None:
    log = Log()
    made = Rows(ONE)
    made.meta("hologram")
    bench.add(made)
    bench.work()
    assert bench.known().standing is Standing.SKIPPED
    assert [line["kind"] for line in log.told(LogEvent.KIND_UNKNOWN)] == ["hologram"]
    assert read_coverage(bench.connection, 9).unknown == 1


def test_no_secret_that_names_a_kind_reaches_log_or_database(bench: Bench) -> None:
    log = Log()
    made = talk()
    made.bash("cat .env", "DB_PASSWORD=Mb7-quince-Lantern-40\n")
    made.tree("Mb7-quince-Lantern-40", version="2.1.300")
    made.tree("ghp_16C7e42F292c6912E7710c838347Ae178B4a", version="2.1.300")
    bench.add(made)
    bench.work()
    kept = [kind.kind for kind in read_coverage(bench.connection, 9).kinds]
    assert kept == ["[REDACTED:github-token]", "[REDACTED:password]"]
    assert sorted(line["kind"] for line in log.told(LogEvent.KIND_UNKNOWN)) == kept
    dump = "\n".join(bench.connection.iterdump())
    assert "quince" not in dump
    assert "16C7e42F" not in dump
