"""Which later success made up for a failed command."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter

from journald.ledger.commands import Ran
from journald.ledger.commits import message_of
from journald.ledger.facts import Act, Commit, GitAct, TestRun
from journald.ledger.folders import walk
from journald.ledger.git import git_words
from journald.ledger.paths import Paths
from journald.ledger.purposes import Purpose, main_steps, purpose_of
from journald.ledger.runners import Certainty, recognise
from journald.ledger.steps import Step
from journald.ledger.words import Words, operands

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
class _Work:
    """A simple command that does work."""

    step: Step
    folder: str | None
    tests: bool
    git: Words
    """Subcommand and arguments of git; none elsewhere."""


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
        self._pushed: dict[str, list[str]] = defaultdict(list)
        for act in evidence.acts:
            if act.act in _PUSHES:
                self._pushed[act.id].append(act.name)
        self._done: dict[str, list[_Done]] = defaultdict(list)
        self._commits = _Log(paths)
        """Under the messages that they were given."""
        self._pushes = _Log(paths)
        """Under the branches that were named or pushed."""
        self._unnamed: set[str] = set()
        """Pushes that named no branch."""
        self._unstaged: list[int] = []
        """Places at which what was staged was taken back."""
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
        for work in self._to_do(ran):
            if work.git[:1] == ("commit",):
                later = self._committed_again(ran, place, work.folder)
            elif work.git[:1] == ("push",):
                later = self._pushed_again(ran, place, work.folder)
            else:
                later = self._again(self._purpose(work, ran), place)
            if later is None:
                return None
            found.append(later)
        return max(found, key=self._places.__getitem__, default=None)

    def _note(self, ran: Ran) -> None:
        # What failed in the end is no solution, even where a part of it went well.
        if self.failed(ran):
            return
        place = self._places[ran.command.id]
        works = self._works(ran)
        for work in works:
            if self._is_green(ran, work):
                purpose = self._purpose(work, ran)
                self._done[purpose.what].append(_Done(place, ran.command.id, purpose))
        if any(_unstages(step) for step in ran.steps):
            self._unstaged.append(place)
        self._note_git(ran, works, place)

    def _note_git(self, ran: Ran, works: list[_Work], place: int) -> None:
        where: dict[str, str | None] = {}
        for work in works:
            where.setdefault("".join(work.git[:1]), work.folder)
        told = ran.command.id
        if "commit" in where and told in self._committed:
            self._commits.add(where["commit"], [message_of(ran)], place, told)
        if "push" in where and told in self._pushed:
            branch = _branch(ran)
            if not branch:
                self._unnamed.add(told)
            self._pushes.add(where["push"], [branch, *self._pushed[told]], place, told)

    def _works(self, ran: Ran) -> list[_Work]:
        chosen = {id(step) for step in main_steps(ran.steps)}
        start = self._folders.get(ran.command.id)
        return [
            _Work(step, folder, tests=_is_test(step), git=git_words(step))
            for step, folder in walk(ran.steps, start, self._paths)
            if id(step) in chosen
        ]

    def _to_do(self, ran: Ran) -> list[_Work]:
        """Return the works of which one failed: those that the exit status speaks of, or tests."""
        works = self._works(ran)
        hidden = ran.command.ok is not False
        told = [work for work in works if (work.tests if hidden else work.step.passes)]
        return told or works

    def _purpose(self, work: _Work, ran: Ran) -> Purpose:
        line = ran.command.command
        return purpose_of(work.step, line, work.folder, self._paths, tests=work.tests)

    def _is_green(self, ran: Ran, work: _Work) -> bool:
        """Tell whether a work succeeded for certain; in a pipe only its tests can show it."""
        runs = self._runs.get(ran.command.id)
        if runs and work.tests:
            return all(run.ok for run in runs)
        return ran.command.ok is True and work.step.passes

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

    def _committed_again(self, ran: Ran, after: int, folder: str | None) -> str | None:
        """Return the id of the commit that holds what a failed one was to hold.

        What was staged for the failed one stays staged, whatever the next one's message says,
        unless it was taken back in between.
        """
        message = message_of(ran)
        same = self._commits.first(folder, message, after) if message else None
        following = self._commits.first(folder, "", after)
        staged = not any(text in ran.output for text in _NOTHING_TO_COMMIT)
        if following and not (staged and self._is_kept(after, following[0])):
            following = None
        found = min((one for one in (same, following) if one), default=None)
        return found[1] if found else None

    def _is_kept(self, first: int, last: int) -> bool:
        """Tell whether nothing that was staged was taken back from one place to another."""
        at = bisect_left(self._unstaged, first)
        return at == len(self._unstaged) or self._unstaged[at] > last

    def _pushed_again(self, ran: Ran, after: int, folder: str | None) -> str | None:
        wanted = _branch(ran)
        if wanted:
            found = self._pushes.first(folder, wanted, after)
            return found[1] if found else None
        # Without a name it was the branch that stood; git names it where it has no upstream.
        for _, later in self._pushes.all(folder, after):
            names = self._pushed[later]
            if later in self._unnamed or not names or any(name in ran.output for name in names):
                return later
        return None


class _Log:
    """What was done with success in each folder, in order of time."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._done: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)

    def add(self, folder: str | None, names: Iterable[str], place: int, event_id: str) -> None:
        """Note an event under its names, in a folder that is known."""
        if folder is not None:
            for name in dict.fromkeys(("", *names)):
                self._done[self._paths.key(folder), name].append((place, event_id))

    def first(self, folder: str | None, name: str, after: int) -> tuple[int, str] | None:
        """Return place and id of the first event of a name after a place; `""` is any name."""
        return next(self._since(folder, name, after), None)

    def all(self, folder: str | None, after: int) -> Iterator[tuple[int, str]]:
        """Yield place and id of the events after a place."""
        return self._since(folder, "", after)

    def _since(self, folder: str | None, name: str, after: int) -> Iterator[tuple[int, str]]:
        if folder is not None:
            done = self._done.get((self._paths.key(folder), name), [])
            start = bisect_right(done, after, key=itemgetter(0))
            yield from islice(done, start, None)


def _branch(ran: Ran) -> str:
    """Return the branch that a push names; empty for one that names none."""
    for step in ran.steps:
        words = git_words(step)
        if words[:1] == ("push",):
            names = operands(words)
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
