"""User rows: prompts, commands, results of tools, and what the program puts among them."""

from __future__ import annotations

from journald.transcript.clean import clean, without_reminders
from journald.transcript.conversation import Conversation, Place
from journald.transcript.kinds import PICTURES
from journald.transcript.origins import SCHEDULED, origin_of
from journald.transcript.persisted import Persisted
from journald.transcript.queue import PromptQueue
from journald.transcript.records import EMPTY, Block, Message, Row, decode_blocks
from journald.transcript.results import Outcome, read_result
from journald.transcript.session import EventKind, NoticeKind, Origin, ToolResult
from journald.transcript.tasks import read_task
from journald.transcript.words import Voice, Words, attribute, is_plan, slash_command

_NOTICES = {
    Voice.INTERRUPT: NoticeKind.INTERRUPT,
    Voice.HOOK: NoticeKind.HOOK,
    Voice.MACHINE: NoticeKind.OTHER,
}

_QUESTION = "AskUserQuestion"


class UserRows:
    """Reads the user rows of one conversation."""

    def __init__(
        self, conversation: Conversation, queue: PromptQueue, persisted: Persisted
    ) -> None:
        self.conversation = conversation
        self.queue = queue
        self._persisted = persisted
        self._results: set[str] = set()
        self._scheduled: set[str] = set()
        """Prompts that the model set down to be woken up with."""
        self._called: set[str] = set()
        self._asked: set[str] = set()
        """Calls that put a question to the human."""

    def called(self, call_id: str, tool: str) -> None:
        """Note a call of the model, whose result will come in a user row."""
        self._called.add(call_id)
        if tool == _QUESTION:
            self._asked.add(call_id)

    def schedule(self, prompt: str) -> None:
        """Note a prompt that will come back without a human."""
        text = normalise(prompt)
        if text:
            self._scheduled.add(text)

    def add(self, place: Place, row: Row) -> list[str]:
        """Add the events of a row; return the types of blocks that are not known."""
        blocks = decode_blocks((row.message or Message()).content)
        if row.isCompactSummary:
            self.conversation.summary(place, clean(_join(blocks)).strip())
            return []
        results = [block for block in blocks if block.type == "tool_result"]
        unknown = self._add_results(place, row, results)
        self._add_words(place, row, blocks, beside_result=bool(results))
        known = PICTURES | {"text", "tool_result"}
        return unknown + [block.type or "?" for block in blocks if block.type not in known]

    def _add_results(self, place: Place, row: Row, results: list[Block]) -> list[str]:
        unknown: list[str] = []
        # There is one `toolUseResult` per row: of several results nobody knows whose it is.
        details = row.toolUseResult if len(results) == 1 else EMPTY
        for block in results:
            call_id = block.tool_use_id or ""
            outcome = read_result(
                block,
                details,
                row.toolDenialKind,
                self._persisted,
                # The call may stand in the file that this one goes on from.
                question=call_id in self._asked or call_id not in self._called,
            )
            unknown.extend(f"tool_result/{kind}" for kind in outcome.unknown)
            self._add_result(place, outcome)
        return unknown

    def _add_result(self, place: Place, outcome: Outcome) -> None:
        call_id = outcome.result.call_id
        if call_id in self._results:
            return
        if call_id:
            self._results.add(call_id)
        self.conversation.add(
            place,
            EventKind.TOOL_RESULT,
            outcome.text,
            result=outcome.result,
            images=outcome.images,
        )
        if outcome.objection:
            self.conversation.say(place, outcome.objection, Origin.REJECTION)
        if outcome.answer:
            self.conversation.say(place, outcome.answer, Origin.ANSWER)

    def _add_words(
        self, place: Place, row: Row, blocks: list[Block], *, beside_result: bool
    ) -> None:
        origin = origin_of(row)
        said: list[str] = []
        for block in blocks:
            if block.type != "text" or not block.text:
                continue
            words = self._attribute(clean(block.text), row, origin)
            if words.voice is Voice.HUMAN:
                said.append(words.text)
            elif not self._told(place, row, words):
                self._tell(place, words)
        images = 0 if row.isMeta else sum(block.type in PICTURES for block in blocks)
        if not said and not images:
            return
        text = "\n".join(said)
        if beside_result:
            if self.queue.attached(text, place.line):
                self.conversation.say(place, text, Origin.APPROVAL, images)
            return
        self.queue.typed(text)
        plan = bool(row.planContent) or (row.promptSource != "typed" and is_plan(text))
        self.conversation.say(place, text, Origin.PLAN if plan else Origin.PROMPT, images)

    def _attribute(self, text: str, row: Row, origin: str | None) -> Words:
        """Tell whose words a text in a row is; one that nobody typed may be a wake-up."""
        unsaid = not (origin or row.promptSource)
        if unsaid and self._scheduled and normalise(text) in self._scheduled:
            origin = SCHEDULED
        return attribute(text, meta=bool(row.isMeta), origin=origin)

    def _told(self, place: Place, row: Row, words: Words) -> bool:
        """Tell whether words were told by another row, or are a skill that the model called."""
        if words.voice is Voice.COMMAND and row.sourceToolUseID:
            return True
        return words.voice in {Voice.COMMAND, Voice.TASK} and self.queue.repeated(
            words.text, place.line
        )

    def queued(self, place: Place, text: str, origin: str | None = None, images: int = 0) -> None:
        """Add what was handed from the queue into the running turn."""
        command = slash_command(text)
        if command:
            self._tell(place, Words(Voice.COMMAND, command))
            return
        if origin is None and text in self._scheduled:
            origin = SCHEDULED
        words = attribute(text, origin=origin)
        if words.voice is Voice.HUMAN or (images and not text):
            self.conversation.say(place, words.text, Origin.QUEUED, images)
        else:
            self._tell(place, words)

    def printed(self, place: Place, text: str) -> None:
        """Add a command, or its output, that stands in a system row."""
        words = attribute(text)
        if words.voice in {Voice.COMMAND, Voice.COMMAND_OUTPUT}:
            self._tell(place, words)
        elif words.voice is Voice.HUMAN:
            self._tell(place, Words(Voice.COMMAND_OUTPUT, words.text))

    def _tell(self, place: Place, words: Words) -> None:
        """Add what is not the human's prose."""
        text = words.text
        if words.voice is Voice.COMMAND:
            self.conversation.tell(place, EventKind.COMMAND, text)
        elif words.voice is Voice.COMMAND_OUTPUT:
            self.conversation.tell(place, EventKind.COMMAND_OUTPUT, text)
        elif words.voice is Voice.SUMMARY:
            self.conversation.summary(place, text)
        elif words.voice is Voice.TASK:
            self._task(place, text)
        elif words.voice in _NOTICES:
            self.conversation.notice(place, _NOTICES[words.voice], text)

    def _task(self, place: Place, text: str) -> None:
        end = read_task(text)
        facts = {"status": end.status, "taskId": end.task_id}
        self.conversation.notice(
            place,
            NoticeKind.TASK,
            end.text,
            result=ToolResult(
                call_id=end.call_id or "",
                is_error=end.status == "failed",
                details={key: value for key, value in facts.items() if value},
            ),
        )


def normalise(text: str) -> str:
    """Return a queued text in the form in which it is compared with other rows' texts."""
    return without_reminders(clean(text)).strip()


def _join(blocks: list[Block]) -> str:
    return "\n".join(block.text for block in blocks if block.type == "text" and block.text)
