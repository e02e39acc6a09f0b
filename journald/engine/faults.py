"""What vLLM's messages at start mean, and what to do about them.

vLLM raises plain ValueErrors and RuntimeErrors, the real one in a child process and in its log
alone, so they are told apart by their words (read in vLLM 0.32 and 0.33).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from journald.errors import EngineDeadError, EngineError, EngineUnavailableError


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fault:
    """A message of vLLM and what it means to the user."""

    words: str
    """A regular expression."""
    message: str
    hint: str
    passing: bool = False
    """Whether the same start may succeed later."""


_CLOSE_OTHERS = (
    "Close other programs that use the GPU (`nvidia-smi` lists them) or lower "
    "engine.vllm.gpu_memory_utilization."
)
_FAULTS = (
    _Fault(
        words=r"Free memory on device .* is less than desired GPU memory utilization",
        message="the GPU's memory is taken by other programs",
        hint=_CLOSE_OTHERS,
        passing=True,
    ),
    _Fault(
        words=r"Error in memory profiling",
        message="another program took or freed GPU memory while vLLM measured it",
        hint=_CLOSE_OTHERS,
        passing=True,
    ),
    _Fault(
        words=r"not enough GPU memory|OutOfMemoryError|CUDA out of memory",
        message="the model does not fit into the GPU's free memory",
        hint=f"{_CLOSE_OTHERS} Or choose a smaller or quantised model.",
        passing=True,
    ),
    _Fault(
        words=r"No available memory for the cache blocks",
        message="the model leaves no room for the KV cache",
        hint="Raise engine.vllm.gpu_memory_utilization, or choose a smaller model.",
    ),
    _Fault(
        words=r"To serve at least one request with the model's|KV cache is needed, which is larger",
        message="not even one sequence of engine.vllm.max_model_len tokens fits into the KV cache",
        hint="Lower engine.vllm.max_model_len or engine.vllm.max_num_seqs; on a CPU raise "
        "engine.vllm.kv_cache_memory.",
    ),
    _Fault(
        words=r"User-specified max_model_len .* is greater than the derived",
        message="engine.vllm.max_model_len is longer than the model's own window",
        hint="Lower engine.vllm.max_model_len.",
    ),
    _Fault(
        words=r"Cannot find the config file for|Unknown quantization method",
        message="the model is not quantised in the way that is asked for",
        hint="Leave `quantization` out of engine.vllm.args: vLLM reads it from the model.",
    ),
    _Fault(
        words=r"cpu_gemm_wna16|is not supported for quantization method|"
        r"quantization is (?:currently )?not supported",
        message="this model's quantisation does not run on this machine",
        hint="Choose a model without quantisation, or one that this device can run.",
    ),
    _Fault(
        words=r"FP8 KV cache on CPU requires|kv_cache_dtype .*not supported|"
        r"No valid attention backend",
        message="the KV cache cannot be kept in that precision here",
        hint="Set engine.vllm.kv_cache_dtype to auto.",
    ),
    _Fault(
        words=r"Could not find nvcc|flashinfer.*(?:ninja|nvcc)|CUDA_HOME environment variable",
        message="an attention kernel would have to be compiled, and there is no CUDA toolkit",
        hint="Set engine.vllm.args.attention_backend to TRITON_ATTN.",
    ),
    _Fault(
        words=r"driver version is insufficient|NVIDIA driver on your system is too old|"
        r"no kernel image is available",
        message="the NVIDIA driver or the card is too old for the installed vLLM",
        hint="Update the driver, or install an older vLLM.",
    ),
    _Fault(
        words=r"No CUDA GPUs are available|CUDA driver initialization failed|"
        r"CUDA unknown error|Device string must not be empty",
        message="CUDA finds no GPU",
        hint="Check `nvidia-smi`; after a suspend, reloading nvidia_uvm or a restart helps.",
        passing=True,
    ),
    _Fault(
        words=r"Model architectures .* (?:are|is) not supported|"
        r"does not recognize this architecture",
        message="the installed vLLM does not know this kind of model",
        hint="Choose another model, or update vLLM.",
    ),
    _Fault(
        words=r"SafetensorError|Error while deserializing header|MetadataIncompleteBuffer",
        message="the model's weights are damaged",
        hint="Fetch the model again.",
    ),
    _Fault(
        words=r"LocalEntryNotFoundError|OfflineModeIsEnabled|We couldn't connect to",
        message="a file of the model is not on this machine",
        hint="Fetch the model whole: `hf download NAME`.",
    ),
    _Fault(
        words=r"Timed out waiting for engine core processes",
        message="vLLM did not come up within its time",
        hint="Set $VLLM_ENGINE_READY_TIMEOUT_S to more seconds if the disk is slow.",
        passing=True,
    ),
)
_RAISED = re.compile(r"^.*?\b((?:\w+\.)*\w*(?:Error|Exception|Interrupt)): (.+)$", re.MULTILINE)
_ECHO = re.compile(r"initialization failed|See root cause|Engine core .*fail", re.IGNORECASE)
_LONGEST = 300


def root_cause(text: str) -> str:
    """Return the first exception that `text`, a log, tells of; empty when there is none."""
    for match in _RAISED.finditer(text):
        if not _ECHO.search(match[2]):
            return f"{match[1].rpartition('.')[2]}: {match[2]}"[:_LONGEST]
    return ""


def _known(text: str) -> _Fault | None:
    return next((fault for fault in _FAULTS if re.search(fault.words, text)), None)


def run_error(log: str) -> EngineDeadError:
    """Return the error for an engine that died at work; of `log` only the kind of error is told.

    What vLLM says of a failure at work may quote what it worked on.
    """
    if fault := _known(log):
        return EngineDeadError(f"the engine died: {fault.message}", hint=fault.hint)
    kind = root_cause(log).partition(":")[0]
    return EngineDeadError(f"the engine's process died{f' ({kind})' if kind else ''}")


def start_error(error: Exception, log: str, *, model: str) -> EngineError:
    """Return what `error`, raised while vLLM started, means; `log` is what vLLM logged.

    EngineUnavailableError where only a change of the settings or the machine helps.
    """
    said = f"{type(error).__name__}: {error}"
    if fault := _known(f"{said}\n{log}"):
        kind = EngineError if fault.passing else EngineUnavailableError
        return kind(f"vLLM cannot start {model}: {fault.message}", hint=fault.hint)
    cause = root_cause(log) or said[:_LONGEST]
    return EngineError(f"vLLM cannot start {model}: {cause}")
