"""What one input of the coverage-guided run is read as, and what has to hold then.

The first byte of an input says what it is for.
"""

import re
import traceback
from collections import Counter
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec

from journald.ledger.ledger import build_ledger
from journald.ledger.readers import READERS, detect
from journald.ledger.runners import find_invocations
from journald.ledger.shell import heredocs, split
from journald.transcript.reader import Reader, read_session
from journald.transcript.records import decode_row
from journald.transcript.repair import recover, valid_text, whole_characters
from journald.transcript.session import Session
from journald.transcript.slim import Slimmer
from journald.transcript.words import attribute, slash_command
from journald.watch.content import content_mark
from tests.fuzz.mutator import APART
from tests.fuzz.neighbours import Damaged, Folder, faults

_PACKAGE = "journald"
_SELDOM = 32
# Bytes that are kept of both ends of a long string, for strings that a mutation can reach.
_KEPT = 24
# Far from Greenwich, so that days at the ends of time are found.
_ZONES = (UTC, ZoneInfo("Pacific/Kiritimati"), ZoneInfo("Pacific/Pago_Pago"))


class BrokenPromiseError(AssertionError):
    """Nothing was raised, and yet the result is wrong."""


class Findings:
    """The faults that were found, each once, with the smallest input that shows it."""

    def __init__(self, folder: Path) -> None:
        self.counts: Counter[str] = Counter()
        self._folder = folder
        self._sizes: dict[str, int] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, data: bytes, error: Exception) -> None:
        """Note an error and the input that raised it."""
        name = _name(error)
        self.counts[name] += 1
        if len(data) < self._sizes.get(name, len(data) + 1):
            self._sizes[name] = len(data)
            (self._folder / f"{name}.input").write_bytes(data)
            told = "".join(traceback.format_exception(error))
            (self._folder / f"{name}.txt").write_text(told, errors="replace")


def _name(error: Exception) -> str:
    """Return a file name for an error: its type and the place of ours where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if f"/{_PACKAGE}/" in frame.filename]
    if isinstance(error, BrokenPromiseError) or not own:
        place = str(error)
    else:
        place = f"{Path(own[-1].filename).stem}-{own[-1].name}-{own[-1].lineno}"
    return re.sub(r"[^\w.-]+", "-", f"{type(error).__name__}-{place}")[:120]


class Targets:
    """Runs one input after another in one folder."""

    def __init__(self, folder: Path, findings: Findings) -> None:
        self._folder = Folder(folder)
        self._findings = findings
        self._runs = 0
        self._targets: dict[int, Callable[[bytes], None]] = {
            ord("s"): self._session,
            ord("t"): self._torn_session,
            ord("c"): _command,
            ord("o"): _output,
            ord("w"): _words,
            ord("r"): _recovery,
            ord("l"): _long_line,
        }

    def run(self, data: bytes) -> None:
        """Run one input; what is wrong becomes a finding."""
        self._runs += 1
        target = self._targets.get(data[0] if data else 0, self._session)
        try:
            target(data[1:])
        except Exception as error:  # noqa: BLE001 - every exception is a finding, and the run goes on
            self._findings.add(data, error)

    def _session(self, data: bytes) -> None:
        self._read(data, ended=True)

    def _torn_session(self, data: bytes) -> None:
        self._read(data, ended=False)

    def _read(self, data: bytes, *, ended: bool) -> None:
        main, *beside = data.split(APART, 2)
        damaged = Damaged(
            main=main,
            agent=beside[0] if beside else None,
            meta=beside[1] if len(beside) > 1 else None,
            ended=ended,
        )
        self._folder.write(damaged)
        session = read_session(self._folder.path)
        _expect(faults(session, damaged))
        _check_texts(session)
        content_mark(session)
        build_ledger(session, _ZONES[self._runs % len(_ZONES)])
        # These are dear, and the same code runs in them.
        if self._runs % _SELDOM == 0:
            self._read_growing(session)
        elif self._runs % _SELDOM == 1 and read_session(self._folder.path) != session:
            raise BrokenPromiseError("reading twice gives two sessions")

    def _read_growing(self, session: Session) -> None:
        whole = self._folder.path.read_bytes()
        reader = Reader()
        for cut in (self._runs % (len(whole) + 1), len(whole)):
            self._folder.grow(whole[:cut])
            found = reader.read(self._folder.path)
        if found != session:
            raise BrokenPromiseError("read while it grows it is another session")


def _expect(found: list[str]) -> None:
    if found:
        raise BrokenPromiseError(found[0])


def _check_texts(session: Session) -> None:
    """Raise UnicodeEncodeError for a text that no file, database or model could be given."""
    for text in (session.title, session.cwd, session.branch, session.project, *session.tags):
        (text or "").encode()
    for agent in session.subagents:
        f"{agent.agent_id}{agent.kind}{agent.description}{agent.call_id}".encode()
    for events in (session.events, *(agent.events for agent in session.subagents)):
        for event in events:
            f"{event.text}{event.uuid}{event.message_id}{event.model}".encode()
            if event.call:
                f"{event.call.name}{event.call.call_id}{event.call.input}".encode()
            if event.result:
                f"{event.result.call_id}{event.result.details}".encode()


def _text(data: bytes) -> str:
    return data.decode(errors="replace")


def _command(data: bytes) -> None:
    command = _text(data)
    steps = split(command)
    if any(not step.words for step in steps):
        raise BrokenPromiseError("a step without words")
    heredocs(command)
    find_invocations(command)


def _output(data: bytes) -> None:
    output = _text(data)
    for read in READERS.values():
        counts = read(output)
        if counts and min(counts.passed or 0, counts.failed or 0) < 0:
            raise BrokenPromiseError("a number of tests below nought")
    detect(output)


def _words(data: bytes) -> None:
    text = _text(data)
    for origin in (None, "human", "task-notification"):
        for meta in (False, True):
            attribute(text, meta=meta, origin=origin).text.encode()
    slash_command(text)


def _recovery(data: bytes) -> None:
    line = whole_characters(valid_text(data.replace(b"\n", b"")))
    strict = recover(line, search=False)
    loose = recover(line, search=True)
    if strict.records != loose.records[: len(strict.records)]:
        raise BrokenPromiseError("a search changes what stands at the start of a line")
    for record in loose.records:
        if decode_row(record) is None:
            raise BrokenPromiseError("a recovered record is no record")


def _long_line(data: bytes) -> None:
    """Take the middle out of strings of a line that comes in pieces."""
    line = data[1:].replace(b"\n", b" ")
    step = 1 + (data[0] if data else 0)
    slimmer = Slimmer(_KEPT)
    for start in range(0, len(line), step):
        slimmer.feed(line[start : start + step])
    slim = slimmer.finish()
    if not slimmer.elided and slim != line:
        raise BrokenPromiseError("a line is changed of which nothing was left out")
    if not _is_json(line):
        return
    if not _is_json(slim):
        raise BrokenPromiseError("a long line is no JSON any more")
    if len(line) - len(slim) > slimmer.elided:
        raise BrokenPromiseError("more is left out than is said")


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return False
    return True
