import io
import json
import subprocess
import sys

import pytest

from journald import config, logs
from journald.logs import LogEvent


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_away_from_a_terminal_each_line_is_json_with_the_bound_fields() -> None:
    stream = io.StringIO()
    logs.configure(config.Log(), stream)
    logs.logger(session_id="s").info(LogEvent.JOB_FINISHED, duration_s=1.5)
    line = json.loads(stream.getvalue())
    assert line["event"] == "job_finished"
    assert line["level"] == "info"
    assert line["session_id"] == "s"
    assert line["duration_s"] == 1.5
    assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize(
    ("format_", "stream", "is_json"),
    [
        ("auto", Terminal(), False),
        ("json", Terminal(), True),
        ("console", io.StringIO(), False),
    ],
)
def test_the_format_follows_the_terminal_unless_it_is_set(
    format_: str, stream: io.StringIO, is_json: bool
) -> None:
    logs.configure(config.Log(format=format_), stream)  # type: ignore[arg-type]
    logs.logger().info(LogEvent.DAEMON_STARTED)
    assert "daemon_started" in stream.getvalue()
    assert stream.getvalue().startswith("{") is is_json


def test_what_lies_below_the_level_is_not_written() -> None:
    stream = io.StringIO()
    logs.configure(config.Log(level="warning"), stream)
    logs.logger().info(LogEvent.JOB_CLAIMED)
    logs.logger().warning(LogEvent.JOB_POSTPONED)
    assert "job_claimed" not in stream.getvalue()
    assert "job_postponed" in stream.getvalue()


def test_event_names_are_their_own_constants() -> None:
    assert all(event.value == event.name.lower() for event in LogEvent)


def test_importing_the_names_does_not_import_the_library() -> None:
    code = "import sys, journald.logs; sys.exit('structlog' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class FullDisk(io.StringIO):
    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("stream", [FullDisk(), None])
def test_a_line_that_cannot_be_written_is_let_go(stream: io.StringIO | None) -> None:
    logs.configure(config.Log(), stream)
    logs.logger().info(LogEvent.JOB_FINISHED)


def test_a_stream_that_was_closed_takes_no_line() -> None:
    stream = io.StringIO()
    logs.configure(config.Log(), stream)
    stream.close()
    logs.logger().info(LogEvent.JOB_FINISHED)
