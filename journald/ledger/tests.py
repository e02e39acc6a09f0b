"""Test runs among the commands, and their outcome."""

from __future__ import annotations

import re

from journald.ledger.commands import Ran
from journald.ledger.counts import Counts
from journald.ledger.facts import Command, TestRun
from journald.ledger.readers import READERS, detect
from journald.ledger.runners import Certainty, Invocation, find_invocations
from journald.ledger.shell import Step, split

# `echo "exit: $?"` tells the status of the command before it.
_STATUS = re.compile(r"\$\?|\$\{?PIPESTATUS\[\d\]\}?")


def find_tests(commands: tuple[Ran, ...]) -> tuple[TestRun, ...]:
    """Return the test runs, one for each runner that a command started."""
    return tuple(run for ran in commands for run in _runs(ran))


def _runs(ran: Ran) -> list[TestRun]:
    grouped: dict[str, list[Invocation]] = {}
    read: dict[str, Counts | None] = {}
    for invocation in find_invocations(ran.command.command):
        told = _outcome(invocation, ran.output)
        if told is None and (
            invocation.certainty is Certainty.PERHAPS or _may_not_have_run(invocation, ran.command)
        ):
            continue
        runner, counts = told or (invocation.runner, None)
        grouped.setdefault(runner, []).append(invocation)
        read[runner] = counts
    return [_run(ran, runner, invocations, read[runner]) for runner, invocations in grouped.items()]


def _outcome(invocation: Invocation, output: str) -> tuple[str, Counts] | None:
    """Return the runner and what its output says; None when it says nothing."""
    if invocation.certainty is Certainty.RUNNER:
        counts = READERS[invocation.runner](output)
        return (invocation.runner, counts) if counts else None
    return detect(output)


def _may_not_have_run(invocation: Invocation, command: Command) -> bool:
    """Tell whether the line may have failed, or been stopped, before the tests began."""
    return command.ok is False and not invocation.step.fails and invocation.position > 0


def _run(ran: Ran, runner: str, invocations: list[Invocation], counts: Counts | None) -> TestRun:
    ok = counts.ok if counts else None
    if ok is None:
        ok = _judged(ran, invocations)
    return TestRun(
        id=ran.command.id,
        at=ran.command.at,
        command=ran.command.command,
        runner=runner,
        passed=counts.passed if counts else None,
        failed=counts.failed if counts else None,
        ok=ok,
    )


def _judged(ran: Ran, invocations: list[Invocation]) -> bool | None:
    """Return what exit statuses say of the run, where they say something of the tests."""
    command = ran.command
    if command.ok and all(invocation.step.passes for invocation in invocations):
        return True
    alone = len(invocations) == 1 and invocations[0].step.fails
    if alone and command.ok is False and command.exit_status is not None:
        return False
    told = [_told(ran, invocation) for invocation in invocations]
    if any(status is None for status in told):
        return None
    return all(status == 0 for status in told)


def _told(ran: Ran, invocation: Invocation) -> int | None:
    steps = split(ran.command.command)
    after = steps[invocation.position + 1 : invocation.position + 2]
    if invocation.step.joint != ";" or not after or after[0].program != "echo":
        return None
    return _echoed(after[0], ran.output)


def _echoed(step: Step, output: str) -> int | None:
    text = " ".join(word for word in step.words[1:] if not re.fullmatch(r"-[neE]+", word))
    parts = _STATUS.split(text)
    if len(parts) != 2:  # noqa: PLR2004 - one status splits a text in two
        return None
    before, after = (re.escape(part) for part in parts)
    found = re.findall(rf"^{before}(\d+){after}$", output, re.MULTILINE)
    return int(found[0]) if len(found) == 1 else None
