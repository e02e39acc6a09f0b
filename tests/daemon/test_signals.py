import os
import signal
import subprocess
import sys
import threading

import pytest

from journald.daemon.signals import StopRequest, stop_on_signals

STUBBORN = """
import sys, time
from journald.daemon.signals import StopRequest, stop_on_signals
request = StopRequest()
with stop_on_signals(request):
    print("ready", flush=True)
    request.wait(60)
    print("asked", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_asks_and_wakes(number: signal.Signals) -> None:
    request = StopRequest()
    with stop_on_signals(request):
        assert not request.asked
        os.kill(os.getpid(), number)
        assert request.wake.wait(5)
        assert request.asked


def test_the_handlers_are_put_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with stop_on_signals(StopRequest()):
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(("second", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_second_signal_leaves_at_once(second: signal.Signals, code: int) -> None:
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.readline() == b"asked\n"
        process.send_signal(second)
        assert process.wait(10) == code


def test_asking_reaches_who_waits() -> None:
    request = StopRequest()
    threading.Timer(0.01, request.ask).start()
    assert request.wait(5)
