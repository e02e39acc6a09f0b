"""An entry as Markdown: front matter, and the generated part between its markers."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from journald.journal import frontmatter
from journald.journal.durations import span, spoken
from journald.journal.entry import Entry
from journald.journal.facts import facts
from journald.journal.inert import disarmed, one_line
from journald.journal.pen import Pen
from journald.journal.telling import telling
from journald.summary.narrative import Source, Status

END = "<!-- journald:end -->"
# What a new entry offers below the generated part; from then on it is the user's.
_OWN_PART = (
    "\n<!-- Below is yours: journald changes only what stands between its two markers. -->\n"
    "\n## My notes\n\n"
)
_MARK = re.compile(r"\\?\[REDACTED:([\w-]{1,60})\]")
_IN_A_MARKER = re.compile(r"[\w.-]{1,120}")
_HASH_CHARS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """An entry's parts, before they meet what stands in its file already."""

    front: Mapping[str, Any]
    heading: str
    """The line of the title, `# …`; a user who changes it keeps theirs."""
    body: str
    """The generated part below the heading, ending with a newline."""


def render(entry: Entry, redact: Callable[[str], str]) -> str:
    """Return the whole text of the entry's file as it is first written.

    `redact` is applied to every text of the transcript, and again to the generated part as a
    whole. Nothing of a transcript can end the front matter, the generated part or a section.
    """
    return assemble(compose(entry, redact))


def compose(entry: Entry, redact: Callable[[str], str], note: str = "") -> Page:
    """Return the parts of the entry; `note` is a line of Markdown to stand below its heading."""
    pen = Pen(redact=redact, zone=entry.zone, first=entry.started, cwd=entry.cwd)
    heading = f"# {pen.literal(entry.title) or 'Session'}"
    lines = [
        *([note, ""] if note else []),
        _dateline(entry, pen),
        "",
        *_authorship(entry, pen),
        *telling(entry, pen),
        *facts(entry, pen),
    ]
    body = disarmed(redact("\n".join(lines).strip("\n")))
    front = frontmatter.values(entry, redact)
    redactions = Counter(found[1] for found in _MARK.finditer(f"{heading}\n{body}"))
    internal = front.pop(frontmatter.INTERNAL)
    if redactions:
        internal["redactions"] = dict(sorted(redactions.items()))
    internal["wrote"] = frontmatter.record(front)
    return Page(
        front={**front, frontmatter.INTERNAL: internal},
        heading=disarmed(heading),
        body=f"{body}\n",
    )


def assemble(page: Page) -> str:
    """Return the whole text of a new entry."""
    return f"---\n{frontmatter.dump(page.front)}---\n\n{generated(page)}\n{_OWN_PART}"


def generated(page: Page, heading: str | None = None) -> str:
    """Return the generated part with its markers, no newline at its end.

    `heading` stands in for the page's own one where the user has changed it.
    """
    session = str(page.front[frontmatter.INTERNAL]["session"])
    named = f" session={session}" if _IN_A_MARKER.fullmatch(session) else ""
    hashes = f"title={text_hash(page.heading)} body={text_hash(page.body)}"
    title = page.heading if heading is None else heading
    top = f"{title}\n\n" if title else ""
    return f"<!-- journald:begin{named} {hashes} -->\n{top}{page.body}{END}"


def text_hash(text: str) -> str:
    """Return a hash that does not mind line ends, spaces before them, and blank lines around."""
    lines = [line.rstrip() for line in re.split(r"\r\n|\r|\n", text.strip())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:_HASH_CHARS]


def _dateline(entry: Entry, pen: Pen) -> str:
    parts = [pen.literal(entry.project), pen.literal(entry.branch or "")]
    if entry.started and entry.ended:
        parts += [span(entry.started, entry.ended), f"{spoken(entry.active)} active"]
    parts += [pen.literal(name) for name in entry.models]
    return " · ".join(part for part in parts if part)


def _authorship(entry: Entry, pen: Pen) -> list[str]:
    """Return who wrote the narrative, where that is not a model alone."""
    if entry.narrative.source is Source.MODEL and entry.status is Status.COMPLETE:
        return []
    if entry.status is Status.NARRATIVE_PENDING:
        why = f" ({pen.literal(entry.reason).rstrip('.')})" if one_line(entry.reason) else ""
        text = f"Not yet written by a model{why}: what is quoted below are the session's own words."
    elif entry.narrative.source is Source.MIXED:
        text = "Written by a model in part; what is quoted are the session's own words."
    else:
        text = "Written without a model: what is quoted below are the session's own words."
    return [f"*{text}*", ""]
