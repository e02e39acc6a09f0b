"""The simple commands of a line, and what the exit status of the line says about each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from journald.ledger.words import Words, program_name

# Commands that hardly ever fail, and say nothing about the ones they stand beside.
_QUIET = frozenset(
    {"cd", "echo", "export", "printf", "pushd", "set", "sleep", "source", ".", "mkdir", "true"}
)
# What only passes on the output of the command before it.
_SINKS = frozenset({"cat", "tail", "tee"})
_SEPARATORS = frozenset({";", "&", ""})
_CHOICES = frozenset({"&&", "||"})
_PIPES = frozenset({"|"})
_ERREXIT = re.compile(r"-[a-z]*e[a-z]*")
# Groups in groups that are looked into.
_DEEPEST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One simple command of a line."""

    words: Words
    """Program and arguments, quotes taken off; assignments and redirections left out."""
    joint: str = ""
    """What stands between it and the next one: `&&`, `||`, `;`, `|`, `&`, or nothing."""
    level: int = 0
    """In how many groups, `(…)` or `{…}`, its joint stands."""
    shells: int = 0
    """In how many shells behind that of the line it runs."""
    guarded: bool = False
    """It stands in a conditional or a loop, and may not have run."""
    passes: bool = False
    """The whole line's success is this command's, too."""
    fails: bool = False
    """The whole line's failure is this command's, too."""
    negated: bool = False
    """It stands behind a `!`."""
    assigned: str = ""
    """The assignment right after it, like `status=$?`."""
    program: str = field(init=False)
    """Name of the program, without its folder and a Windows ending."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "program", program_name(self.words[0]))


def judge(steps: Sequence[Step]) -> list[Step]:
    """Mark for each command of a line what the line's exit status says about it.

    It speaks for the last list of commands alone, and there for what had to succeed before the
    end was reached: in `a && b | c && d`, `a`, `c` and `d` succeeded if the line did.
    """
    proof = _Proof(steps)
    loud = sum(proof.may_fail(at) for at in proof.last)
    return [
        replace(step, passes=True, fails=loud == proof.may_fail(at)) if at in proof.sure else step
        for at, step in enumerate(steps)
    ]


class _Proof:
    """Which commands of a line had to succeed for it to succeed."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._stopping = next((at for at, step in enumerate(steps) if _stops(step)), len(steps))
        self._whole_pipes = any(
            step.program == "set" and "pipefail" in step.words for step in steps
        )
        self.sure: set[int] = set()
        self.last: set[int] = set()
        """Those that can make the line fail."""
        self._list(0, len(steps), 0)

    def may_fail(self, at: int) -> bool:
        """Tell whether a command may fail; how others ended can be told only where it may not."""
        sink = at > 0 and self._steps[at - 1].joint == "|" and self._steps[at].program in _SINKS
        return not sink and self._steps[at].program not in _QUIET

    def _list(self, start: int, stop: int, level: int) -> None:
        """Follow a list of commands: all of them count after `set -e`, else the last one."""
        for first, end in self._parts(start, stop, level, _SEPARATORS):
            step = self._steps[end - 1]
            aside = step.joint == "&" and step.level >= level
            if not aside and (end == stop or first > self._stopping):
                self._choices(first, end, level)

    def _choices(self, start: int, stop: int, level: int) -> None:
        """Follow what `&&` and `||` join: what stands right behind a `||` may not have run."""
        parts = [*self._parts(start, stop, level, _CHOICES)]
        choice = max(
            (
                place
                for place, (first, _) in enumerate(parts)
                if place and self._steps[first - 1].joint == "||"
            ),
            default=-1,
        )
        for place, (first, end) in enumerate(parts):
            # What follows an empty joint is the body of a function.
            defined = first > 0 and not self._steps[first - 1].joint
            proven = place > choice and not defined and not self._steps[first].negated
            self._pipe(first, end, level, proven=proven)

    def _pipe(self, start: int, stop: int, level: int, *, proven: bool) -> None:
        """Follow a pipe: it hides how its first commands ended."""
        for first, end in self._parts(start, stop, level, _PIPES):
            seen = proven and (end == stop or self._whole_pipes)
            if seen and end - first > 1 and level < _DEEPEST:
                self._list(first, end, level + 1)
                continue
            self.last.update(range(first, end))
            if seen and end - first == 1 and not self._steps[first].guarded:
                self.sure.add(first)

    def _parts(
        self, start: int, stop: int, level: int, joints: frozenset[str]
    ) -> Iterator[tuple[int, int]]:
        """Yield where the parts of a line begin and end that `joints` stand between."""
        first = start
        for at in range(start, stop):
            step = self._steps[at]
            if at == stop - 1 or (step.joint in joints and step.level <= level):
                yield first, at + 1
                first = at + 1


def _stops(step: Step) -> bool:
    """Tell whether it is `set -e`, behind which the first failure is the line's."""
    return step.program == "set" and any(map(_ERREXIT.fullmatch, step.words[1:]))
