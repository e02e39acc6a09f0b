from collections.abc import Callable
from datetime import timedelta

import pytest

from journald import config
from journald.daemon.warm import Absence, EngineState, WarmEngine
from journald.engine.base import Engine
from journald.errors import EngineDeadError, EngineError, EngineUnavailableError
from tests.clock import Clock
from tests.engines import ScriptedEngine

SETTINGS = config.Engine(vllm=config.Vllm(keep_warm=timedelta(minutes=10)))


class Loader:
    """Loads one engine after the other; an error in between is raised."""

    def __init__(self, *script: ScriptedEngine | EngineError) -> None:
        self.script = [*script]
        self.loads = 0

    def __call__(self) -> Engine:
        self.loads += 1
        step = self.script.pop(0) if self.script else ScriptedEngine([])
        if isinstance(step, EngineError):
            raise step
        return step


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def make(clock: Clock) -> Callable[[Loader], WarmEngine]:
    return lambda loader: WarmEngine(
        SETTINGS, name="vllm", reason="there is a GPU", load=loader, now=clock
    )


def state(warm: WarmEngine) -> EngineState:
    return warm.state


def obtained(warm: WarmEngine) -> Engine:
    engine = warm.obtain()
    assert not isinstance(engine, Absence)
    return engine


def test_the_engine_is_loaded_when_it_is_needed_and_then_kept(
    make: Callable[[Loader], WarmEngine],
) -> None:
    loader = Loader()
    warm = make(loader)
    assert (warm.state, loader.loads) == (EngineState.COLD, 0)
    assert obtained(warm) is obtained(warm)
    assert (warm.state, loader.loads) == (EngineState.WARM, 1)


def test_it_is_given_back_after_a_time_of_nothing_to_do_and_loaded_anew(
    make: Callable[[Loader], WarmEngine], clock: Clock
) -> None:
    first = ScriptedEngine([])
    loader = Loader(first)
    warm = make(loader)
    obtained(warm)
    clock.go(minutes=9)
    warm.worked()
    clock.go(minutes=9)
    warm.close_if_idle()
    assert first.closed == 0
    clock.go(minutes=1)
    warm.close_if_idle()
    assert first.closed == 1
    assert warm.state is EngineState.COLD
    assert obtained(warm) is not first


def test_without_a_model_by_choice_nothing_is_pending(clock: Clock) -> None:
    warm = WarmEngine(SETTINGS, name="extractive", reason="no GPU", load=Loader(), now=clock)
    assert warm.obtain() == Absence(reason="no GPU", pending=False)
    assert warm.state is EngineState.NONE


def test_a_dead_engine_is_built_anew_after_a_pause(
    make: Callable[[Loader], WarmEngine], clock: Clock
) -> None:
    first = ScriptedEngine([])
    warm = make(Loader(first))
    obtained(warm)
    warm.died(EngineDeadError("its process is gone"))
    assert first.closed == 1
    assert state(warm) is EngineState.WAITING
    until = warm.paused_until
    assert until is not None
    clock.at = until
    assert warm.paused_until is None
    assert obtained(warm) is not first
    assert state(warm) is EngineState.WARM


def test_an_engine_that_keeps_failing_is_down_and_tried_again_after_a_while(
    make: Callable[[Loader], WarmEngine], clock: Clock
) -> None:
    loader = Loader(*(EngineError("out of memory") for _ in range(4)))
    warm = make(loader)
    pauses = []
    for _ in range(2):
        with pytest.raises(EngineDeadError, match="out of memory"):
            warm.obtain()
        assert warm.paused_until is not None
        pauses.append(warm.paused_until - clock())
        clock.at = warm.paused_until
    assert warm.obtain() == Absence(reason="out of memory", pending=True)
    assert pauses == [timedelta(seconds=10), timedelta(seconds=20)]
    assert warm.state is EngineState.DOWN

    assert warm.paused_until is None, "jobs go on without it"
    assert isinstance(warm.obtain(), Absence)
    assert loader.loads == 3, "it is not loaded while it is down"

    assert warm.retry_at is not None
    clock.at = warm.retry_at
    assert isinstance(warm.obtain(), Absence)
    assert warm.state is EngineState.DOWN
    assert warm.retry_at is not None
    clock.at = warm.retry_at
    obtained(warm)
    assert state(warm) is EngineState.WARM


def test_what_this_machine_cannot_have_is_down_at_once(
    make: Callable[[Loader], WarmEngine],
) -> None:
    warm = make(Loader(EngineUnavailableError("no model files")))
    assert warm.obtain() == Absence(reason="no model files", pending=True)
    assert warm.state is EngineState.DOWN


def test_a_served_job_clears_the_count_of_failures(
    make: Callable[[Loader], WarmEngine], clock: Clock
) -> None:
    warm = make(Loader())
    for _ in range(5):
        obtained(warm)
        warm.worked()
        warm.died(EngineDeadError("gone"))
        assert warm.state is EngineState.WAITING
        assert warm.retry_at is not None
        clock.at = warm.retry_at


def test_an_engine_that_dies_under_every_job_is_down(
    make: Callable[[Loader], WarmEngine], clock: Clock
) -> None:
    warm = make(Loader())
    for _ in range(3):
        obtained(warm)
        warm.died(EngineDeadError("gone"))
        assert warm.retry_at is not None
        last, clock.at = clock.at, warm.retry_at
    assert warm.state is EngineState.DOWN
    assert clock.at - last == timedelta(minutes=30)
