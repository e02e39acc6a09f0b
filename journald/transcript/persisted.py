"""The ends of large tool outputs, which Claude Code keeps in files beside the transcript.

A result over some 30,000 characters is cut to its first 2 KB and the whole of it written to
`<session>/tool-results/<name>.txt`. What counts mostly stands at the end: how many tests passed,
what failed at last. So a bounded end of the file is read as well. The path that the transcript
gives is another machine's, or an attacker's: only its last part is used, inside of the session's
own folder, and no link is followed.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import ExitStack
from pathlib import Path

from journald.transcript.clean import clean, without_reminders

TAIL = 16 * 1024
_NAME = re.compile(r"[\w-][\w.-]{0,120}\.txt")
_SAVED = re.compile(r"Full output saved to: (?P<path>[^\n]+)")
# At the start only: elsewhere it is a text about such outputs.
_OPENING = re.compile(r"(?P<before>\s*+(?:Exit code \d++\s*+)?+)<persisted-output>\n?")
_CLOSING = "</persisted-output>"
_END = "\n[the end of the whole output:]\n"


class Persisted:
    """The persisted outputs of one session."""

    def __init__(self, transcript: Path | None = None) -> None:
        """Make one for the session whose main file is `transcript`; without one nothing is read."""
        name = transcript.name.removesuffix(".jsonl") if transcript else ""
        self._folder = transcript.with_name(name) if transcript else None

    def unwrap(self, text: str) -> str:
        """Return a result's text without `<persisted-output>` tags, the output's end added."""
        found = _OPENING.match(text)
        if found is None:
            return text
        inner, _, after = text[found.end() :].partition(_CLOSING)
        return f"{found['before']}{self._whole(inner.rstrip())}{after}".strip()

    def _whole(self, preview: str) -> str:
        saved = _SAVED.search(preview)
        name = re.split(r"[/\\]", saved["path"].strip())[-1] if saved else ""
        tail = self._tail(name) if _NAME.fullmatch(name) else ""
        return f"{preview}{_END}{tail}" if tail else preview

    def _tail(self, name: str) -> str:
        """Return the last lines of a persisted output; nothing when it cannot be had.

        The preview stands either way, so a file that retention took is no error.
        """
        if self._folder is None:
            return ""
        try:
            data = _read_end(self._folder, name)
        except OSError:
            return ""
        if len(data) == TAIL:
            _, _, data = data.partition(b"\n")
        return without_reminders(clean(data.decode(errors="replace"))).rstrip()


def _read_end(folder: Path, name: str) -> bytes:
    """Return the last `TAIL` bytes of a regular file, reached through no link. Raises OSError."""
    directory = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    # A pipe in the file's place must not block.
    plain = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    with ExitStack() as opened:
        session = os.open(folder, directory)
        opened.callback(os.close, session)
        results = os.open("tool-results", directory, dir_fd=session)
        opened.callback(os.close, results)
        file = os.open(name, plain, dir_fd=results)
        opened.callback(os.close, file)
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            return b""
        return os.pread(file, TAIL, max(0, status.st_size - TAIL))
