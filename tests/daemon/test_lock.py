import multiprocessing
import stat
from pathlib import Path

import pytest

from journald.daemon.lock import InstanceLock, is_locked, lock_path
from journald.errors import AlreadyRunningError, ExitCode, StateError


def hold(folder: Path, held: object, leave: object) -> None:
    with InstanceLock(folder):
        held.set()  # type: ignore[attr-defined]
        leave.wait()  # type: ignore[attr-defined]


def test_a_second_holder_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    held, leave = context.Event(), context.Event()
    process = context.Process(target=hold, args=(tmp_path, held, leave))
    process.start()
    try:
        assert held.wait(30)
        assert is_locked(tmp_path)
        with (
            pytest.raises(AlreadyRunningError, match=str(process.pid)) as caught,
            InstanceLock(tmp_path),
        ):
            pass
        assert caught.value.exit_code is ExitCode.ALREADY_RUNNING
        process.kill()
        process.join()
        with InstanceLock(tmp_path):
            pass
    finally:
        process.kill()
        process.join()


def test_the_lock_is_free_before_and_after(tmp_path: Path) -> None:
    assert not is_locked(tmp_path)
    with InstanceLock(tmp_path):
        assert is_locked(tmp_path)
    assert not is_locked(tmp_path)


def test_asking_creates_nothing(tmp_path: Path) -> None:
    assert not is_locked(tmp_path / "state")
    assert not (tmp_path / "state").exists()


def test_folder_and_file_are_private(tmp_path: Path) -> None:
    with InstanceLock(tmp_path / "state"):
        assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
        assert stat.S_IMODE(lock_path(tmp_path / "state").stat().st_mode) == 0o600


def test_a_state_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(StateError, match="state"), InstanceLock(tmp_path / "state"):
        pass
