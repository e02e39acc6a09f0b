"""What every text of a digest passes through, and the counts of what was taken out of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from journald.digest.defuse import defuse, elide_encoded, strip_controls
from journald.digest.elide import Cut, cut, cut_line
from journald.digest.redact import Redactor

# A working directory shorter than this is no folder of a project.
_SHORTEST_FOLDER = 4
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")
_LINE_BLANKS = re.compile(r"[ \t]+$", re.MULTILINE)


class Pen:
    """Cleans and cuts texts; one for each digest, for it counts."""

    def __init__(self, redactor: Redactor, folder: str | None) -> None:
        self._redactor = redactor
        self._folder = _inside(folder) if folder and len(folder) >= _SHORTEST_FOLDER else None
        self._name = (folder or "").rstrip("/\\")
        self._home = re.compile(rf"\Acd [\"']?{re.escape(self._name)}/?[\"']?\s*&&\s*(?=\S)")
        self._redactions: Counter[str] = Counter()
        self.elided = 0

    @property
    def redactions(self) -> Mapping[str, int]:
        """Secrets taken out so far, by kind."""
        return dict(self._redactions)

    def words(self, text: str) -> str:
        """Return `text` redacted and made harmless, otherwise as it is."""
        cleaned, counts = self._redactor.counted(strip_controls(text))
        self._redactions.update(counts)
        cleaned, gone = elide_encoded(defuse(cleaned))
        self.elided += gone
        return _LINE_BLANKS.sub("", cleaned).strip("\n")

    def output(self, text: str) -> str:
        """Return what a tool printed: as `words`, paths short, no runs of blank lines."""
        return _BLANK_LINES.sub("\n\n", self.short(self.words(text)))

    def short(self, text: str) -> str:
        """Return `text` with the paths inside the session's folder relative to it."""
        return self._folder.sub("", text) if self._folder else text

    def command(self, command: object) -> str:
        """Return a shell command; where it goes to the session's folder first is left out."""
        text = self.words(command) if isinstance(command, str) else ""
        return self.short(self._home.sub("", text) if self._name else text)

    def path(self, path: object) -> str:
        """Return one path, relative to the session's folder where it lies in it."""
        text = self.line(path)
        return "." if text and text.rstrip("/\\") == self._name else self.short(text)

    def line(self, value: object) -> str:
        """Return one value as one clean line; what is no text comes back empty."""
        return " ".join(self.words(value).split()) if isinstance(value, str) else ""

    def cut(self, text: str, head: int, tail: int) -> str:
        """Return head and tail of a text that is clean already."""
        return self._counted(cut(text, head, tail))

    def cut_line(self, text: str, size: int) -> str:
        """Return head and tail of a line that is clean already."""
        return self._counted(cut_line(text, size))

    def _counted(self, made: Cut) -> str:
        self.elided += made.elided
        return made.text


def _inside(folder: str) -> re.Pattern[str]:
    """Return what a path inside `folder` begins with, by either separator."""
    parts = r"[/\\]".join(map(re.escape, re.split(r"[/\\]", folder.rstrip("/\\"))))
    return re.compile(rf"(?<![\w./\\~-]){parts}[/\\](?=\S)")
