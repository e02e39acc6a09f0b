import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from journald.engine.orphans import Watchman, marked


@pytest.fixture
def watchman() -> Iterator[Watchman]:
    made = Watchman()
    yield made
    made.release()


def sleeper(**variables: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(["sleep", "60"], env={**os.environ, **variables})


def test_what_is_marked_ends_with_the_watch_and_nothing_else_does(watchman: Watchman) -> None:
    ours, other = sleeper(**watchman.mark), sleeper()
    # A process shows its environment only once it has become the program that it runs.
    while marked(watchman.token) != [ours.pid]:
        assert ours.poll() is None
    assert watchman.folder.is_dir()
    watchman.release()
    try:
        assert ours.wait(5) == -9
        assert other.poll() is None
        assert not watchman.folder.exists()
    finally:
        other.kill()
        other.wait()


def test_releasing_twice_does_no_harm(watchman: Watchman) -> None:
    watchman.release()
    watchman.release()


PROGRAM = """
import os, subprocess, time
from journald.engine.orphans import Watchman
watchman = Watchman()
child = subprocess.Popen(["sleep", "60"], env=dict(os.environ, **watchman.mark))
print(watchman.token, watchman.folder, flush=True)
time.sleep(60)
"""


def test_what_is_marked_ends_when_its_program_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        token, folder = program.stdout.readline().split()
        program.kill()
    deadline = time.monotonic() + 10
    while (marked(token) or Path(folder).exists()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert marked(token) == []
    assert not Path(folder).exists()
