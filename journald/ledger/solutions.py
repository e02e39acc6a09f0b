"""Which later success made up for a failed command."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from journald.ledger.commands import Ran
from journald.ledger.facts import Act, Commit, GitAct, TestRun
from journald.ledger.folders import walk
from journald.ledger.git import git_words, message_of
from journald.ledger.paths import Paths
from journald.ledger.purposes import Purpose, main_steps, purpose_of
from journald.ledger.runners import Certainty, recognise
from journald.ledger.shell import Step

_NOTHING_TO_COMMIT = ("nothing to commit", "nothing added to commit", "no changes added to commit")
_PUSHES = frozenset({Act.PUSHED, Act.FORCE_PUSHED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of the commands of a session."""

    commands: tuple[Ran, ...]
    """In order of time."""
    tests: tuple[TestRun, ...]
    commits: tuple[Commit, ...]
    acts: tuple[GitAct, ...]
    folders: Mapping[str, str | None]
    """In which each command began."""
    order: Mapping[str, int]
    """Place of each event in time."""


@dataclass(frozen=True, slots=True)
class _Done:
    """Something that a command did with success."""

    place: int
    id: str
    purpose: Purpose


class Solutions:
    """Finds for each failed command the later one by which all that it was for was done."""

    def __init__(self, evidence: Evidence, paths: Paths) -> None:
        self._paths = paths
        self._folders = evidence.folders
        self._places = evidence.order
        self._runs: dict[str, list[TestRun]] = defaultdict(list)
        for run in evidence.tests:
            self._runs[run.id].append(run)
        self._committed = {commit.id for commit in evidence.commits}
        self._committed |= {act.id for act in evidence.acts if act.act is Act.COMMITTED}
        self._pushed = {act.id: act.name for act in evidence.acts if act.act in _PUSHES}
        self._done: dict[str, list[_Done]] = defaultdict(list)
        self._git: dict[str, list[tuple[Ran, str | None]]] = defaultdict(list)
        self._unstaged: list[int] = []
        for ran in evidence.commands:
            self._note(ran)

    def failed(self, ran: Ran) -> bool:
        """Tell whether a command failed, or its tests did behind a pipe that hid it."""
        runs = self._runs.get(ran.command.id, ())
        return ran.command.ok is False or any(run.ok is False for run in runs)

    def solution(self, ran: Ran) -> str | None:
        """Return the id of the command by which all was done that `ran` failed to do."""
        place = self._places[ran.command.id]
        found: list[str] = []
        for step, folder in self._to_do(ran):
            if git_words(step)[:1] in {("commit",), ("push",)}:
                later = self._git_again(ran, place, git_words(step)[0], folder)
            else:
                later = self._again(self._purpose(step, ran, folder), place)
            if later is None:
                return None
            found.append(later)
        return max(found, key=self._places.__getitem__, default=None)

    def _note(self, ran: Ran) -> None:
        # What failed in the end is no solution, even where a part of it went well.
        if self.failed(ran):
            return
        place = self._places[ran.command.id]
        for step, folder in self._steps(ran):
            if self._is_green(ran, step):
                purpose = self._purpose(step, ran, folder)
                self._done[purpose.what].append(_Done(place, ran.command.id, purpose))
        if any(_unstages(step) for step in ran.steps):
            self._unstaged.append(place)
        for name, proven in (("commit", self._committed), ("push", self._pushed)):
            there = [at for step, at in self._steps(ran) if git_words(step)[:1] == (name,)]
            if there and ran.command.id in proven:
                self._git[name].append((ran, there[0]))

    def _steps(self, ran: Ran) -> list[tuple[Step, str | None]]:
        work = {id(step) for step in main_steps(ran.steps)}
        start = self._folders.get(ran.command.id)
        return [
            (step, folder)
            for step, folder in walk(ran.steps, start, self._paths)
            if id(step) in work
        ]

    def _to_do(self, ran: Ran) -> list[tuple[Step, str | None]]:
        """Return the steps of which one failed: those that the exit status speaks of, or tests."""
        steps = self._steps(ran)
        hidden = ran.command.ok is not False
        told = [one for one in steps if (_is_test(one[0]) if hidden else one[0].passes)]
        return told or steps

    def _purpose(self, step: Step, ran: Ran, folder: str | None) -> Purpose:
        tests = _is_test(step)
        return purpose_of(step, ran.command.command, folder, self._paths, tests=tests)

    def _is_green(self, ran: Ran, step: Step) -> bool:
        """Tell whether a step succeeded for certain; in a pipe only its tests can show it."""
        runs = self._runs.get(ran.command.id)
        if runs and _is_test(step):
            return all(run.ok for run in runs)
        return ran.command.ok is True and step.passes

    def _again(self, purpose: Purpose, after: int) -> str | None:
        """Return the id of the command that did the same later."""
        left = set(purpose.targets)
        for done in self._done.get(purpose.what, ()):
            if done.place <= after:
                continue
            if purpose.reached_by(done.purpose):
                return done.id
            if purpose.piecemeal and left:
                left -= done.purpose.targets
                if not left:
                    return done.id
        return None

    def _git_again(self, ran: Ran, after: int, name: str, folder: str | None) -> str | None:
        for later, there in self._git[name]:
            if self._places[later.command.id] <= after or not self._is_same(there, folder):
                continue
            same = self._commits(ran, later) if name == "commit" else self._pushes(ran, later)
            if same:
                return later.command.id
        return None

    def _is_same(self, first: str | None, second: str | None) -> bool:
        if first is None or second is None:
            return first == second
        return self._paths.same(first, second)

    def _commits(self, ran: Ran, later: Ran) -> bool:
        """Tell whether a later commit holds what an earlier one was to hold.

        What was staged for the failed one stays staged, whatever the next one's message says,
        unless it was taken back in between.
        """
        if message_of(ran) and message_of(ran) == message_of(later):
            return True
        first, last = self._places[ran.command.id], self._places[later.command.id]
        kept = not any(first <= place <= last for place in self._unstaged)
        return kept and not any(text in ran.output for text in _NOTHING_TO_COMMIT)

    def _pushes(self, ran: Ran, later: Ran) -> bool:
        wanted, pushed = _branch(ran), self._pushed[later.command.id]
        if wanted:
            return wanted in {pushed, _branch(later)}
        # Without a name it was the branch that stood; git names it where it has no upstream.
        return not _branch(later) or not pushed or pushed in ran.output


def _branch(ran: Ran) -> str:
    """Return the branch that a push names; empty for one that names none."""
    for step in ran.steps:
        words = git_words(step)
        if words[:1] == ("push",):
            names = [word for word in words[1:] if not word.startswith("-")]
            return names[1].rpartition(":")[2] if len(names) > 1 else ""
    return ""


def _unstages(step: Step) -> bool:
    words = git_words(step)
    if words[:1] == ("restore",):
        return bool({"--staged", "-S"} & set(words))
    return words[:1] in {("reset",), ("stash",)}


def _is_test(step: Step) -> bool:
    found = recognise(step.words)
    return found is not None and found[1] is not Certainty.PERHAPS
