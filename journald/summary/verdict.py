"""A draft after grounding: what of it may be printed, and what the model is told about the rest."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from journald.summary.grounding import Checked, FaultKind, GroundingFault, Index
from journald.summary.markup import harmless, title
from journald.summary.merge import Note
from journald.summary.narrative import Decision, Problem, Scores, Standing, Statement
from journald.summary.prompts import Fault
from journald.summary.schema import Choice, Claim, Draft, Trouble
from journald.summary.words import opening

# Less than two words are a placeholder, not a statement.
_STATEMENT_WORDS = 2
_FAULT_CHARS = 300
_TITLE_CHARS = 90
_STATEMENT_CHARS = 900


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What grounding made of a draft."""

    title: str
    """Empty when the draft's title does not hold."""
    summary: tuple[Statement, ...]
    story: tuple[Statement, ...]
    decisions: tuple[Decision, ...]
    problems: tuple[Problem, ...]
    lessons: tuple[Statement, ...]
    open_threads: tuple[Statement, ...]
    scores: Scores
    faults: tuple[Fault, ...]

    @property
    def sound(self) -> int:
        """How many statements hold."""
        return self.scores.kept


@dataclass(slots=True, kw_only=True)
class _Tally:
    statements: int = 0
    kept: int = 0
    dropped: int = 0
    unverified: int = 0
    unknown_ids: int = 0
    unfounded_spans: int = 0
    contradicted: int = 0
    faults: list[Fault] = field(default_factory=list)

    def note(self, text: str, found: Iterable[GroundingFault]) -> None:
        """Count the faults of one text, and keep them for the model."""
        reasons = [*found]
        for fault in reasons:
            self.unknown_ids += fault.kind is FaultKind.UNKNOWN_ID
            self.unfounded_spans += fault.kind is FaultKind.UNFOUNDED
            self.contradicted += fault.kind is FaultKind.CONTRADICTED
        if reasons:
            self.faults.append(
                Fault(text=text[:_FAULT_CHARS], reasons=tuple(fault.words for fault in reasons))
            )

    def scores(self) -> Scores:
        return Scores(
            statements=self.statements,
            kept=self.kept,
            dropped=self.dropped,
            unverified=self.unverified,
            unknown_ids=self.unknown_ids,
            unfounded_spans=self.unfounded_spans,
            contradicted=self.contradicted,
        )


def _shown(text: str) -> str:
    return harmless(opening(text, _STATEMENT_CHARS))


class Judge:
    """Holds drafts against one session; `clean` redacts what the model wrote."""

    def __init__(
        self, index: Index, clean: Callable[[str], str], unfounded: Literal["drop", "mark"]
    ) -> None:
        self._index = index
        self._clean = clean
        self._unfounded = unfounded

    def judge(self, draft: Draft) -> Verdict:
        """Return what of `draft` may be printed."""
        tally = _Tally()
        summary = self._claims(draft.summary, tally)
        story = self._claims(draft.story, tally)
        return Verdict(
            title=self._title(draft.title, tally),
            summary=summary,
            story=story,
            decisions=tuple(
                decision
                for choice in draft.decisions
                if (decision := self._choice(choice, tally)) is not None
            ),
            problems=tuple(
                problem
                for trouble in draft.problems
                if (problem := self._trouble(trouble, tally)) is not None
            ),
            lessons=self._claims(draft.lessons, tally),
            open_threads=self._claims(draft.open_threads, tally),
            scores=tally.scores(),
            faults=tuple(tally.faults),
        )

    def _title(self, text: str, tally: _Tally) -> str:
        line = opening(title(self._clean(text)), _TITLE_CHARS)
        checked = self._index.check(line, ())
        faults = [fault for fault in checked.faults if fault.kind is not FaultKind.NO_EVIDENCE]
        tally.note(line, faults)
        return "" if faults else line

    def _claims(self, claims: Iterable[Claim], tally: _Tally) -> tuple[Statement, ...]:
        said: dict[str, Statement] = {}
        for claim in claims:
            statement = self._statement(claim.text, claim.evidence, tally)
            # The same thing said twice is one statement; the second costs no point.
            if statement is not None and statement.text.casefold() in said:
                tally.statements -= 1
                tally.kept -= statement.standing is Standing.GROUNDED
                tally.unverified -= statement.standing is Standing.UNVERIFIED
            elif statement is not None:
                said[statement.text.casefold()] = statement
        return tuple(said.values())

    def _statement(
        self, text: str, evidence: tuple[str, ...] | str, tally: _Tally
    ) -> Statement | None:
        checked = self._index.check(self._clean(text), evidence)
        if len(checked.text.split()) < _STATEMENT_WORDS:
            return None
        tally.statements += 1
        tally.note(checked.text, checked.faults)
        if checked.unsound and self._dropped(checked):
            tally.dropped += 1
            return None
        standing = Standing.UNVERIFIED if checked.unsound else Standing.GROUNDED
        tally.unverified += checked.unsound
        tally.kept += not checked.unsound
        return Statement(text=_shown(checked.text), evidence=checked.evidence, standing=standing)

    def _dropped(self, checked: Checked) -> bool:
        """Tell what cannot even stand as unverified: the ledger knows better, or no one saw it."""
        never = checked.number(FaultKind.CONTRADICTED) or not checked.evidence
        return self._unfounded == "drop" or bool(never)

    def _detail(self, text: str, statement: Statement, tally: _Tally) -> str:
        """Return a detail of a statement, empty when it does not hold."""
        checked = self._index.check(self._clean(text), statement.evidence)
        tally.note(checked.text, checked.faults)
        return "" if checked.unsound else _shown(checked.text)

    def _choice(self, choice: Choice, tally: _Tally) -> Decision | None:
        decision = self._statement(choice.decision, choice.evidence, tally)
        if decision is None:
            return None
        return Decision(
            decision=decision,
            reason=self._detail(choice.reason, decision, tally),
            alternatives=self._detail(choice.alternatives, decision, tally),
        )

    def _trouble(self, trouble: Trouble, tally: _Tally) -> Problem | None:
        symptom = self._statement(trouble.symptom, trouble.evidence, tally)
        if symptom is None:
            return None
        solved = {"yes": True, "no": False}.get(trouble.solved.strip().lower())
        against = self._index.claims.solved(symptom.evidence) if solved else ""
        if against:
            solved = None
            tally.note(
                f"solved: {symptom.text}",
                [GroundingFault(kind=FaultKind.CONTRADICTED, words=against)],
            )
        return Problem(
            symptom=symptom,
            cause=self._detail(trouble.cause, symptom, tally),
            fix=self._detail(trouble.fix, symptom, tally),
            solved=solved,
        )

    def sound_notes(self, notes: Iterable[Note]) -> tuple[Note, ...]:
        """Return the notes that hold, each with the events that exist.

        What does not hold is kept from the writer of the narrative, which would take it up.
        """
        sound = []
        for note in notes:
            checked = self._index.check(self._clean(note.text), note.evidence)
            if not checked.unsound:
                sound.append(Note(text=checked.text, evidence=checked.evidence, weight=note.weight))
        return tuple(sound)
