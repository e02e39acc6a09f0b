"""Notes as text, folded and kept within a budget by rank, never by a silent cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from journald.summary.grounding import cited_ids
from journald.summary.schema import Notes


class Weight(IntEnum):
    """What is kept rather than what, when there is no room for all."""

    EVENT = 0
    LESSON = 1
    KEY_EVENT = 2  # an event that the ledger knows: a request, a change, a commit, tests, an error
    PROBLEM = 3
    OPEN = 4
    DECISION = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One note, as a line of text."""

    text: str
    evidence: tuple[str, ...]
    weight: Weight

    @property
    def line(self) -> str:
        """The note with the events it rests on."""
        return f"- {self.text} [{', '.join(self.evidence)}]"


def flat(notes: Notes, key_events: frozenset[str]) -> tuple[Note, ...]:
    """Return every note as one line; `key_events` are those that the ledger knows."""
    return tuple(note for note in _flat(notes, key_events) if note.text)


def _flat(notes: Notes, key_events: frozenset[str]) -> Iterator[Note]:
    for event in notes.events:
        ids = _ids(event.evidence)
        weight = Weight.KEY_EVENT if key_events.intersection(ids) else Weight.EVENT
        text = _joined(event.what, ("why", event.why), ("outcome", event.outcome))
        yield Note(text=text, evidence=ids, weight=weight)
    for choice in notes.decisions:
        text = _joined(
            choice.decision, ("reason", choice.reason), ("alternatives", choice.alternatives)
        )
        yield Note(
            text=_labelled("Decided", text), evidence=_ids(choice.evidence), weight=Weight.DECISION
        )
    for trouble in notes.problems:
        text = _joined(
            trouble.symptom,
            ("cause", trouble.cause),
            ("fix", trouble.fix),
            ("solved", trouble.solved),
        )
        yield Note(
            text=_labelled("Problem", text), evidence=_ids(trouble.evidence), weight=Weight.PROBLEM
        )
    for lesson in notes.lessons:
        yield Note(
            text=_labelled("Found out", lesson.text),
            evidence=_ids(lesson.evidence),
            weight=Weight.LESSON,
        )
    for thread in notes.open_threads:
        yield Note(
            text=_labelled("Left open", thread.text),
            evidence=_ids(thread.evidence),
            weight=Weight.OPEN,
        )


def _ids(evidence: tuple[str, ...] | str) -> tuple[str, ...]:
    return cited_ids((evidence,) if isinstance(evidence, str) else evidence)


def _labelled(label: str, text: str) -> str:
    return f"{label}: {text}" if text else ""


def _joined(head: str, *parts: tuple[str, str]) -> str:
    """Join what was noted with its named details; nothing without a head."""
    head = _line(head)
    if not head:
        return ""
    details = [f"{name}: {_line(text)}" for name, text in parts if _line(text)]
    return "; ".join([head.rstrip("."), *details]) if details else head


def _line(text: str) -> str:
    return " ".join(text.split())


def folded(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return the notes with those that say the same as an earlier one folded into it."""
    kept: dict[str, Note] = {}
    for note in notes:
        known = kept.get(note.text.casefold())
        if known is None:
            kept[note.text.casefold()] = note
        else:
            ids = tuple(dict.fromkeys([*known.evidence, *note.evidence]))
            weight = max(known.weight, note.weight)
            kept[note.text.casefold()] = replace(known, evidence=ids, weight=weight)
    return tuple(kept.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Notes within a budget."""

    notes: tuple[Note, ...]
    left_out: int


def within(notes: Sequence[Note], room: int, count: Callable[[str], int]) -> Kept:
    """Keep what weighs most of `notes`, in their order, in at most `room` tokens.

    Among notes of the same weight, every other one goes before its neighbour does, so that what
    is left still tells the whole stretch.
    """
    ranked = sorted(range(len(notes)), key=lambda index: (-notes[index].weight, _spread(index)))
    chosen: list[int] = []
    for index in ranked:
        size = count(notes[index].line + "\n")
        if size <= room:
            chosen.append(index)
            room -= size
    return Kept(
        notes=tuple(notes[index] for index in sorted(chosen)), left_out=len(notes) - len(chosen)
    )


def _spread(index: int) -> float:
    """Rank indices by their bits reversed: 0, then the halves, then the quarters."""
    place, share, value = index, 0.5, 0.0
    while place:
        value += share * (place & 1)
        place >>= 1
        share /= 2
    return value


def text(notes: Sequence[Note], left_out: int = 0) -> str:
    """Return notes as the lines of a prompt; what was left out is told."""
    lines = [note.line for note in notes]
    if left_out:
        lines.append(f"({left_out} lesser notes left out)")
    return "\n".join(lines)


def groups(
    parts: Sequence[tuple[Note, ...]], room: int, count: Callable[[str], int]
) -> tuple[tuple[tuple[Note, ...], ...], ...]:
    """Gather neighbouring parts into groups of at most `room` tokens, at least two to a group.

    A pair that is too large together still makes a group: it is kept within the room by rank.
    """
    gathered: list[list[tuple[Note, ...]]] = []
    size = 0
    for part in parts:
        length = count(text(part))
        if gathered and (size + length <= room or len(gathered[-1]) == 1):
            gathered[-1].append(part)
            size += length
        else:
            gathered.append([part])
            size = length
    return tuple(tuple(group) for group in gathered)
