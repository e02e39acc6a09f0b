"""A transcript file becomes a Session."""

from __future__ import annotations

import os.path
import stat
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from journald.errors import TranscriptError, TranscriptMissingError
from journald.transcript.reading import Reading
from journald.transcript.session import Session

_KEPT = 64 * 1024 * 1024


def read_session(path: Path) -> Session:
    """Read the session whose main transcript is `path`, its sub-agents folded in.

    Any file name is accepted. Rows that belong to an earlier session in the same folder are left
    out. Raises TranscriptMissingError when there is no such file and TranscriptError when it
    cannot be read.
    """
    path = _absolute(path)
    with _translated(path):
        return Reading(path).read()


class Reader:
    """Reads sessions again and again as they grow, each time no more than what was added.

    What it has read of a session stays in memory, that of the sessions asked for last, up to
    `kept` bytes of transcripts; any other is read whole.
    """

    def __init__(self, kept: int = _KEPT) -> None:
        self._kept = kept
        self._readings: OrderedDict[Path, Reading] = OrderedDict()

    def read(self, path: Path) -> Session:
        """Return what `read_session` returns, with the same errors."""
        path = _absolute(path)
        # Put back only when all went well: after an error a reading may be half done.
        reading = self._readings.pop(path, None) or Reading(path)
        with _translated(path):
            session = reading.read()
        self._readings[path] = reading
        self._forget_oldest()
        return session

    def _forget_oldest(self) -> None:
        size = sum(reading.size for reading in self._readings.values())
        while self._readings and size > self._kept:
            _, oldest = self._readings.popitem(last=False)
            size -= oldest.size


def _absolute(path: Path) -> Path:
    # `Path.absolute` would keep a `..`, `Path.resolve` would follow links.
    return Path(os.path.abspath(path))  # noqa: PTH100 - see above


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        _refuse_other_kinds(path)
        yield
    except FileNotFoundError as error:
        raise TranscriptMissingError(
            f"There is no transcript {path}.",
            hint="Check the path; Claude Code deletes transcripts after 30 days by default.",
        ) from error
    except OSError as error:
        raise TranscriptError(
            f"The transcript {error.filename or path} cannot be read: {error.strerror or error}.",
            hint="Check that it is a file and that you may read it.",
        ) from error


def _refuse_other_kinds(path: Path) -> None:
    """Open nothing that could block, or never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a pipe or a device"
        raise TranscriptError(
            f"The transcript {path} is {kind}, not a file.",
            hint="Name the .jsonl file of a session.",
        )
