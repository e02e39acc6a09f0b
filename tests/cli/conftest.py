from pathlib import Path

import pytest

from tests.cli.commands import Journald, runner


@pytest.fixture
def journald(isolated_home: Path, capsys: pytest.CaptureFixture[str]) -> Journald:
    return runner(isolated_home, capsys)
