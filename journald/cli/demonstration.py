"""The demonstration behind `journald demo`: a real daemon, a sample session, an entry."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType

import yaml

from journald.cli.playback import play, read_sample, steps
from journald.errors import JournaldError

_SAMPLE = Path(__file__).parent / "sample"
_PLAYED_IN = 6.0
_PATIENCE = 20.0
_POLL = 0.1
_LOG_TAIL = 12
_WIDTH = 100
_SIGNALLED = 128  # a shell's exit code for a process that a signal ended, less the signal
# These would send the daemon to another configuration, or make it talk to a service manager.
_NOT_INHERITED = ("JOURNALD_CONFIG", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID")


class DemonstrationError(JournaldError):
    """The demonstration did not come to its end."""


def demonstrate(
    environment: Mapping[str, str], notes: Path | None, talk: Callable[[str], None]
) -> Path:
    """Journal the sample session with a daemon of its own; return its entry, which stays.

    Raises DemonstrationError; the daemon is ended whatever happens.
    """
    kept = Path(tempfile.mkdtemp(prefix="journald-demo-")) if notes is None else notes.absolute()
    with tempfile.TemporaryDirectory(prefix="journald-demo-work-") as work:
        place = _Place(work=Path(work), notes=kept)
        talk("Starting the daemon on a projects folder of its own …")
        with _daemon(place, environment) as daemon:
            talk("A session begins: its 16 minutes, played in seconds.")
            writes = steps(
                read_sample(_SAMPLE), datetime.now(UTC) + timedelta(seconds=_PLAYED_IN), _PLAYED_IN
            )
            play(writes, place.projects, time.sleep, lambda told: talk(f"  {_line(told)}"))
            silent = time.time()
            talk("The session is silent; after two seconds it counts as idle …")
            return _wait_for_entry(daemon, place, silent)


def body_of(entry: str) -> str:
    """Return the Markdown of an entry without its front matter and its markers."""
    body = re.sub(r"\A---\n.*?\n---\n", "", entry, count=1, flags=re.DOTALL)
    return re.sub(r"<!--.*?-->\n?", "", body, flags=re.DOTALL).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    work: Path
    notes: Path

    @property
    def projects(self) -> Path:
        return self.work / "projects"

    @property
    def log(self) -> Path:
        return self.work / "daemon.log"

    def settings(self) -> str:
        """Return the daemon's configuration file."""
        return yaml.safe_dump(
            {
                "projects": [str(self.projects)],
                "notes_dir": str(self.notes),
                "state_dir": str(self.work / "state"),
                "idle": {"after": "2s", "pending_after": "2s", "scan_every": "1s"},
                "engine": {"name": "extractive"},
                "log": {"format": "json"},
            }
        )


@contextmanager
def _daemon(place: _Place, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run the daemon; ask it to end, and make it end, when the block is left."""
    place.projects.mkdir()
    file = place.work / "config.yaml"
    file.write_text(place.settings(), encoding="utf-8")
    inherited = {name: environment[name] for name in environment if name not in _NOT_INHERITED}
    with place.log.open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - this very program
            [sys.executable, "-m", "journald", "--config", str(file), "run"],
            env=inherited,
            cwd=place.work,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        with _signals_as_exit():
            yield process
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def _signals_as_exit() -> Iterator[None]:
    """Leave the block when this process is asked to end, so that the daemon ends with it."""

    def leave(number: int, _frame: FrameType | None) -> None:
        raise SystemExit(_SIGNALLED + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait_for_entry(daemon: subprocess.Popen[bytes], place: _Place, since: float) -> Path:
    """Return the entry written after `since`: an earlier one does not hold the whole session."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        for path in place.notes.rglob("*.md"):
            if path.stat().st_mtime >= since:
                return path
        if daemon.poll() is not None:
            raise DemonstrationError(
                f"The daemon ended with exit code {daemon.returncode}.", hint=_last_lines(place)
            )
        time.sleep(_POLL)
    raise DemonstrationError(
        f"No entry was written within {_PATIENCE:.0f} seconds.", hint=_last_lines(place)
    )


def _last_lines(place: _Place) -> str:
    lines = place.log.read_text(encoding="utf-8", errors="replace").splitlines()
    return "\n".join(["The daemon's last words:", *lines[-_LOG_TAIL:]])


def _line(text: str) -> str:
    line = " ".join(text.split()) if text.startswith(("> ", "● ")) else text
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
