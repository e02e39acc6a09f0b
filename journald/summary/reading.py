"""Map: the chunks of a session, read as one batch into notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from journald.digest.evidence import Item, Role
from journald.engine.base import Completion
from journald.summary import answers, prompts
from journald.summary.chunks import Chunk, halves
from journald.summary.merge import Note, Weight, flat
from journald.summary.plan import Plan
from journald.summary.retry import Question, Report
from journald.summary.schema import Notes
from journald.summary.state import Header
from journald.summary.words import opening

_QUOTE_CHARS = 240
# A part of fewer tokens than this may hold nothing worth a note.
_TELLING_TOKENS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Consecutive items of one chunk, and the notes on them."""

    chunk: Chunk
    retold: tuple[Item, ...]
    fresh: tuple[Item, ...]
    notes: Notes = field(default_factory=Notes)


class Reader:
    """Asks for notes on chunks, and reads them."""

    def __init__(self, plan: Plan, header: Header, count: Callable[[str], int]) -> None:
        self._plan = plan
        self._header = header
        self._count = count

    def questions(self) -> tuple[Question[Stretch], ...]:
        """Return one question for each chunk of the plan."""
        found = []
        for chunk in self._plan.chunks:
            retold, fresh = self._plan.texts(chunk)
            stretch = Stretch(chunk=chunk, retold=retold, fresh=fresh)
            found.append(replace(self._question(stretch), place=(chunk.index,)))
        return tuple(found)

    def _question(self, stretch: Stretch) -> Question[Stretch]:
        prompt = prompts.notes_prompt(
            self._header.before(stretch.fresh[0].id),
            stretch.retold,
            stretch.fresh,
            max_tokens=self._plan.budget.note_tokens,
            chunk=stretch.chunk,
        )

        def read(completion: Completion) -> Stretch:
            may_be_empty = sum(item.tokens for item in stretch.fresh) < _TELLING_TOKENS
            notes = answers.read(completion, Notes, prompt, may_be_empty=may_be_empty)
            return replace(stretch, notes=notes)

        def smaller() -> tuple[Question[Stretch], ...]:
            pieces = halves(stretch.fresh, self._count)
            return tuple(
                self._question(replace(stretch, retold=(), fresh=piece)) for piece in pieces
            )

        return Question(prompt=prompt, read=read, smaller=smaller, subject=stretch)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The notes on one stretch; extractive ones where the model failed."""

    place: tuple[int, ...]
    notes: tuple[Note, ...]
    by_model: bool


def parts(report: Report[Stretch], key_events: frozenset[str]) -> tuple[Part, ...]:
    """Return the notes on all stretches in order; where the model failed, their own words."""
    found = [
        Part(place=place, notes=flat(stretch.notes, key_events), by_model=True)
        for place, stretch in report.answers
    ]
    found += [
        Part(place=given_up.question.place, notes=own_words(subject.fresh), by_model=False)
        for given_up in report.given_up
        if (subject := given_up.question.subject) is not None
    ]
    return tuple(sorted(found, key=lambda part: part.place))


def own_words(items: Sequence[Item]) -> tuple[Note, ...]:
    """Return notes without a model: what the user said, and where the work on it ended."""
    notes: list[Note] = []
    answer: Item | None = None
    for item in items:
        if item.role is Role.USER:
            if answer is not None:
                notes.append(_quoted("Claude said", answer))
                answer = None
            notes.append(_quoted("The user said", item))
        elif item.role is Role.ASSISTANT:
            answer = item
    if answer is not None:
        notes.append(_quoted("Claude said", answer))
    return tuple(notes)


def _quoted(who: str, item: Item) -> Note:
    words = opening(item.text.removeprefix(f"[{item.id}]").strip(), _QUOTE_CHARS)
    return Note(text=f"{who}: {words}", evidence=(item.id,), weight=Weight.KEY_EVENT)
