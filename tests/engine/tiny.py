"""A model that is made on the spot: Qwen 3's architecture, one layer, no sense.

Its weights are chosen so that the last hidden state is nearly the same everywhere and the output
layer gives each token a fixed likelihood: it writes random words, ends its strings soon, and
what a schema asks of it is complete after some dozen tokens.
"""

# ruff: noqa: PLC0415 - heavy, and only there where vLLM is
import json
import re
from pathlib import Path
from typing import Any

WINDOW = 4096
_WIDTH = 32
_INNER = 64
_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_WORDS = (
    "the parser reads each line of the file and keeps the order; the test passes now, the report "
    "shows a total per day, a missing field is an error, and the user asked to rename the module"
)


def make_model(folder: Path) -> Path:
    """Write config, tokenizer and weights of the tiny model into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = _tokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    vocabulary: dict[str, int] = tokenizer.get_vocab()
    _write(folder / "tokenizer_config.json", _tokenizer_config())
    _write(folder / "config.json", _config(len(vocabulary)))
    _write(folder / "generation_config.json", {"eos_token_id": 2, "pad_token_id": 0})
    _save_weights(folder / "model.safetensors", vocabulary)
    return folder


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content), encoding="utf-8")


def _tokenizer() -> Any:
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_SPLIT), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1024,
        special_tokens=[*_SPECIAL],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([Path(re.__file__).read_text(encoding="utf-8"), _WORDS], trainer)
    return tokenizer


def _tokenizer_config() -> dict[str, Any]:
    return {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "eos_token": "<|im_end|>",
        "pad_token": "<|endoftext|>",
        "bos_token": None,
        "model_max_length": WINDOW,
        "clean_up_tokenization_spaces": False,
        "chat_template": _TEMPLATE,
    }


def _config(size: int) -> dict[str, Any]:
    return {
        "architectures": ["Qwen3ForCausalLM"],
        "model_type": "qwen3",
        "vocab_size": size,
        "hidden_size": _WIDTH,
        "intermediate_size": _INNER,
        "num_hidden_layers": 1,
        "num_attention_heads": 1,
        "num_key_value_heads": 1,
        "head_dim": _WIDTH,
        "hidden_act": "silu",
        "max_position_embeddings": WINDOW,
        "rms_norm_eps": 1e-6,
        "rope_theta": 1e6,
        "tie_word_embeddings": False,
        "torch_dtype": "float32",
        "bos_token_id": None,
        "eos_token_id": 2,
        "pad_token_id": 0,
    }


def _save_weights(path: Path, vocabulary: dict[str, int]) -> None:
    import numpy as np
    from safetensors.numpy import save_file

    random = np.random.default_rng(0)

    def noise(*shape: int) -> Any:
        return (random.standard_normal(shape) * 0.02).astype(np.float32)

    embedding = noise(len(vocabulary), _WIDTH)
    embedding[:, 0] = 1.0
    output = noise(len(vocabulary), _WIDTH)
    output[:, 0] = _likelihoods(vocabulary)
    layer = "model.layers.0"
    weights = {
        "model.embed_tokens.weight": embedding,
        "lm_head.weight": output,
        "model.norm.weight": np.ones(_WIDTH, np.float32),
        f"{layer}.input_layernorm.weight": np.ones(_WIDTH, np.float32),
        f"{layer}.post_attention_layernorm.weight": np.ones(_WIDTH, np.float32),
        f"{layer}.self_attn.q_norm.weight": np.ones(_WIDTH, np.float32),
        f"{layer}.self_attn.k_norm.weight": np.ones(_WIDTH, np.float32),
        f"{layer}.mlp.gate_proj.weight": noise(_INNER, _WIDTH),
        f"{layer}.mlp.up_proj.weight": noise(_INNER, _WIDTH),
        f"{layer}.mlp.down_proj.weight": noise(_WIDTH, _INNER),
    }
    weights |= {f"{layer}.self_attn.{part}_proj.weight": noise(_WIDTH, _WIDTH) for part in "qkvo"}
    save_file(weights, path, metadata={"format": "pt"})


def _likelihoods(vocabulary: dict[str, int]) -> Any:
    """Return each token's share of the output layer: quotes and brackets first, then words."""
    import numpy as np

    shares = np.full(len(vocabulary), -1.0, np.float32)
    for token, number in vocabulary.items():
        if token in {'"', "{", "}", "]"}:
            shares[number] = 1.0
        elif token.startswith("Ġ") and token[1:].isalpha():
            shares[number] = 0.75
        elif token in _SPECIAL:
            shares[number] = -2.0
    return shares
