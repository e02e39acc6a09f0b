import queue
from types import SimpleNamespace

import pytest

from journald.engine.vigil import Vigil


class DiedError(Exception):
    pass


class Core:
    """What a vigil looks at of vLLM's client."""

    def __init__(self) -> None:
        self.resources = SimpleNamespace(engine_dead=False)
        self.outputs_queue: queue.Queue[Exception] = queue.Queue()


def test_a_dead_engine_ends_the_wait_for_its_output() -> None:
    core = Core()
    with Vigil(core, DiedError, silence=60) as vigil:
        core.resources.engine_dead = True
        assert isinstance(core.outputs_queue.get(timeout=5), DiedError)
    assert not vigil.hung


def test_an_engine_without_a_sign_of_life_ends_the_wait_too() -> None:
    core = Core()
    with Vigil(core, DiedError, silence=0.1) as vigil:
        assert isinstance(core.outputs_queue.get(timeout=5), DiedError)
    assert vigil.hung


def test_an_engine_that_moves_is_left_alone() -> None:
    core = Core()
    with Vigil(core, DiedError, silence=2) as vigil:
        for _ in range(3):
            vigil.heard()
            with pytest.raises(queue.Empty):
                core.outputs_queue.get(timeout=0.2)
    assert core.outputs_queue.empty()
