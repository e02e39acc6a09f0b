"""A model's own byte-level BPE, carried over from its tokenizer.json to tiktoken."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from tiktoken import Encoding

# What Hugging Face's ByteLevel cuts by when it uses its own expression (that of GPT-2).
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# The same after every digit was set apart, as Digits(individual_digits) does.
_GPT2_DIGITS = r"\p{N}|'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+"
# tiktoken panics, past any `except Exception`, on runs of a million blanks; a piece stays under.
_LONGEST_TEXT = 400_000
# One character of each kind that an expression could forget; tiktoken drops what it forgets.
_EVERY_KIND = (
    "aA5 \t\n\r_-'$+^\u00a0\u0301\u0660\u00b2\u2167\u4e2d\u02b0\u01c5\u200d\ue000\U0001f600\u0903"
    "\u20dd\u2028\u0378"
)
_BYTES = 256
_ASCII = 128


def _byte_alphabet() -> dict[str, int]:
    """Return the character that byte-level BPE writes for each byte, turned round."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(_BYTES) if byte not in set(visible)]
    alphabet = {chr(byte): byte for byte in visible}
    alphabet |= {chr(_BYTES + place): byte for place, byte in enumerate(hidden)}
    return alphabet


def _steps(part: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    """Return a tokenizer.json part as a list of steps, sequences unrolled."""
    if part is None:
        return []
    return list(part[key]) if part.get("type") == "Sequence" else [part]


def _composes(data: Mapping[str, Any]) -> bool:
    """Tell whether text is brought into NFC first. Raises ValueError for any other normaliser."""
    kinds = [step.get("type") for step in _steps(data.get("normalizer"), "normalizers")]
    if kinds not in ([], ["NFC"]):
        raise ValueError(f"its normaliser is {kinds}, only NFC is known")
    return bool(kinds)


def _expression(data: Mapping[str, Any]) -> str:
    """Return the expression that cuts a text into pieces. Raises ValueError."""
    steps = _steps(data.get("pre_tokenizer"), "pretokenizers")
    if not steps or steps[-1].get("type") != "ByteLevel":
        raise ValueError("its pre-tokenizer does not end in ByteLevel")
    if steps[-1].get("add_prefix_space"):
        raise ValueError("it puts a space before every text")
    own = steps[-1].get("use_regex", True)
    before = steps[:-1]
    kinds = [step.get("type") for step in before]
    if own and not before:
        return _GPT2
    if own and kinds == ["Digits"] and before[0].get("individual_digits"):
        return _GPT2_DIGITS
    if not own and kinds == ["Split"]:
        split = before[0]
        pattern = split.get("pattern", {}).get("Regex")
        if pattern and split.get("behavior") == "Isolated" and not split.get("invert"):
            return str(pattern)
    raise ValueError(f"its pre-tokenizer {[*kinds, 'ByteLevel']} is not one that is known")


def _ranks(model: Mapping[str, Any], special: Mapping[str, int]) -> dict[bytes, int]:
    """Return the rank of each token's bytes. Raises ValueError when ids are no ranks."""
    alphabet = _byte_alphabet()
    vocabulary: Mapping[str, int] = model["vocab"]
    ranks: dict[bytes, int] = {}
    for token, number in vocabulary.items():
        if token in special or any(character not in alphabet for character in token):
            continue
        ranks[bytes(alphabet[character] for character in token)] = number
    last = -1
    made = set()
    for merge in model["merges"]:
        left, right = merge.split(" ") if isinstance(merge, str) else merge
        made.add(left + right)
        number = vocabulary.get(left + right, -1)
        if number < last:
            raise ValueError(
                f"its merges are not in the order of their ids (at {left!r} {right!r})"
            )
        last = number
    # tiktoken takes a whole piece that the vocabulary holds, also where no merge leads there.
    for token in vocabulary if not model.get("ignore_merges") else ():
        if len(token) > 1 and token not in made and token not in special:
            raise ValueError(f"its vocabulary holds {token!r}, which no merge makes")
    return ranks


def _special(data: Mapping[str, Any]) -> dict[str, int]:
    """Return the added tokens. Raises ValueError for one that swallows its surroundings."""
    added = data.get("added_tokens") or []
    for token in added:
        if token.get("lstrip") or token.get("rstrip") or token.get("single_word"):
            raise ValueError(
                f"its token {token['content']!r} swallows blanks or wants a word border"
            )
    return {token["content"]: token["id"] for token in added}


def _check_model(model: Mapping[str, Any]) -> None:
    if model.get("type") != "BPE":
        raise ValueError(f"its model is {model.get('type')}, not BPE")
    for setting in ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"):
        if model.get(setting):
            raise ValueError(f"its BPE uses {setting}")


def _pieces(text: str) -> Iterator[str]:
    """Cut `text` into parts short enough for tiktoken, at a line's start where there is one."""
    start = 0
    while len(text) - start > _LONGEST_TEXT:
        stop = text.rfind("\n", start + _LONGEST_TEXT // 2, start + _LONGEST_TEXT) + 1
        stop = stop or start + _LONGEST_TEXT
        yield text[start:stop]
        start = stop
    yield text[start:]


def _check_expression(encoding: Encoding, expression: str) -> None:
    for sample in (_EVERY_KIND, *_EVERY_KIND):
        if encoding.decode_bytes(encoding.encode_ordinary(sample)) != sample.encode():
            raise ValueError(f"its expression {expression!r} forgets some characters")


def counter_from_tokenizer(tokenizer_json: bytes) -> Callable[[str], int]:
    """Return a function that counts the tokens of a text exactly as the model does.

    `tokenizer_json` is the content of a Hugging Face tokenizer.json with byte-level BPE (Qwen,
    Llama 3, SmolLM2, GPT-2). Special tokens in a text count as the single tokens that they are
    for the model; what a chat template adds is not counted. Texts over 400,000 characters are
    counted in parts, exact to one token a part. Raises ValueError, saying why, for a tokenizer
    that cannot be carried over.
    """
    from tiktoken import Encoding  # noqa: PLC0415 heavy, and only an engine needs it

    try:
        data = msgspec.json.decode(tokenizer_json)
        model = data["model"]
        _check_model(model)
        composes, expression, special = _composes(data), _expression(data), _special(data)
        ranks = _ranks(model, special)
    except (msgspec.DecodeError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"tokenizer.json cannot be read: {error!r}") from error
    # A byte that the vocabulary lacks is dropped by the model, and makes tiktoken panic: it gets
    # a token of its own, which is not counted.
    free = max((*ranks.values(), *special.values()), default=0) + 1
    missing = [byte for byte in range(_BYTES) if bytes([byte]) not in ranks]
    ranks |= {bytes([byte]): free + place for place, byte in enumerate(missing)}
    try:
        encoding = Encoding(
            "carried-over", pat_str=expression, mergeable_ranks=ranks, special_tokens=special
        )
    except ValueError as error:
        raise ValueError(f"its expression {expression!r} is not understood: {error}") from error
    _check_expression(encoding, expression)
    # All but ASCII may hold such a byte; of ASCII it is told which.
    of_ascii = "".join(re.escape(chr(byte)) for byte in missing if byte < _ASCII)
    dropped = re.compile(f"[{of_ascii}\u0080-\U0010ffff]")

    # With a token for the unknown, the model writes that one instead.
    drops = bool(missing) and model.get("unk_token") is None

    def count(text: str) -> int:
        if composes:
            text = unicodedata.normalize("NFC", text)
        total = 0
        for piece in _pieces(text):
            tokens = encoding.encode(piece, allowed_special="all")
            total += len(tokens)
            if drops and dropped.search(piece):
                total -= sum(token >= free for token in tokens)
        return total

    return count
