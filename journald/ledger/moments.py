"""Which times of a session can be true, and what they add up to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from journald.transcript.session import Session

# Claude Code did not exist before.
_FIRST = datetime(2025, 1, 1, tzinfo=UTC)
# Nor will it be then; beyond the year 9999 there is no time to compare with or to show in a zone.
_LAST = datetime(9000, 1, 1, tzinfo=UTC)
# Rows are written as they happen; a time further off than this between its neighbours is wrong.
_ASTRAY = timedelta(days=1)
# Nobody resumes a session after so long; of two such halves the smaller one has a wrong clock.
_APART = timedelta(days=400)
_PAUSE = timedelta(minutes=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """The valid times of a session, sub-agents included."""

    times: tuple[datetime, ...]
    """Sorted; every event counts."""
    wrong: frozenset[datetime]
    """Times that events carry and that cannot be."""

    def valid(self, at: datetime | None) -> datetime | None:
        """Return `at` if it can be true."""
        return None if at is None or at in self.wrong else at

    @property
    def started(self) -> datetime | None:
        """The first time."""
        return self.times[0] if self.times else None

    @property
    def ended(self) -> datetime | None:
        """The last time."""
        return self.times[-1] if self.times else None

    @property
    def wall(self) -> timedelta:
        """From the first time to the last."""
        return self.times[-1] - self.times[0] if self.times else timedelta()

    @property
    def active(self) -> timedelta:
        """The gaps that are no pause, added up; a gap of exactly 30 minutes is none."""
        gaps = (later - earlier for earlier, later in zip(self.times, self.times[1:], strict=False))
        return sum((gap for gap in gaps if gap <= _PAUSE), timedelta())

    def days(self, zone: tzinfo) -> tuple[date, ...]:
        """Return the days, as a clock in `zone` shows them, on which something happened."""
        return tuple(dict.fromkeys(at.astimezone(zone).date() for at in self.times))


def read_moments(session: Session, *, now: datetime | None = None) -> Moments:
    """Sift the times of a session; those after `now` cannot be, if it is given."""
    times: list[datetime] = []
    for events in (session.events, *(agent.events for agent in session.subagents)):
        possible = [
            event.at
            for event in events
            if event.at is not None and _FIRST <= event.at <= (now or _LAST)
        ]
        times.extend(_in_order(possible))
    kept = _largest(sorted(times))
    right = set(kept)
    every = {event.at for event in session.events if event.at is not None}
    for agent in session.subagents:
        every.update(event.at for event in agent.events if event.at is not None)
    return Moments(times=tuple(kept), wrong=frozenset(every - right))


def _in_order(times: Sequence[datetime]) -> list[datetime]:
    """Return the times without those that a wrong clock put far off their neighbours."""
    chain = _chain(times)
    kept: list[datetime] = []
    position = 0
    for index, at in enumerate(times):
        while position < len(chain) and chain[position] < index:
            position += 1
        before = times[chain[position - 1]] if position else None
        after = times[chain[position]] if position < len(chain) else None
        early = before is not None and at < before - _ASTRAY
        late = after is not None and at > after + _ASTRAY
        if not early and not late:
            kept.append(at)
    return kept


def _chain(times: Sequence[datetime]) -> list[int]:
    """Return the indices of a longest run of times that never goes back."""
    ends: list[int] = []
    last: list[datetime] = []
    before: list[int] = []
    for index, at in enumerate(times):
        place = bisect_right(last, at)
        before.append(ends[place - 1] if place else -1)
        ends[place : place + 1] = [index]
        last[place : place + 1] = [at]
    found: list[int] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        found.append(index)
        index = before[index]
    return found[::-1]


def _largest(times: Iterable[datetime]) -> list[datetime]:
    """Return the largest part of sorted times that lie together; the first of equal ones."""
    parts: list[list[datetime]] = [[]]
    for at in times:
        if parts[-1] and at - parts[-1][-1] > _APART:
            parts.append([])
        parts[-1].append(at)
    return max(parts, key=len)
