"""Where a model's files lie on this machine; nothing is ever downloaded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from journald import paths
from journald.errors import EngineUnavailableError

_WEIGHTS = ("*.safetensors", "*.bin", "*.pt")
_INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")


def model_cache(environment: Mapping[str, str]) -> Path:
    """Return Hugging Face's local cache, as huggingface_hub itself resolves it."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if named := environment.get(variable):
            return paths.expand(named, environment)
    if named := environment.get("HF_HOME"):
        return paths.expand(named, environment) / "hub"
    if named := environment.get("XDG_CACHE_HOME"):
        return paths.expand(named, environment) / "huggingface/hub"
    return paths.home(environment) / ".cache/huggingface/hub"


def find_model(name: str, environment: Mapping[str, str]) -> Path:
    """Return the folder that holds the files of model `name`.

    `name` is a folder, or `ORG/NAME` in Hugging Face's local cache. Raises
    EngineUnavailableError, saying where was looked, when it is not there or not whole.
    """
    folder = paths.expand(name, environment)
    if folder.is_dir():
        return _whole(folder, name)
    if folder.is_absolute() or name.startswith((".", "~")):
        raise EngineUnavailableError(
            f"the model folder {folder} does not exist",
            hint="Set engine.vllm.model to a folder with config.json and weights.",
        )
    cached = model_cache(environment) / f"models--{name.replace('/', '--')}"
    snapshot = _snapshot(cached)
    if snapshot is None:
        raise EngineUnavailableError(
            f"the model {name} is not on this machine (looked in {cached})",
            hint=f"Fetch it once with `hf download {name}`, or set engine.vllm.model to a folder.",
        )
    return _whole(snapshot, name)


def _snapshot(cached: Path) -> Path | None:
    """Return the snapshot that `main` names, else the newest one."""
    snapshots = cached / "snapshots"
    try:
        revision = (cached / "refs/main").read_text(encoding="utf-8").strip()
    except OSError:
        revision = ""
    if revision and (snapshots / revision).is_dir():
        return snapshots / revision
    found = [folder for folder in snapshots.glob("*") if folder.is_dir()]
    return max(found, key=lambda folder: folder.stat().st_mtime, default=None)


def _whole(folder: Path, name: str) -> Path:
    missing = _missing(folder)
    if missing:
        raise EngineUnavailableError(
            f"the model {name} is not whole: {folder} lacks {', '.join(missing)}",
            hint="Fetch it again; a download was perhaps interrupted.",
        )
    return folder


def _missing(folder: Path) -> list[str]:
    """Name what a loader would miss; a link into a cache that was cleaned counts as missing."""
    missing = [] if (folder / "config.json").is_file() else ["config.json"]
    index = next((name for name in _INDEXES if (folder / name).is_file()), None)
    if index is None:
        weights = (path for pattern in _WEIGHTS for path in folder.glob(pattern))
        return missing if any(path.is_file() for path in weights) else [*missing, "its weights"]
    try:
        parts = sorted(set(json.loads((folder / index).read_bytes())["weight_map"].values()))
        return missing + [part for part in parts if not (folder / part).is_file()]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return [*missing, f"a whole {index}"]
