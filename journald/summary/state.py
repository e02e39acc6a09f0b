"""The header of facts that opens every prompt, from the ledger alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from journald.ledger.facts import Failure, Ledger, TestRun
from journald.summary.order import EventOrder
from journald.summary.words import opening

HEADER_TOKENS = 400
"""Room for the header in a prompt of a large window."""

_GOAL_CHARS = 300
_LINE_CHARS = 160
_FILES = 20
_ERRORS = 5
_REQUESTS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Writes headers; `redact` sees every text before it is cut, so no secret loses its shape."""

    ledger: Ledger
    order: EventOrder
    redact: Callable[[str], str]
    count: Callable[[str], int]
    room: int
    """Tokens that a header may take."""

    def before(self, event_id: str) -> str:
        """Return how things stood before an event: goal, files so far, open errors."""
        here = self.order.position(event_id)
        ledger = self.ledger
        goal = next((request for request in ledger.requests if not request.withdrawn), None)
        lines = []
        if goal is not None:
            lines.append(f"First request: {self._short(goal.text, _GOAL_CHARS)} [{goal.id}]")
        files = [
            file.path
            for file in ledger.files
            if any(self.order.position(found) < here for found in file.ids)
        ]
        if files:
            lines.append(f"Files changed so far: {_listed(files, _FILES)}")
        errors = [failure for failure in ledger.errors if self._open(failure, here)]
        lines += [self._failure(failure) for failure in errors[-_ERRORS:]]
        return self._fitted(lines)

    def whole(self) -> str:
        """Return what the session came to: requests, files, tests, commits, open errors."""
        ledger = self.ledger
        asked = [request for request in ledger.requests if not request.withdrawn]
        lines = [f"Last run of the tests: {_result(run)} [{run.id}]" for run in ledger.tests[-1:]]
        lines += [
            f"Commit {commit.hash}: {self._short(commit.message, _LINE_CHARS)} [{commit.id}]"
            for commit in ledger.commits[-_ERRORS:]
        ]
        if not ledger.commits:
            lines.append("Nothing was committed.")
        if ledger.files:
            changed = [f"{file.path} ({file.change})" for file in ledger.files]
            lines.append(f"Files changed: {_listed(changed, _FILES)}")
        lines += [
            f"Asked: {self._short(request.text, _LINE_CHARS)} [{request.id}]"
            for request in asked[:_REQUESTS]
        ]
        if len(asked) > _REQUESTS:
            lines.append(f"and {len(asked) - _REQUESTS} more requests")
        unsolved = [failure for failure in ledger.errors if failure.solved_by is None]
        lines += [self._failure(failure) for failure in unsolved[-_ERRORS:]]
        return self._fitted(lines)

    def _open(self, failure: Failure, here: int) -> bool:
        solved = failure.solved_by
        return self.order.position(failure.id) < here and (
            solved is None or self.order.position(solved) >= here
        )

    def _failure(self, failure: Failure) -> str:
        return f"Failed: {failure.tool}: {self._short(failure.text, _LINE_CHARS)} [{failure.id}]"

    def _short(self, text: str, limit: int) -> str:
        return opening(self.redact(text), limit)

    def _fitted(self, lines: Sequence[str]) -> str:
        """Keep the lines, in order, for which there is room; say how many there was none for."""
        kept: list[str] = []
        left_out = 0
        room = self.room
        for line in lines:
            text = self.redact(line)
            size = self.count(text + "\n")
            if size <= room:
                kept.append(text)
                room -= size
            else:
                left_out += 1
        if left_out:
            kept.append(f"({left_out} more facts left out)")
        return "\n".join(kept)


def _listed(names: Sequence[str], limit: int) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[-limit:]) + more


def _result(run: TestRun) -> str:
    verdict = {True: "passed", False: "failed", None: "result unknown"}[run.ok]
    counts = [
        f"{number} {word}"
        for number, word in (
            (run.passed, "passed"),
            (run.failed, "failed"),
            (run.skipped or None, "skipped"),
        )
        if number is not None
    ]
    return f"{verdict} ({', '.join(counts)})" if counts else verdict
