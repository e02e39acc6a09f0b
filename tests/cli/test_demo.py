"""`journald demo`, for real."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

DEMO = [sys.executable, "-m", "journald", "demo"]


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in listed]


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def test_the_demo_shows_an_entry_in_under_30_seconds(tmp_path: Path) -> None:
    begun = time.monotonic()
    ran = subprocess.run(
        [*DEMO, "--notes", tmp_path / "notes"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert ran.returncode == 0, ran.stderr
    assert time.monotonic() - begun < 30
    [entry] = (tmp_path / "notes").rglob("*.md")
    assert ran.stdout.strip() == entry.read_text().strip()
    assert "One more thing I saw in that log" in ran.stdout
    assert "Zq7mLw9vXk2" not in ran.stdout
    assert "> Everybody got the weekly tide report twice" in ran.stderr
    assert f"This entry lies in {entry}" in ran.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["notes"]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_demo_that_is_stopped_takes_its_daemon_along(
    number: signal.Signals, code: int, tmp_path: Path
) -> None:
    demo = subprocess.Popen(
        DEMO,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert demo.stderr is not None
    with demo, demo.stderr as stderr:
        for line in stderr:
            if line.startswith("  > "):
                break
        [daemon] = children(demo.pid)
        demo.send_signal(number)
        stderr.read()
        assert demo.wait(20) == code
    assert not alive(daemon)
    assert not [*tmp_path.glob("journald-demo-work-*")]
