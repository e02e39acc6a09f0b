"""Reduce: the notes on all parts brought down to what the writer of the narrative can hold.

Notes that do not hold against the session are left out first: merging repeats what it is given,
and what was invented once would be told as if two parts had seen it. Then neighbours are merged
in rounds, each round one batch, to any number of parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from journald.engine.base import Completion
from journald.summary import answers, prompts
from journald.summary.merge import Note, flat, folded, groups, text, within
from journald.summary.plan import Budget
from journald.summary.reading import Part
from journald.summary.retry import Asker, Question
from journald.summary.schema import Notes
from journald.summary.verdict import Judge

# A third of the notes goes when the model cannot cope with all of them.
_SMALLER = 2 / 3
_FEWEST = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduced:
    """What the narrative is written from."""

    notes: tuple[Note, ...] = ()
    rounds: int = 0
    dropped: int = 0
    """Notes that did not hold."""
    left_out: int = 0
    """Notes that there was no room for."""
    failures: tuple[str, ...] = ()
    """Why a merge was done by rank alone."""


class Reducer:
    """Merges notes within a budget; `facts` opens every prompt."""

    def __init__(
        self,
        asker: Asker,
        judge: Judge,
        budget: Budget,
        facts: str,
        key_events: frozenset[str],
    ) -> None:
        self._asker = asker
        self._judge = judge
        self._budget = budget
        self._facts = facts
        self._key_events = key_events
        self._count: Callable[[str], int] = asker.engine.count

    def reduce(self, parts: Sequence[Part]) -> Reduced:
        """Return the notes of all parts, within the writer's room. Raises EngineDeadError."""
        noted = [
            self._judge.sound_notes(part.notes) if part.by_model else part.notes for part in parts
        ]
        dropped = sum(len(part.notes) for part in parts) - sum(len(notes) for notes in noted)
        so_far = Reduced(dropped=dropped)
        notes = _joined(noted)
        while len(noted) > 1 and self._count(text(notes)) > self._budget.narrative_room:
            noted, so_far = self._round(noted, so_far)
            notes = _joined(noted)
        kept = within(notes, self._budget.narrative_room, self._count)
        return replace(so_far, notes=kept.notes, left_out=so_far.left_out + kept.left_out)

    def _round(
        self, noted: Sequence[tuple[Note, ...]], so_far: Reduced
    ) -> tuple[list[tuple[Note, ...]], Reduced]:
        """Merge neighbours, all groups in one batch; what fails is kept by rank."""
        gathered = groups(noted, self._budget.note_room, self._count)
        merged = {place: _joined(neighbours) for place, neighbours in enumerate(gathered)}
        questions = [
            replace(self._question(merged[place]), place=(place,))
            for place, neighbours in enumerate(gathered)
            if len(neighbours) > 1
        ]
        report = self._asker.ask(questions)
        dropped = left_out = 0
        for place, answer in report.answers:
            sound = self._judge.sound_notes(answer)
            dropped += len(answer) - len(sound)
            merged[place[0]] = sound
        for given_up in report.given_up:
            group = given_up.question.place[0]
            kept = within(merged[group], self._budget.note_tokens, self._count)
            left_out += kept.left_out
            merged[group] = kept.notes
        return [*merged.values()], replace(
            so_far,
            rounds=so_far.rounds + 1,
            dropped=so_far.dropped + dropped,
            left_out=so_far.left_out + left_out,
            failures=(*so_far.failures, *(given_up.reason for given_up in report.given_up)),
        )

    def _question(self, notes: tuple[Note, ...]) -> Question[tuple[Note, ...]]:
        """Ask for one set of notes; smaller means without those that weigh least."""
        kept = within(notes, self._budget.note_room, self._count)
        prompt = prompts.merge_prompt(
            self._facts, text(kept.notes, kept.left_out), max_tokens=self._budget.note_tokens
        )

        def read(completion: Completion) -> tuple[Note, ...]:
            return flat(answers.read(completion, Notes, prompt), self._key_events)

        def smaller() -> tuple[Question[tuple[Note, ...]], ...]:
            fewer = lighter(kept.notes, self._count)
            return (self._question(fewer),) if fewer else ()

        return Question(prompt=prompt, read=read, smaller=smaller)


def lighter(notes: tuple[Note, ...], count: Callable[[str], int]) -> tuple[Note, ...]:
    """Return `notes` without those that weigh least; none when there are too few to leave out."""
    fewer = within(notes, int(count(text(notes)) * _SMALLER), count).notes
    return fewer if _FEWEST <= len(fewer) < len(notes) else ()


def _joined(noted: Sequence[tuple[Note, ...]]) -> tuple[Note, ...]:
    return folded(note for notes in noted for note in notes)
