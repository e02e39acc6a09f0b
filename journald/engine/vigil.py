"""An end to waiting for an engine that will never answer.

When the process of vLLM's EngineCore is killed, vLLM's own monitor notices, but the thread that
waits for its output is not told and waits for ever; an engine that hangs is noticed by nobody.
So a thread looks on while a batch runs, and puts the error where the output is waited for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

_LOOK_EVERY = 0.2


class Vigil:
    """Watches vLLM's client `core` while a batch runs; `died` makes vLLM's own error.

    `silence` is for how many seconds the engine may be without a sign of life.
    """

    def __init__(self, core: Any, died: Callable[[], Exception], *, silence: float) -> None:
        self._core = core
        self._died = died
        self._silence = silence
        self._heard = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="engine-vigil", daemon=True)
        self.hung = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()

    def heard(self) -> None:
        """Take note of a sign of life."""
        self._heard = time.monotonic()

    def _watch(self) -> None:
        while not self._over.wait(_LOOK_EVERY):
            self.hung = time.monotonic() - self._heard > self._silence
            if self.hung or self._core.resources.engine_dead:
                self._core.outputs_queue.put_nowait(self._died())
                return
