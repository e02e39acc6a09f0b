"""The rows of a main transcript, sent to where they belong."""

from __future__ import annotations

from journald.transcript.conversation import Conversation, Place
from journald.transcript.kinds import PICTURES, is_known_row
from journald.transcript.lineage import Inheritance
from journald.transcript.metadata import Metadata
from journald.transcript.moments import moment
from journald.transcript.persisted import Persisted
from journald.transcript.queue import Queued
from journald.transcript.records import Row, decode_blocks
from journald.transcript.rewinds import Prompts
from journald.transcript.sidechains import Sidechains
from journald.transcript.spending import Spending
from journald.transcript.steps import Steps
from journald.transcript.tally import Tally
from journald.transcript.tasks import queued_task
from journald.transcript.thread import Thread
from journald.transcript.user import normalise

TREE = frozenset({"user", "assistant", "system", "attachment"})


class Seen:
    """The rows that were read; a replay repeats the uuid and the time of a row."""

    def __init__(self) -> None:
        self.times: dict[str, int] = {}
        """What each row's time hashes to, by uuid."""

    def is_replay(self, row: Row) -> bool:
        """Note a row; tell whether it was there before.

        A uuid that comes again with another time is taken for another row, so that nothing is
        lost to a writer that gives one uuid twice (anthropics/claude-code#92089 repeats both).
        """
        if not row.uuid:
            return False
        time = hash(bytes(row.timestamp))
        known = self.times.get(row.uuid)
        if known is None:
            self.times[row.uuid] = time
        return known == time

    def shared(self, other: Seen) -> set[str]:
        """Return the uuids of the rows that `other` holds as well."""
        theirs = other.times
        return {uuid for uuid, time in self.times.items() if theirs.get(uuid) == time}


class Assembly:
    """Builds a session's parts out of the rows of its main file."""

    def __init__(
        self, tally: Tally, inheritance: Inheritance, persisted: Persisted | None = None
    ) -> None:
        self.seen = Seen()
        self.spending = Spending()
        self.metadata = Metadata()
        self.prompts = Prompts()
        self.ends: list[tuple[str | None, str | None]] = []
        """Task and call ids of background work whose end was queued."""
        conversation = Conversation("e")
        self.main = Thread(conversation, self.spending, persisted)
        self.steps = Steps(persisted, conversation.bulk)
        self.sidechains = Sidechains(
            lambda prefix: Thread(
                Conversation(prefix, delegated=True, bulk=conversation.bulk),
                self.spending,
                persisted,
            )
        )
        self.parents: dict[str, str] | None = None
        """Each row's parent, once it is known of all rows before the next one."""
        self._tally = tally
        self._inheritance = inheritance
        self._version: str | None = None

    def add(self, line: int, row: Row) -> None:
        """Add one row."""
        self._version = row.version or self._version
        kind = row.type or "?"
        self._tally.record(kind)
        above = row.parentUuid or row.logicalParentUuid
        if self.parents is not None and row.uuid and above:
            self.parents[row.uuid] = above
        if kind in TREE:
            self._add_tree(line, row)
        elif kind == "progress":
            inherited = self._inheritance.holds(row.uuid)
            unknown = self.steps.add(line, row, inherited=inherited)
            if unknown:
                self._tally.not_known(self._version, kind, *unknown)
        elif kind == "queue-operation":
            self._add_queue(line, row)
        elif is_known_row(kind):
            self.metadata.add(line, row)
        else:
            self._tally.not_known(self._version, kind, row.subtype)

    def _add_tree(self, line: int, row: Row) -> None:
        if self.seen.is_replay(row):
            return
        place = Place(
            line=line,
            uuid=row.uuid,
            at=moment(row.timestamp),
            inherited=self._inheritance.holds(row.uuid),
        )
        # A compaction's summary is the main conversation's, whatever else its row says.
        side = bool(row.isSidechain) and not row.isCompactSummary
        thread = self.sidechains.thread(row) if side else self.main
        if not side and not place.inherited:
            self.metadata.add_place(row)
        before = thread.conversation.last
        unknown = thread.add(place, row)
        if unknown:
            self._tally.not_known(self._version, row.type or "?", *unknown)
        if not side:
            self.prompts.add(row, line, thread.conversation.since(before))

    def _add_queue(self, line: int, row: Row) -> None:
        queue = self.main.queue
        blocks = decode_blocks(row.content)
        text = normalise("\n".join(block.text for block in blocks if block.text))
        if row.operation == "enqueue":
            queue.enqueue(text, sum(block.type in PICTURES for block in blocks))
            end = queued_task(text)
            if end is not None:
                self.ends.append((end.task_id, end.call_id))
        elif row.operation == "dequeue":
            queue.dequeue()
        elif row.operation == "popAll":
            queue.give_back(text)
        elif row.operation == "remove":
            self._hand_over(line, row, queue.remove(text, line))
        else:
            self._tally.not_known(self._version, "queue-operation", row.operation or "?")

    def _hand_over(self, line: int, row: Row, queued: Queued | None) -> None:
        if queued is None or not (queued.text or queued.images):
            return
        # JSON notices tell no more than that a task ended.
        if queued.text.startswith("{") and queued_task(queued.text):
            return
        at = moment(row.timestamp)
        place = Place(line=line, uuid=None, at=at, inherited=self._inheritance.covers(at))
        self.main.users.queued(place, queued.text, images=queued.images)
