"""No vLLM process outlives journald: a tiny process waits for the daemon's end and sees to it.

vLLM runs its engine in processes of its own. They do not notice that the process which started
them was killed, and keep the GPU's memory (vllm-project/vllm#55510, #25850, #19849). So a
watchman is started first: it holds one end of a pipe, and when the other end closes, for
whatever reason, it kills every process that carries the engine's mark in its environment, and
removes the engine's temporary folder. It is run as a script of the standard library alone and
costs a few MB.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from multiprocessing import resource_tracker
from pathlib import Path

MARK = "JOURNALD_ENGINE_MARK"
_PROC = Path("/proc")
# A process that was killed still shows its mark for a moment.
_PAUSE = 0.05
_PATIENCE = 10.0


def marked(token: str, proc: Path = _PROC) -> list[int]:
    """Return the ids of the processes that carry the mark `token`."""
    wanted = f"{MARK}={token}".encode()
    found = []
    for folder in proc.iterdir():
        # A process that ended meanwhile, or of another user, is none of ours.
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def end_marked(token: str) -> None:
    """Kill every process that carries the mark, also those that come to light on the way."""
    give_up = time.monotonic() + _PATIENCE
    while (found := marked(token)) and time.monotonic() < give_up:
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(_PAUSE)


class Watchman:
    """Sees to it that no process started with `mark`, nor `folder`, outlives this one."""

    def __init__(self) -> None:
        self.token = secrets.token_hex(16)
        self.folder = Path(tempfile.mkdtemp(prefix="journald-engine-"))
        # Python's own helper process must not carry the mark: it serves the whole program.
        resource_tracker.ensure_running()
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", "-S", __file__, self.token, str(self.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={},
        )

    @property
    def mark(self) -> Mapping[str, str]:
        """Return the environment variables by which a process is known as one to end.

        setproctitle, which vLLM uses, would write over the first without the second.
        """
        return {MARK: self.token, "SPT_NOENV": "1"}

    def release(self) -> None:
        """End what still carries the mark, and the watch; idempotent."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(2 * _PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            _clear_up(self.token, self.folder)


def _clear_up(token: str, folder: Path) -> None:
    end_marked(token)
    shutil.rmtree(folder, ignore_errors=True)


def _watch(token: str, folder: Path) -> None:
    # A stopping service signals every process of its group; the daemon's own end is what counts.
    for ignored in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    sys.stdin.buffer.read()
    _clear_up(token, folder)


if __name__ == "__main__":
    _watch(sys.argv[1], Path(sys.argv[2]))
