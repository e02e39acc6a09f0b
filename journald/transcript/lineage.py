"""Which rows of a transcript belong to an earlier session.

A resume in a new file and a fork copy the history into it, mostly with its uuids
(anthropics/claude-code#8524, #40363). A row is told once: by the first file that holds it, where
files are ordered by the first row that is theirs alone, and one that has none comes first.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from journald.transcript.discovery import HEAD, siblings
from journald.transcript.moments import moment
from journald.transcript.records import decode_link
from journald.transcript.stream import BLOCK, Cursor, RewrittenError, read_records

# A copy starts with its history; hooks of the new start may stand before it.
_HEAD_ROWS = 8
_NAME = re.compile(r"[\w-]+")
_LATEST = datetime.max.replace(tzinfo=UTC)
_ENDING = ".jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inheritance:
    """What a file holds of another session."""

    parent: str | None = None
    uuids: frozenset[str] = frozenset()
    until: datetime | None = None
    """Time of the latest inherited row."""

    def holds(self, uuid: str | None) -> bool:
        """Tell whether a row belongs to the earlier session."""
        return uuid is not None and uuid in self.uuids

    def covers(self, at: datetime | None) -> bool:
        """Tell whether a row without uuid was written before the copy was made."""
        return self.until is not None and at is not None and at <= self.until


@dataclass(frozen=True, slots=True)
class _Node:
    uuid: str
    at: datetime | None
    origin: str | None
    """Session that the row was forked from."""


@dataclass(frozen=True, slots=True)
class _Head:
    uuids: frozenset[str]
    sessions: frozenset[str]
    """Other sessions that the first rows name."""
    compacted: str | None
    """uuid of the first row when that is a compaction."""
    copied: bool
    """The file says of itself that its history was copied."""

    def is_copy_of(self, session: str) -> bool:
        return self.copied or session in self.sessions


class Lineage:
    """Traces the rows of one file to other sessions', and again when the files grew."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files: dict[Path, _Nodes] = {}

    def trace(self) -> Inheritance:
        """Return what the file holds of the other sessions in its folder. Raises OSError."""
        head = _head(self._path)
        relatives = _relatives(self._path, head) if head.uuids else []
        known, self._files = self._files, {}
        if not relatives:
            return Inheritance()
        for path in (self._path, *relatives):
            self._files[path] = known.get(path) or _Nodes(path)
        own = self._files[self._path].read_on()
        return _inheritance(own, self._inherited(relatives, own))

    def _inherited(self, relatives: list[Path], own: list[_Node]) -> dict[str, set[str]]:
        """Return the uuids of the rows that belong to each other session."""
        inherited: dict[str, set[str]] = {}
        for relative in relatives:
            session = relative.name.removesuffix(_ENDING)
            shared = {node.uuid for node in own if node.origin == session}
            others: list[_Node] = []
            with suppress(OSError):  # as in `_head_if_there`
                others = self._files[relative].read_on()
            if _owns(relative, others, self._path, own):
                shared |= {node.uuid for node in others} & {node.uuid for node in own}
            if shared:
                inherited[session] = shared
        return inherited


class _Nodes:
    """The rows of a file that stand in the tree."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._begin()

    def _begin(self) -> None:
        self._cursor = Cursor(self._path, decode_link)
        self._found: list[_Node] = []

    def read_on(self) -> list[_Node]:
        """Return all of them, reading no more than what was added. Raises OSError."""
        try:
            self._read()
        except RewrittenError:
            self._begin()
            self._read()
        return self._found

    def _read(self) -> None:
        for _, link in self._cursor.read_on():
            if link.uuid:
                origin = link.forkedFrom.sessionId if link.forkedFrom else None
                self._found.append(_Node(link.uuid, moment(link.timestamp), origin))


def _inheritance(own: list[_Node], inherited: dict[str, set[str]]) -> Inheritance:
    if not inherited:
        return Inheritance()
    uuids = frozenset().union(*inherited.values())
    times = [node.at for node in own if node.uuid in uuids and node.at is not None]
    return Inheritance(
        parent=max(inherited, key=lambda session: len(inherited[session])),
        uuids=uuids,
        until=max(times, default=None),
    )


def _owns(relative: Path, others: list[_Node], path: Path, own: list[_Node]) -> bool:
    """Tell whether what both files hold is `relative`'s.

    What the files say of themselves decides; most resumed copies say nothing.
    """
    copied = _head(path).is_copy_of(relative.name.removesuffix(_ENDING))
    original = _head_if_there(relative).is_copy_of(path.name.removesuffix(_ENDING))
    if copied != original:
        return copied
    return _precedes(others, own, relative.name < path.name)


def _precedes(others: list[_Node], own: list[_Node], first_by_name: bool) -> bool:
    """Tell whether the file with rows `others` owns what both hold."""
    theirs = _first_alone(others, {node.uuid for node in own})
    mine = _first_alone(own, {node.uuid for node in others})
    if theirs == mine:
        return first_by_name
    if theirs is None or mine is None:
        return theirs is None
    return theirs < mine


def _first_alone(nodes: list[_Node], others: set[str]) -> datetime | None:
    """Return the time of the first row that the other file has not; None without such a row."""
    alone = [node for node in nodes if node.uuid not in others]
    if not alone:
        return None
    return next((node.at for node in alone if node.at is not None), _LATEST)


def _relatives(path: Path, head: _Head) -> list[Path]:
    """Return the siblings that may hold rows of `path`."""
    named = {f"{session}{_ENDING}" for session in head.sessions if _NAME.fullmatch(session)}
    others = siblings(path)
    found = [
        other
        for other in others
        if other.name in named or not head.uuids.isdisjoint(_head_if_there(other).uuids)
    ]
    if found or head.compacted is None:
        return found
    # A copy made after a compaction starts in the middle of its original.
    mark = head.compacted.encode()
    return [other for other in others if _contains(other, mark)]


def _head_if_there(path: Path) -> _Head:
    try:
        return _head(path)
    except OSError:
        # Removed by retention since the folder was listed, or not ours to read; that is said
        # where that file itself is read, and is no fault of the one at hand.
        return _Head(frozenset(), frozenset(), None, copied=False)


def _head(path: Path) -> _Head:
    status = path.stat()
    state = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return _head_in_state(str(path), state)


# Every session of a folder is held against every other; so none is opened twice for that.
@lru_cache(maxsize=8192)
def _head_in_state(name: str, _state: tuple[int, ...]) -> _Head:
    path = Path(name)
    uuids: list[str] = []
    sessions: set[str] = set()
    compacted: str | None = None
    copied = False
    for _, link in read_records(path, decode_link, HEAD):
        copied |= link.type == "history-suppression" or link.sessionKind == "bg"
        if not link.uuid:
            continue
        if not uuids and link.subtype == "compact_boundary":
            compacted = link.uuid
        uuids.append(link.uuid)
        origin = link.forkedFrom.sessionId if link.forkedFrom else None
        sessions.update(name for name in (link.sessionId, origin) if name)
        if len(uuids) == _HEAD_ROWS:
            break
    sessions.discard(path.name.removesuffix(_ENDING))
    return _Head(frozenset(uuids), frozenset(sessions), compacted, copied)


def _contains(path: Path, mark: bytes) -> bool:
    """Tell whether the bytes `mark` stand in the file, which is read block by block."""
    tail = b""
    try:
        with path.open("rb") as stream:
            while block := stream.read(BLOCK):
                if mark in tail + block:
                    return True
                tail = (tail + block)[-len(mark) :]
    except OSError:  # as in `_head_if_there`
        return False
    return False
