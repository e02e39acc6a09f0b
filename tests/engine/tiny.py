"""A model that is made on the spot: Qwen 3's architecture, one layer, no sense.

Its weights are chosen so that the last hidden state tells hardly more than what kind of token
came last, and the output layer what follows that kind: it writes short strings of random words,
cites events that may exist, and completes what a schema asks for after some dozen tokens.
"""

# ruff: noqa: PLC0415 - heavy, and only there where vLLM is
import json
import re
from pathlib import Path
from typing import Any

WINDOW = 8192
_WIDTH = 32
_INNER = 64
_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_EVENTS = tuple(f"e{number}" for number in range(1, 9))
_OPENING, _CLOSING = '["', '"]'
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
    from tokenizers import (
        AddedToken,
        Regex,
        Tokenizer,
        decoders,
        models,
        normalizers,
        pre_tokenizers,
        trainers,
    )

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
    plain = (*_EVENTS, _OPENING, _CLOSING)
    tokenizer.add_tokens([AddedToken(token, special=False) for token in plain])
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

    embedding, output = noise(len(vocabulary), _WIDTH), noise(len(vocabulary), _WIDTH)
    for token, number in vocabulary.items():
        embedding[number, _kind(token)] = 1.0
        for kind, likelihood in enumerate(_followers(token)):
            output[number, kind] = likelihood
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


_OTHER, _QUOTE, _WORD, _OPENED, _EVENT = range(5)
_SHORTEST_WORD = 4
# Space, newline, tab and return, as byte-level BPE writes them.
_BLANKS = "\u0120\u010a\u0109\u010d"


def _kind(token: str) -> int:
    if token in _EVENTS:
        return _EVENT
    if token == _OPENING:
        return _OPENED
    if token.endswith('"'):
        return _QUOTE
    return _WORD if _is_word(token) else _OTHER


def _is_word(token: str) -> bool:
    letters = token.removeprefix(_BLANKS[0])
    return (
        letters != token
        and len(letters) >= _SHORTEST_WORD
        and letters.isascii()
        and letters.isalpha()
    )


# How readily a token follows one of each kind.
_NEVER = (-1.0, -1.0, -1.0, -1.0, -1.0)
_LAST_OF_ALL = (-2.0, -2.0, -2.0, -2.0, -2.0)
_AFTER_ANY_WORD = (-1.0, 0.75, 0.75, -1.0, -1.0)
_AFTER_OPENED = (-1.0, -1.0, -1.0, 1.0, -1.0)
_AFTER_OTHER = {
    _OPENING: (1.0, -1.0, -1.0, -1.0, -1.0),
    _CLOSING: (-1.0, -1.0, -1.0, -1.0, 1.0),
    '"': (0.6, -1.0, 1.0, -1.0, 0.6),
    "{": (0.9, -1.0, -1.0, -1.0, -1.0),
    "]": (0.8, -1.0, -1.0, -1.0, -1.0),
    "}": (0.8, -1.0, -1.0, -1.0, -1.0),
    ",": (0.8, -1.0, -1.0, -1.0, -1.0),
}


def _followers(token: str) -> tuple[float, float, float, float, float]:
    if token in _EVENTS:
        return _AFTER_OPENED
    if _is_word(token):
        return _AFTER_ANY_WORD
    if token[0] in _BLANKS:
        return _LAST_OF_ALL
    return _AFTER_OTHER.get(token, _NEVER)
