import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from journald.daemon.systemd import Notifier
from journald.errors import ExitCode

UNIT = Path(__file__).parents[2] / "systemd" / "journald.service"


@pytest.fixture(params=["path", "abstract"])
def channel(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listener:
        listener.settimeout(5)
        if request.param == "path":
            listener.bind(str(tmp_path / "notify"))
            yield str(tmp_path / "notify"), listener
        else:
            listener.bind("")  # the kernel picks a name in the abstract namespace
            name = listener.getsockname()
            yield "@" + name[1:].decode(), listener


def test_systemd_hears_what_is_said(channel: tuple[str, socket.socket]) -> None:
    address, listener = channel
    notifier = Notifier({"NOTIFY_SOCKET": address})
    notifier.ready("watching")
    notifier.extend(timedelta(minutes=2))
    notifier.alive()
    notifier.stopping()
    assert [listener.recv(100).decode() for _ in range(4)] == [
        "READY=1\nSTATUS=watching",
        "EXTEND_TIMEOUT_USEC=120000000",
        "WATCHDOG=1",
        "STOPPING=1\nSTATUS=stopping",
    ]


@pytest.mark.parametrize("address", ["", "/nowhere/notify", "@nobody"])
def test_nobody_there_is_no_error(address: str) -> None:
    Notifier({"NOTIFY_SOCKET": address}).ready("watching")


@pytest.mark.parametrize(
    ("environment", "every"),
    [
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "180000000"}, timedelta(seconds=90)),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "0"}, None),
        ({"NOTIFY_SOCKET": "/x"}, None),
        ({"WATCHDOG_USEC": "180000000"}, None),
        ({"NOTIFY_SOCKET": "/x", "WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_fed_in_half_its_patience(
    environment: dict[str, str], every: timedelta | None
) -> None:
    assert Notifier(environment).ping_every == every


def test_no_restart_where_it_cannot_help() -> None:
    line = next(line for line in UNIT.read_text().splitlines() if line.startswith("RestartPrevent"))
    assert {int(code) for code in line.split("=")[1].split()} == {
        ExitCode.USAGE,
        ExitCode.CONFIG_INVALID,
        ExitCode.ALREADY_RUNNING,
        ExitCode.STATE_UNUSABLE,
    }


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    runtime = tmp_path / "runtime"
    runtime.mkdir(mode=0o700)
    program = tmp_path / ".local" / "bin" / "journald"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    done = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(UNIT)],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_RUNTIME_DIR": str(runtime)},
        capture_output=True,
        text=True,
        check=False,
    )
    # Unknown keys and bad values are warnings that leave the exit status at 0.
    assert (done.returncode, done.stderr) == (0, "")
