"""The status for a person: how the journaling is, and what to do where it is not well."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby

from journald.daemon.status import Status
from journald.journal.durations import counted
from journald.store.gaps import Coverage, MetKind
from journald.store.queue import JobState

_START = "Start it with `systemctl --user start journald`, or with `journald run`."
_LOG = "The log tells more: `journalctl --user -u journald`."
_MINUTE = timedelta(minutes=1)
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)
_KINDS = 5


def describe(status: Status) -> str:
    """Return `status` as text."""
    return "\n".join(
        [*_daemon(status), *_work(status), *_not_read(status.coverage), *_problems(status)]
    )


def _daemon(status: Status) -> Iterator[str]:
    beat = status.heartbeat
    if not status.running:
        last = f", last heard of {_ago(beat.beat, status)}" if beat else ""
        yield f"journald is not running{last}. {_START}"
    elif beat is None:
        yield "journald is starting."
    else:
        yield (
            f"journald {beat.version} is running (pid {beat.pid}, started "
            f"{_ago(beat.started, status)}, {beat.phase.value} by {beat.watcher})."
        )
    if beat is not None:
        # A state says how an engine is now; without a daemon there is none.
        state = f" ({beat.engine_state})" if status.running else ""
        reason = f": {beat.engine_reason}" if beat.engine_reason else ""
        yield f"  engine      {beat.engine}{state}{reason}"


def _work(status: Status) -> Iterator[str]:
    if status.heartbeat is None:
        return
    words = {JobState.PENDING: "waiting", JobState.DEAD: "given up"}
    jobs = ", ".join(
        f"{status.jobs.get(state, 0)} {words.get(state, state.value)}" for state in JobState
    )
    oldest = status.oldest_waiting
    since = f"; the oldest was queued {_ago(oldest, status)}" if oldest else ""
    yield f"  jobs        {jobs}{since}"
    if status.narratives_pending:
        yield f"  narratives  {status.narratives_pending} to be written once the model can be had"
    if status.last_entry:
        yield f"  last entry  {_ago(status.last_entry.at, status)}: {status.last_entry.path}"
    if status.last_error:
        error = status.last_error
        yield (
            f"  last error  {_ago(error.at, status)}, session {error.session_id}, "
            f"now {error.state}: {error.error}"
        )


def _not_read(coverage: Coverage) -> Iterator[str]:
    if coverage.damaged:
        parts = (
            (coverage.broken, "with lines that cannot be read"),
            (coverage.recovered, "with lines that were mended"),
            (coverage.skipped, "with lines too long to read"),
            (coverage.truncated, "that end within a line"),
        )
        told = ", ".join(f"{number} {what}" for number, what in parts if number)
        yield f"  damaged     {counted(coverage.damaged, 'session')}: {told}"
    if coverage.elided:
        told = counted(coverage.elided, "session")
        yield f"  left out    {told} so long that not all tool output was kept"
    shown = coverage.kinds[:_KINDS]
    label = "not known"
    for version, kinds in groupby(sorted(shown, key=_version), key=_version):
        yield f"  {label:<11} {version}: {', '.join(_met(kind) for kind in kinds)}"
        label = ""
    left_out = len(coverage.kinds) - len(shown) + coverage.kinds_left_out
    if left_out:
        yield f"  {'':<11} and {counted(left_out, 'more kind')}; --json lists them"


def _version(kind: MetKind) -> str:
    return kind.version


def _met(kind: MetKind) -> str:
    return f"{kind.kind} ({kind.count:,} in {counted(kind.sessions, 'session')})"


def _problems(status: Status) -> Iterator[str]:
    if status.problems:
        yield "Not as it should be:"
        yield from (f"  - {problem}" for problem in status.problems)
        yield _LOG


def _ago(moment: datetime, status: Status) -> str:
    age = status.at - moment
    if age < _MINUTE:
        return "just now" if age > -_MINUTE else "in the future (was the clock set back?)"
    for unit, name in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if age >= unit:
            return f"{age // unit} {name} ago"
    return "just now"
