"""Precision and recall of what journald tells, held against hand-made labels.

python -m tests.truth.table [--corpus DIR] [--labels DIR] [--misses] [--json] [NAME…]

NAME is a label file without its ending; without one all are held. Ends with 1 when a total is
under what is promised, and with 2 when there is no corpus or a label does not fit it.
"""

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.truth.found import Found
from tests.truth.labels import FOLDER, Item, Kind, Label, LabelError, read_labels

PROMISED = {
    Kind.REQUESTS: Fraction(1),
    Kind.COMMANDS: Fraction(1),
    Kind.TESTS: Fraction(98, 100),
    Kind.FILES: Fraction(1),
    Kind.COMMITS: Fraction(98, 100),
    Kind.SUBAGENTS: Fraction(1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How much of one kind is told right."""

    labelled: int
    found: int
    right: int

    @property
    def precision(self) -> Fraction:
        """Share of what was found that is right; 1 where nothing was."""
        return Fraction(self.right, self.found) if self.found else Fraction(1)

    @property
    def recall(self) -> Fraction:
        """Share of what is labelled that was found; 1 where nothing is."""
        return Fraction(self.right, self.labelled) if self.labelled else Fraction(1)

    def keeps(self, promise: Fraction) -> bool:
        """Tell whether both are as promised."""
        return min(self.precision, self.recall) >= promise

    def __add__(self, other: "Score") -> "Score":
        return Score(
            labelled=self.labelled + other.labelled,
            found=self.found + other.found,
            right=self.right + other.right,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One transcript held against its label."""

    label: Label
    scores: dict[Kind, Score]
    misses: tuple[str, ...]


def compare(label: Label, corpus: Path) -> Comparison:
    """Read the transcript of a label and hold the two against each other."""
    found = Found(label.path(corpus))
    scores: dict[Kind, Score] = {}
    misses: list[str] = []
    for kind in Kind:
        theirs, ours = label.items[kind], found.items[kind]
        scores[kind] = Score(
            labelled=len(theirs),
            found=len(ours),
            right=sum((Counter(_keys(theirs)) & Counter(_keys(ours))).values()),
        )
        misses += [
            f"{label.name} {kind} labelled {item.key} {item.place}: {found.at(item.place)}"
            for item in _beyond(theirs, ours)
        ]
        misses += [
            f"{label.name} {kind} told     {item.key} {item.place}: {item.text}"
            for item in _beyond(ours, theirs)
        ]
    return Comparison(label=label, scores=scores, misses=tuple(misses))


def total(comparisons: Iterable[Comparison]) -> dict[Kind, Score]:
    """Return the scores over all transcripts."""
    sums = {kind: Score(labelled=0, found=0, right=0) for kind in Kind}
    for comparison in comparisons:
        for kind in Kind:
            sums[kind] += comparison.scores[kind]
    return sums


def _keys(items: Iterable[Item]) -> list[Any]:
    # A count of 1 and an outcome of True must not be taken for each other.
    return [tuple((type(part), part) for part in item.key) for item in items]


def _beyond(items: Sequence[Item], others: Iterable[Item]) -> list[Item]:
    """Return the items that the others have not, counted."""
    left = Counter(_keys(others))
    beyond: list[Item] = []
    for item, key in zip(items, _keys(items), strict=True):
        if left[key]:
            left[key] -= 1
        else:
            beyond.append(item)
    return beyond


def _print(name: str, scores: dict[Kind, Score]) -> None:
    for kind, score in scores.items():
        if not (score.labelled or score.found):
            continue
        kept = "" if score.keeps(PROMISED[kind]) else "  under what is promised"
        print(
            f"{name:14}{kind:11}{score.labelled:9}{score.found:7}{score.right:7}"
            f"{float(score.precision):11.3f}{float(score.recall):8.3f}{kept}"
        )


def _as_json(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    def told(scores: dict[Kind, Score]) -> dict[str, Any]:
        return {
            kind.value: {
                "labelled": score.labelled,
                "found": score.found,
                "right": score.right,
                "precision": float(score.precision),
                "recall": float(score.recall),
            }
            for kind, score in scores.items()
        }

    return {
        "promised": {kind.value: float(share) for kind, share in PROMISED.items()},
        "transcripts": [
            {
                "label": one.label.name,
                "transcript": one.label.transcript,
                "versions": one.label.versions,
                "scores": told(one.scores),
                "misses": len(one.misses),
            }
            for one in comparisons
        ],
        "total": told(total(comparisons)),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.truth.table")
    parser.add_argument("name", nargs="*", help="label files, without their ending")
    parser.add_argument("--corpus", type=Path, default=os.environ.get("JOURNALD_CORPUS"))
    parser.add_argument("--labels", type=Path, default=FOLDER)
    parser.add_argument("--misses", action="store_true", help="list each disagreement")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    if given.corpus is None:
        parser.error("name a folder of transcripts with --corpus or $JOURNALD_CORPUS")
    try:
        labels = read_labels(given.corpus, given.labels)
    except LabelError as error:
        parser.error(str(error))
    chosen = [label for label in labels if not given.name or label.name in given.name]
    comparisons = [compare(label, given.corpus) for label in chosen]
    sums = total(comparisons)
    if given.json:
        print(json.dumps(_as_json(comparisons), indent=1))
    else:
        print(f"{'transcript':14}{'kind':11}{'labelled':>9}{'found':>7}{'right':>7}"
              f"{'precision':>11}{'recall':>8}")  # fmt: skip
        for comparison in comparisons:
            _print(comparison.label.name, comparison.scores)
        _print("total", sums)
    if given.misses:
        print("\n".join(miss for one in comparisons for miss in one.misses), file=sys.stderr)
    return 0 if all(sums[kind].keeps(PROMISED[kind]) for kind in Kind) else 1


if __name__ == "__main__":
    sys.exit(main())
