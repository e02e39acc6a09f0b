"""The state of a transcript's files on disk: cheap to take, and different after any change."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

_SUBAGENTS = "subagents"
_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesState:
    """The files of one session at one moment."""

    signature: str
    size: int
    """Bytes of the main transcript."""
    modified: datetime
    """Latest modification of any of them."""


def files_state(transcript: Path) -> FilesState | None:
    """Return the state of a transcript and its sub-agents' transcripts; None when it is gone.

    The change time is part of it: a rewrite may keep size and modification time, but the
    kernel sets that one. Raises OSError when the file cannot be looked at.
    """
    try:
        main = transcript.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    others = [*_subagents(transcript)]
    modified = max([main, *others], key=lambda status: status.st_mtime_ns).st_mtime_ns
    parts = (
        main.st_dev,
        main.st_ino,
        main.st_size,
        main.st_mtime_ns,
        main.st_ctime_ns,
        len(others),
        sum(status.st_size for status in others),
        max((status.st_ctime_ns for status in others), default=0),
    )
    return FilesState(
        signature=":".join(str(part) for part in parts),
        size=main.st_size,
        modified=datetime.fromtimestamp(modified / _NANOSECONDS, UTC),
    )


def _subagents(transcript: Path) -> Iterator[os.stat_result]:
    folder = transcript.with_suffix("") / _SUBAGENTS
    for inside, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".jsonl"):
                try:
                    yield (Path(inside) / name).stat()
                except FileNotFoundError:
                    continue
