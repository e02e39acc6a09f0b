"""Grounding: what a model says, held against the session and its ledger."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from journald.ledger.facts import Ledger
from journald.summary.claims import Claims
from journald.summary.lookup import Lookup
from journald.summary.order import EventOrder
from journald.summary.spans import Span, SpanKind, spans
from journald.transcript.session import Session

# A range of more events than this says no more than its two ends.
_LONGEST_RANGE = 8
_EVIDENCE_AT_MOST = 12
# A sub-agent's name holds a letter; without one it is a number with a decimal point.
_ID = r"(?:e\d+|[0-9_-]*[A-Za-z][A-Za-z0-9_-]*\.\d+)"
_RANGE = re.compile(r"\be(\d+)\s*(?:-|\u2013|\u2014|\.\.+|to|bis)\s*e?(\d+)\b", re.IGNORECASE)
_ONE = re.compile(rf"(?<![\w.-]){_ID}(?![\w-])", re.IGNORECASE)
_INLINE = re.compile(
    rf"\s*[\[(]\s*(?:(?:see|events?|evidence:?)\s+)?{_ID}(?:\s*(?:,|;|-|\u2013|and|to)\s*{_ID})*\s*[\])]",
    re.IGNORECASE,
)


class FaultKind(StrEnum):
    """What does not hold."""

    UNKNOWN_ID = "unknown id"
    NO_EVIDENCE = "no evidence"
    UNFOUNDED = "unfounded"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundingFault:
    """One thing in a statement that does not hold."""

    kind: FaultKind
    words: str
    """In words that can be given back to the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A statement after the check."""

    text: str
    """Without ids that stood inside of it."""
    evidence: tuple[str, ...]
    """The cited events that exist, in order."""
    faults: tuple[GroundingFault, ...]

    @property
    def unsound(self) -> bool:
        """Whether it must not stand as fact; an unknown id beside known ones is only left out."""
        return any(fault.kind is not FaultKind.UNKNOWN_ID for fault in self.faults)

    def number(self, kind: FaultKind) -> int:
        """Return how many faults are of `kind`."""
        return sum(fault.kind is kind for fault in self.faults)


class Index:
    """One session, made ready for checking many statements.

    `shown` is what the model reads of it: a condensed text counts as the session's own.
    """

    def __init__(self, session: Session, ledger: Ledger, shown: Iterable[str] = ()) -> None:
        self.order = EventOrder.of(session)
        self.claims = Claims(ledger=ledger, order=self.order)
        self._lookup = Lookup(session, ledger, shown)
        self._lower = {known.lower(): known for known in self.order.positions}

    def check(self, text: str, evidence: Iterable[str] | str) -> Checked:
        """Hold `text` and the events it cites against the session."""
        inline = " ".join(match[0] for match in _INLINE.finditer(text))
        said = " ".join(_INLINE.sub("", text).split())
        cited = cited_ids((*_listed(evidence), inline))
        known = self._known(cited)
        faults = [
            GroundingFault(kind=FaultKind.UNKNOWN_ID, words=f"there is no event {unknown}")
            for unknown in cited
            if unknown.lower() not in self._lower
        ]
        if not known:
            faults.append(
                GroundingFault(kind=FaultKind.NO_EVIDENCE, words="it cites no event that exists")
            )
        faults += [_unfounded(span) for span in spans(said) if not self._lookup.occurs(span)]
        faults += [
            GroundingFault(kind=FaultKind.CONTRADICTED, words=reason)
            for reason in self.claims.contradictions(said, known)
        ]
        return Checked(text=said, evidence=known, faults=tuple(faults))

    def _known(self, cited: Iterable[str]) -> tuple[str, ...]:
        known = dict.fromkeys(
            self._lower[found.lower()] for found in cited if found.lower() in self._lower
        )
        return tuple(sorted(known, key=self.order.position))[:_EVIDENCE_AT_MOST]


def _listed(evidence: Iterable[str] | str) -> tuple[str, ...]:
    return (evidence,) if isinstance(evidence, str) else tuple(evidence)


def _unfounded(span: Span) -> GroundingFault:
    kind = "text" if span.kind is SpanKind.CODE else span.kind.value
    return GroundingFault(
        kind=FaultKind.UNFOUNDED, words=f'the {kind} "{span.text}" stands nowhere in the record'
    )


def cited_ids(evidence: Iterable[str]) -> tuple[str, ...]:
    """Return the event ids in what a model cites: `e12`, `[e12]`, `e12, e13`, `e12-e15`.

    A long range stands for its two ends.
    """
    found: list[str] = []
    for cited in evidence:
        for match in _RANGE.finditer(cited):
            first, last = int(match[1]), int(match[2])
            if 0 <= last - first < _LONGEST_RANGE:
                found += [f"e{number}" for number in range(first, last + 1)]
            else:
                found += [f"e{first}", f"e{last}"]
        found += _ONE.findall(_RANGE.sub(" ", cited))
    return tuple(dict.fromkeys(found))
