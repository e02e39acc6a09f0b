"""Test runs among the commands, and their outcome.

What a run printed decides. Its exit status decides where it printed nothing, and says no where a
runner failed in spite of a green summary (a crash after it, too little coverage). Where neither
can be seen the outcome is not known.
"""

from __future__ import annotations

import re
from functools import cached_property

from journald.ledger.commands import Ran
from journald.ledger.counts import Counts
from journald.ledger.facts import Command, TestRun
from journald.ledger.readers import detect, empty, read
from journald.ledger.runners import Certainty, Invocation, invocations_of, is_runner
from journald.ledger.steps import Step
from journald.ledger.words import program_name

# Ended from outside: by a time limit, by Ctrl-C, by a signal.
_STOPPED = frozenset({124, 130, 137, 143})
# The shell found no such program, or could not run it.
_NOT_STARTED = frozenset({126, 127})
# What shells and package managers say of a program or script that is not there.
_MISSING = re.compile(
    r"(?:command not found|Command not found|Script not found|unrecognized subcommand"
    r"|no such (?:sub)?command|No module named|Missing script|Failed to spawn|No such container"
    r"|find a script named|No rule to make target|not contain recipe|no task|Task not found)"
    r"[: ]{1,3}['\"`\u2018]?([\w./@:-]{1,80})"
    r"|(?:^|[ '\"`\u2018])([\w./@-]{1,80})['\"`\u2019]?: "
    r"(?:(?:command )?not found|No such file or directory)$"
    r"|Command \"([\w./@:-]{1,80})\" not found",
    re.MULTILINE,
)
# One of these stands in all of it.
_ABSENT = ("not found", "unrecognized subcommand", "no such ", "No such ", "No module named",
           "Missing script", "Failed to spawn", "find a script named", "No rule to make target",
           "not contain recipe", "no task")  # fmt: skip
_USAGE = re.compile(r"^(?:error: |ERROR: )?usage: ", re.MULTILINE | re.IGNORECASE)
# A page of usage is no longer; in more there are other things, too.
_USAGE_CHARS = 2_000
# Runs in one line whose exit statuses are looked for one by one.
_MANY = 20
_REREADING = frozenset({"cat", "tail", "head", "grep", "rg", "egrep", "sed", "awk", "less", "more"})


def find_tests(commands: tuple[Ran, ...]) -> tuple[TestRun, ...]:
    """Return the test runs, one for each runner that a command started."""
    return tuple(run for ran in commands for run in _Line(ran).runs())


class _Line:
    """A command line, its test runs and what it printed."""

    def __init__(self, ran: Ran) -> None:
        self._ran = ran
        self._steps = ran.written
        self._invocations = invocations_of(ran.written, ran.command.command)
        self._output = _distinct(ran.output) if self._rereads() else ran.output
        self._of: dict[str, dict[str, Counts]] = {}

    def runs(self) -> list[TestRun]:
        """Return one run for each runner, in the order in which they were started."""
        grouped: dict[str, list[Invocation]] = {}
        counted: dict[str, Counts | None] = {}
        for invocation in self._invocations:
            for runner, counts in self._told(invocation).items():
                grouped.setdefault(runner, []).append(invocation)
                counted[runner] = counts
        return [self._run(runner, found, counted[runner]) for runner, found in grouped.items()]

    def _told(self, invocation: Invocation) -> dict[str, Counts | None]:
        """Return the runners that an invocation ran, and what their output says.

        A runner that found no test to run did not run the tests.
        """
        found = self._read(invocation)
        if found:
            return {runner: counts for runner, counts in found.items() if not empty(counts)}
        if invocation.certainty is Certainty.PERHAPS or self._never_ran(invocation):
            return {}
        return {invocation.runner: None}

    def _read(self, invocation: Invocation) -> dict[str, Counts]:
        if invocation.certainty is Certainty.RUNNER:
            return self._of_runner(invocation.runner)
        return {
            runner: counts for runner, counts in self._detected.items() if runner not in self._named
        }

    def _of_runner(self, runner: str) -> dict[str, Counts]:
        if runner not in self._of:
            counts = read(runner, self._output)
            self._of[runner] = {runner: counts} if counts else {}
        return self._of[runner]

    @cached_property
    def _detected(self) -> dict[str, Counts]:
        return detect(self._output)

    @cached_property
    def _named(self) -> set[str]:
        return {one.runner for one in self._invocations if one.certainty is Certainty.RUNNER}

    @cached_property
    def _missing(self) -> frozenset[str]:
        return _missing(self._output)

    def _never_ran(self, invocation: Invocation) -> bool:
        """Tell whether the line failed, or may have, before the tests began."""
        command = self._ran.command
        step = invocation.step
        if command.exit_status in _NOT_STARTED and step.fails:
            return True
        if command.ok is False and not step.fails and invocation.position > 0:
            return True
        words = {program_name(word) for word in step.words} if self._missing else set()
        absent = any(name in words or is_runner(name) for name in self._missing)
        return absent or _is_usage(self._output)

    def _run(self, runner: str, invocations: list[Invocation], counts: Counts | None) -> TestRun:
        command = self._ran.command
        ok = counts.ok if counts else None
        status = self._status(invocations)
        sure = all(one.certainty is Certainty.RUNNER for one in invocations)
        if ok is None or (sure and status is False):
            ok = status
        return TestRun(
            id=command.id,
            at=command.at,
            command=command.command,
            runner=runner,
            passed=counts.passed if counts else None,
            failed=counts.failed if counts else None,
            skipped=counts.skipped if counts else None,
            ok=ok,
        )

    def _status(self, invocations: list[Invocation]) -> bool | None:
        """Return what exit statuses say of the run, where they say something of the tests."""
        command = self._ran.command
        if command.ok and all(invocation.step.passes for invocation in invocations):
            return True
        if len(invocations) == 1 and invocations[0].step.fails and _failed(command):
            return False
        if len(invocations) > _MANY:
            return None
        told = [_Told(self._steps, one, self._ran.output).passed() for one in invocations]
        return None if None in told else all(told)

    def _rereads(self) -> bool:
        """Tell whether a later command of the line prints again what the tests printed."""
        if not self._invocations:
            return False
        first = self._invocations[0].position
        return any(
            step.program in _REREADING and before.joint != "|"
            for before, step in zip(self._steps[first:], self._steps[first + 1 :], strict=False)
        )


class _Told:
    """What a line prints itself of the end of one of its commands."""

    def __init__(self, steps: tuple[Step, ...], invocation: Invocation, output: str) -> None:
        self._steps = steps
        self._output = output
        self._at = invocation.position
        self._end = self._at
        while self._end + 1 < len(steps) and steps[self._end].joint == "|":
            self._end += 1

    def passed(self) -> bool | None:
        """Return the outcome, by an echoed status or by one of two texts; None if untold."""
        if self._at < 0:
            return None
        last = self._steps[self._end]
        if last.assigned:
            return self._by_variable(last.assigned)
        after = self._steps[self._end + 1 : self._end + 3]
        if not after or after[0].program != "echo":
            return None
        if last.joint == ";":
            return self._echoed(after[0], self._statuses())
        if last.joint == "&&" and after[0].joint == "||" and after[-1].program == "echo":
            return None if self._end > self._at else self._either(*after)
        return None

    def _statuses(self) -> str:
        """Return the pattern of what holds the status: `$?` unless the command is in a pipe."""
        first = self._at
        while first > 0 and self._steps[first - 1].joint == "|":
            first -= 1
        of_pipe = rf"\$\{{?PIPESTATUS\[{self._at - first}\]\}}?"
        return of_pipe if self._end > self._at else rf"\$\?|{of_pipe}"

    def _by_variable(self, assigned: str) -> bool | None:
        name, _, value = assigned.partition("=")
        if not re.fullmatch(self._statuses(), value):
            return None
        holder = rf"\$\{{?{re.escape(name)}\b\}}?"
        told = [
            self._echoed(step, holder)
            for step in self._steps[self._end + 1 :]
            if step.program == "echo"
        ]
        return next((passed for passed in told if passed is not None), None)

    def _echoed(self, step: Step, holder: str) -> bool | None:
        parts = re.split(holder, _echo(step))
        if len(parts) != 2:  # noqa: PLR2004 - one status splits a text in two
            return None
        before, after = (re.escape(part) for part in parts)
        found = re.findall(rf"^{before}(\d{{1,3}}){after}$", self._output, re.MULTILINE)
        return int(found[0]) == 0 if len(found) == 1 else None

    def _either(self, good: Step, bad: Step) -> bool | None:
        lines = self._output.splitlines()
        passed, failed = (_echo(step) in lines for step in (good, bad))
        return None if passed == failed else passed


def _echo(step: Step) -> str:
    return " ".join(word for word in step.words[1:] if not re.fullmatch(r"-[neE]+", word))


def _failed(command: Command) -> bool:
    status = command.exit_status
    return command.ok is False and status is not None and status not in _STOPPED


def _missing(output: str) -> frozenset[str]:
    """Return the names of programs and scripts that the output says were not there."""
    if not any(sign in output for sign in _ABSENT):
        return frozenset()
    return frozenset(
        program_name(match[1] or match[2] or match[3]) for match in _MISSING.finditer(output)
    )


def _is_usage(output: str) -> bool:
    """Tell whether a program only explained how it is to be called."""
    return len(output) <= _USAGE_CHARS and _USAGE.search(output) is not None


def _distinct(output: str) -> str:
    """Return the output with a line that stands in it more than once left once."""
    return "\n".join(dict.fromkeys(output.split("\n")))
