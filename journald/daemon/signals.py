"""SIGTERM and SIGINT: the first asks the daemon to stop, the second leaves at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_STOPPING = (signal.SIGTERM, signal.SIGINT)
_SIGNAL_BASE = 128  # a shell's exit status for a process that a signal ended


class StopRequest:
    """Whether the daemon has been asked to stop; asking wakes whoever waits on `wake`."""

    def __init__(self) -> None:
        self.wake = threading.Event()
        self._asked = threading.Event()

    @property
    def asked(self) -> bool:
        """Whether it has been asked."""
        return self._asked.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is asked, at most `seconds`; say whether it is."""
        return self._asked.wait(seconds)

    def ask(self) -> None:
        """Ask it."""
        self._asked.set()
        self.wake.set()


@contextmanager
def stop_on_signals(request: StopRequest) -> Iterator[None]:
    """Turn signals into `request` while the context lasts; for the main thread.

    The second signal ends the process with 128 + its number, without any clean-up: the state
    is built to be left at any moment.
    """

    def handle(number: int, _frame: FrameType | None) -> None:
        if request.asked:
            os._exit(_SIGNAL_BASE + number)
        request.ask()

    previous = {number: signal.signal(number, handle) for number in _STOPPING}
    try:
        yield
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
