from pathlib import Path
from typing import Any

import pytest

from journald import config
from journald.engine.arguments import Device, check_arguments, vllm_arguments, vllm_folder

MODEL = Path("/models/mine")


def arguments(
    device: Device = "cuda", environment: dict[str, str] | None = None, **settings: Any
) -> dict[str, Any]:
    # A $PATH of its own, so that this machine's compiler does not count.
    return vllm_arguments(
        config.Vllm(**settings), MODEL, device, environment or {"PATH": "/proc/1/x"}
    )


def test_the_gpu_gets_what_the_settings_say() -> None:
    made = arguments()
    assert made["model"] == str(MODEL)
    assert made["max_model_len"] == 32768
    assert made["max_num_seqs"] == 6
    assert made["gpu_memory_utilization"] == 0.90
    assert made["kv_cache_dtype"] == "fp8"
    assert made["dtype"] == "auto"
    assert "kv_cache_memory_bytes" not in made
    assert "quantization" not in made


def test_the_cpu_gets_single_precision_no_compilation_and_a_bounded_cache() -> None:
    made = arguments("cpu")
    assert made["dtype"] == "float32"
    assert made["enforce_eager"] is True
    assert made["kv_cache_memory_bytes"] == 1 << 30
    assert made["kv_cache_dtype"] == "auto"
    assert {"gpu_memory_utilization", "enable_sleep_mode", "attention_backend"}.isdisjoint(made)
    assert arguments("cpu", dtype="bfloat16")["dtype"] == "bfloat16"


def test_an_8_bit_cache_needs_no_compiler(tmp_path: Path) -> None:
    assert arguments()["attention_backend"] == "TRITON_ATTN"
    assert "attention_backend" not in arguments(kv_cache_dtype="auto")
    compiler = tmp_path / "bin/nvcc"
    compiler.parent.mkdir()
    compiler.touch(0o755)
    for environment in ({"PATH": str(tmp_path / "bin")}, {"CUDA_HOME": str(tmp_path)}):
        assert "attention_backend" not in arguments(environment=environment)


def test_the_user_s_own_arguments_win() -> None:
    made = arguments(args={"attention_backend": "FLASHINFER", "max_num_seqs": 3, "watermark": 0.02})
    assert (made["attention_backend"], made["max_num_seqs"]) == ("FLASHINFER", 3)
    assert made["watermark"] == 0.02


@pytest.mark.engine
@pytest.mark.parametrize("device", ["cuda", "cpu"])
def test_the_installed_vllm_knows_every_argument(device: Device) -> None:
    package = vllm_folder()
    if package is None:
        pytest.skip("vLLM is not installed")
    made = arguments(device)
    del made["model"]
    check_arguments(made, package)
