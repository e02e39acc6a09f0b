"""What vLLM is told: our settings as its arguments, and whether it knows those of the user.

Which ones it knows is read from its source: importing it takes ten seconds.
"""

from __future__ import annotations

import ast
import difflib
import os
import shutil
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, TypeAlias

from journald import config
from journald.errors import ConfigError

Device: TypeAlias = Literal["cuda", "cpu"]

# `chat_template` belongs to vllm.LLM itself; the others would take from under journald what it
# relies on, or have a setting of their own.
_BESIDES = frozenset({"chat_template"})
_OURS = {
    "model": "set engine.vllm.model instead",
    "skip_tokenizer_init": "journald needs the tokenizer",
    "runner": "journald generates text",
}


def vllm_folder() -> Path | None:
    """Return the folder of the installed vLLM without importing it; None when there is none."""
    spec = find_spec("vllm")
    locations = list(spec.submodule_search_locations or ()) if spec else []
    return Path(locations[0]) if locations else None


def known_arguments(vllm: Path) -> frozenset[str]:
    """Return the names of the fields of vLLM's EngineArgs; empty when they cannot be read."""
    try:
        tree = ast.parse((vllm / "engine/arg_utils.py").read_bytes())
    except (OSError, SyntaxError, ValueError):
        return frozenset()
    return frozenset(
        field.target.id
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == "EngineArgs"
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
    )


def check_arguments(names: Iterable[str], vllm: Path) -> None:
    """Raise ConfigError, naming each, for arguments under `engine.vllm.args` that cannot be."""
    wanted = sorted(names)
    known = known_arguments(vllm) | _BESIDES if wanted else frozenset()
    problems = []
    for name in wanted:
        if name in _OURS:
            problems.append(f"engine.vllm.args.{name}: {_OURS[name]}")
        elif len(known) > len(_BESIDES) and name not in known:
            close = difflib.get_close_matches(name, known, 1)
            meant = f"; did you mean {close[0]}?" if close else ""
            problems.append(f"engine.vllm.args.{name}: vLLM has no such argument{meant}")
    if problems:
        raise ConfigError(
            "vLLM cannot be given these arguments:",
            problems=tuple(problems),
            hint="The arguments are those of vllm.LLM in the installed version.",
        )


def vllm_arguments(
    settings: config.Vllm, folder: Path, device: Device, environment: Mapping[str, str]
) -> dict[str, Any]:
    """Return the arguments of vllm.LLM; what stands in `args` wins."""
    arguments: dict[str, Any] = {
        "model": str(folder),
        "dtype": settings.dtype,
        "max_model_len": settings.max_model_len,
        "max_num_seqs": settings.max_num_seqs,
        "enforce_eager": settings.enforce_eager,
        "enable_prefix_caching": True,
        "seed": settings.seed,
        # Its statistics are also the sign of life while a long prompt is read.
        "disable_log_stats": False,
        "use_tqdm_on_load": False,
        # xgrammar takes length keywords for leave to write raw control characters. White space is
        # left to the model: made to write compact JSON, a small one closes every list at once.
        "structured_outputs_config": {"backend": "guidance"},
    }
    if device == "cpu":
        arguments |= _for_cpu(settings)
    else:
        arguments |= _for_gpu(settings, environment)
    return arguments | settings.args


def _for_cpu(settings: config.Vllm) -> dict[str, Any]:
    return {
        # Half precision has no fast kernels without AVX-512, and compiling takes minutes.
        "dtype": "float32" if settings.dtype == "auto" else settings.dtype,
        "enforce_eager": True,
        # The engine dies over a prompt that it reads in parts when the request has a seed of its
        # own: "CPU Generator does not use offset" (vLLM 0.32).
        "enable_chunked_prefill": False,
        # Otherwise it takes 92 % of the machine's memory.
        "kv_cache_memory_bytes": settings.kv_cache_memory,
        "kv_cache_dtype": "auto",
    }


def _for_gpu(settings: config.Vllm, environment: Mapping[str, str]) -> dict[str, Any]:
    arguments: dict[str, Any] = {
        "gpu_memory_utilization": settings.gpu_memory_utilization,
        "kv_cache_dtype": settings.kv_cache_dtype,
        "enable_sleep_mode": True,
    }
    if settings.kv_cache_dtype.startswith("fp8") and not _has_compiler(environment):
        # FlashAttention 2 cannot read an 8-bit cache, and FlashInfer would be compiled first.
        arguments["attention_backend"] = "TRITON_ATTN"
    return arguments


def _has_compiler(environment: Mapping[str, str]) -> bool:
    """Tell whether CUDA's compiler is there."""
    homes = [environment[name] for name in ("CUDA_HOME", "CUDA_PATH") if environment.get(name)]
    folders = [*(f"{home}/bin" for home in homes), environment.get("PATH", os.defpath)]
    return shutil.which("nvcc", path=os.pathsep.join(folders)) is not None
