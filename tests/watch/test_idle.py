from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings, strategies

from journald import config
from journald.watch.idle import Observation, Verdict, VerdictKind, judge
from tests.clock import NOON

MINUTE = timedelta(minutes=1)
SETTINGS = config.Idle(after=15 * MINUTE, pending_after=120 * MINUTE)


def observed(
    *,
    changed: bool = True,
    last: float | None = 0,
    subagents: float | None = None,
    pending: bool = False,
    modified: float = 0,
    seen: float = 0,
) -> Observation:
    """Build an observation; times are minutes relative to NOON."""
    return Observation(
        changed=changed,
        last_event=None if last is None else NOON + last * MINUTE,
        subagents=None if subagents is None else NOON + subagents * MINUTE,
        pending=pending,
        modified=NOON + modified * MINUTE,
        seen=NOON + seen * MINUTE,
    )


def judged(observation: Observation, minutes: float) -> Verdict:
    return judge(observation, NOON + minutes * MINUTE, SETTINGS)


IDLE = Verdict(kind=VerdictKind.IDLE)
NOTHING = Verdict(kind=VerdictKind.NOTHING_NEW)


def wait(minutes: float) -> Verdict:
    return Verdict(kind=VerdictKind.WAIT, until=NOON + minutes * MINUTE)


@pytest.mark.parametrize(
    ("observation", "at", "verdict"),
    [
        pytest.param(observed(), 14.9, wait(15), id="silence too short"),
        pytest.param(observed(), 15, IDLE, id="silence long enough"),
        pytest.param(observed(changed=False), 999, NOTHING, id="touched or metadata only"),
        pytest.param(observed(pending=True), 30, wait(120), id="a call waits for its result"),
        pytest.param(observed(pending=True), 120, IDLE, id="it waited too long"),
        pytest.param(observed(subagents=10, seen=10), 20, wait(25), id="a sub-agent went on"),
        pytest.param(
            observed(last=10, subagents=0, seen=10), 20, wait(25), id="the parent went on"
        ),
        pytest.param(
            observed(last=-600, modified=0, seen=0), 1, IDLE, id="old rows in a file just touched"
        ),
        pytest.param(observed(last=None, modified=-5), 5, wait(10), id="no row has a time"),
        pytest.param(observed(last=None, modified=-5), 10, IDLE, id="no row has a time, later"),
        pytest.param(
            observed(last=500_000, modified=0, seen=0), 14, wait(15), id="rows from the future"
        ),
        pytest.param(
            observed(last=500_000, modified=500_000, seen=0), 15, IDLE, id="… are no obstacle"
        ),
        pytest.param(observed(seen=60), -600, wait(-585), id="the clock was set back"),
    ],
)
def test_rule(observation: Observation, at: float, verdict: Verdict) -> None:
    assert judged(observation, at) == verdict


MOMENTS = strategies.integers(min_value=-2_000_000, max_value=2_000_000).map(
    lambda minutes: NOON + minutes * MINUTE
)
OBSERVATIONS = strategies.builds(
    Observation,
    changed=strategies.just(True),
    last_event=strategies.none() | MOMENTS,
    subagents=strategies.none() | MOMENTS,
    pending=strategies.booleans(),
    modified=MOMENTS,
    seen=MOMENTS,
)


@settings(max_examples=100, deadline=None)
@given(OBSERVATIONS, MOMENTS)
def test_a_wait_ends_in_idle_at_the_time_it_named_when_nothing_changes(
    observation: Observation, now: datetime
) -> None:
    verdict = judge(observation, now, SETTINGS)
    if verdict.until is not None:
        assert now < verdict.until <= now + SETTINGS.pending_after
        if observation.seen <= now:
            assert judge(observation, verdict.until, SETTINGS) == IDLE


@settings(max_examples=100, deadline=None)
@given(OBSERVATIONS, MOMENTS, strategies.integers(min_value=0, max_value=10_000))
def test_what_is_idle_stays_idle(observation: Observation, now: datetime, minutes: int) -> None:
    if judge(observation, now, SETTINGS) == IDLE:
        assert judge(observation, now + minutes * MINUTE, SETTINGS) == IDLE


@settings(max_examples=100, deadline=None)
@given(OBSERVATIONS, MOMENTS)
def test_no_session_is_idle_within_the_silence_after_its_own_last_row(
    observation: Observation, now: datetime
) -> None:
    own = [at for at in (observation.last_event, observation.subagents) if at is not None]
    if own and max(own) <= observation.seen and now - max(own) < SETTINGS.after:
        assert judge(observation, now, SETTINGS).kind is VerdictKind.WAIT
