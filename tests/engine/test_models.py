import json
import os
from pathlib import Path

import pytest

from journald.engine.models import find_model, model_cache
from journald.errors import EngineUnavailableError

NAME = "Qwen/Qwen3-8B-AWQ"


def write_model(folder: Path, *parts: str, written: int | None = None) -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    if len(parts) > 1:
        index = {"weight_map": {f"layer.{number}": part for number, part in enumerate(parts)}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    for part in parts[:written]:
        (folder / part).write_bytes(b"")
    return folder


def cached(cache: Path, revision: str) -> Path:
    return cache / "models--Qwen--Qwen3-8B-AWQ/snapshots" / revision


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"HF_HUB_CACHE": "/a", "HF_HOME": "/b", "HOME": "/c"}, "/a"),
        ({"HF_HOME": "/b", "XDG_CACHE_HOME": "/x", "HOME": "/c"}, "/b/hub"),
        ({"XDG_CACHE_HOME": "/x", "HOME": "/c"}, "/x/huggingface/hub"),
        ({"HOME": "/c"}, "/c/.cache/huggingface/hub"),
        ({"HF_HOME": "~/hf", "HOME": "/c"}, "/c/hf/hub"),
    ],
)
def test_the_cache_is_where_hugging_face_keeps_it(
    environment: dict[str, str], expected: str
) -> None:
    assert model_cache(environment) == Path(expected)


def test_a_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "models/mine", "model.safetensors")
    assert find_model(str(folder), {}) == folder
    assert find_model("~/models/mine", {"HOME": str(tmp_path)}) == folder


def test_the_revision_that_main_names_is_taken_from_the_cache(tmp_path: Path) -> None:
    named = write_model(cached(tmp_path, "aaa"), "model.safetensors")
    other = write_model(cached(tmp_path, "bbb"), "model.safetensors")
    os.utime(named, (1, 1))
    assert find_model(NAME, {"HF_HUB_CACHE": str(tmp_path)}) == other
    references = tmp_path / "models--Qwen--Qwen3-8B-AWQ/refs"
    references.mkdir()
    (references / "main").write_text("aaa\n")
    assert find_model(NAME, {"HF_HUB_CACHE": str(tmp_path)}) == named


def test_a_download_that_stopped_half_way_is_told_file_by_file(tmp_path: Path) -> None:
    parts = ("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors")
    write_model(cached(tmp_path, "aaa"), *parts, written=1)
    with pytest.raises(EngineUnavailableError, match=r"lacks model-00002-of-00002\.safetensors$"):
        find_model(NAME, {"HF_HUB_CACHE": str(tmp_path)})


def test_a_link_into_a_cache_that_was_cleaned_is_no_file(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "mine")
    (folder / "model.safetensors").symlink_to(tmp_path / "blobs/gone")
    with pytest.raises(EngineUnavailableError, match="lacks its weights"):
        find_model(str(folder), {})


def test_a_damaged_index_is_named(tmp_path: Path) -> None:
    folder = write_model(tmp_path / "mine", "model.safetensors")
    (folder / "model.safetensors.index.json").write_text('{"weight_map": [')
    (folder / "config.json").unlink()
    with pytest.raises(
        EngineUnavailableError,
        match=r"lacks config\.json, a whole model\.safetensors\.index\.json$",
    ):
        find_model(str(folder), {})


def test_a_folder_that_is_not_there_is_not_looked_for_in_the_cache(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailableError, match="does not exist") as caught:
        find_model("./mine", {"HF_HUB_CACHE": str(tmp_path)})
    assert "engine.vllm.model" in (caught.value.hint or "")
