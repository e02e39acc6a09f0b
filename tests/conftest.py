"""Every test runs with a home folder of its own and without the user's settings."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog

for name in [*os.environ]:
    if name.startswith("JOURNALD_") and name != "JOURNALD_CORPUS":
        del os.environ[name]


@pytest.fixture(autouse=True)
def isolated_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(autouse=True)
def log_of_its_own() -> Iterator[None]:
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def corpus() -> Path:
    folder = os.environ.get("JOURNALD_CORPUS")
    if not folder:
        pytest.skip("$JOURNALD_CORPUS names no folder of real transcripts")
    return Path(folder)
