"""A vocabulary is made by hand here; the same file is read by the model's own tokenizer."""

import json
import unicodedata
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.digest.bpe import counter_from_tokenizer

QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SPECIAL = ("<|im_start|>", "<|im_end|>", "<think>")


def _alphabet() -> dict[int, str]:
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {byte: chr(byte) for byte in visible}
    hidden = [byte for byte in range(256) if byte not in letters]
    return letters | {byte: chr(256 + place) for place, byte in enumerate(hidden)}


def _split(expression: str) -> dict[str, Any]:
    return {
        "type": "Sequence",
        "pretokenizers": [
            {
                "type": "Split",
                "pattern": {"Regex": expression},
                "behavior": "Isolated",
                "invert": False,
            },
            {
                "type": "ByteLevel",
                "add_prefix_space": False,
                "trim_offsets": False,
                "use_regex": False,
            },
        ],
    }


BYTE_LEVEL = {
    "type": "ByteLevel",
    "add_prefix_space": False,
    "trim_offsets": True,
    "use_regex": True,
}
DIGITS = {
    "type": "Sequence",
    "pretokenizers": [{"type": "Digits", "individual_digits": True}, BYTE_LEVEL],
}


# A few words as often as stated, in the pieces that every expression here cuts.
CORPUS = {
    "the": 9,
    " the": 20,
    " token": 7,
    "token": 4,
    " don": 3,
    "ing": 6,
    "\n\n": 8,
    "  ": 9,
    "é": 5,
    "!!": 4,
}


def _trained(letters: dict[int, str]) -> list[list[str]]:
    """Return the merges that training a BPE on `CORPUS` gives: the most frequent pair first."""
    words = {word: [letters[byte] for byte in word.encode()] for word in CORPUS}
    merges: list[list[str]] = []
    while pairs := Counter(
        pair
        for word, parts in words.items()
        for pair in pairwise(parts)
        for _ in range(CORPUS[word])
    ):
        left, right = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append([left, right])
        for parts in words.values():
            place = 0
            while place < len(parts) - 1:
                if parts[place : place + 2] == [left, right]:
                    parts[place : place + 2] = [left + right]
                place += 1
    return merges


def tokenizer(
    pre_tokenizer: dict[str, Any] | None = None,
    *,
    normalizer: dict[str, Any] | None = None,
    without: bytes = b"",
    **model: Any,
) -> dict[str, Any]:
    """Return a tokenizer.json that was trained on `CORPUS`."""
    alphabet = _alphabet()
    vocabulary = {alphabet[byte]: byte for byte in range(256) if byte not in without}
    merges = _trained(alphabet)
    vocabulary |= {left + right: 256 + place for place, (left, right) in enumerate(merges)}
    added = [
        {
            "id": 1000 + place,
            "content": content,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": True,
        }
        for place, content in enumerate(SPECIAL)
    ]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added,
        "normalizer": normalizer,
        "pre_tokenizer": _split(QWEN) if pre_tokenizer is None else pre_tokenizer,
        "post_processor": None,
        "decoder": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": False,
            "use_regex": False,
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "",
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": merges,
            **model,
        },
    }


def counter(data: dict[str, Any]) -> Callable[[str], int]:
    return counter_from_tokenizer(json.dumps(data).encode())


def test_merged_words_are_single_tokens_and_the_rest_are_bytes() -> None:
    count = counter(tokenizer())
    assert count("the token") == 2
    assert count("xyz") == 3
    assert count("") == 0


def test_each_digit_is_a_token_where_the_expression_says_so() -> None:
    assert counter(tokenizer())("12345") == 5


def test_special_tokens_count_as_the_model_counts_them() -> None:
    count = counter(tokenizer())
    assert count("<|im_start|>the<|im_end|><think>") == 4


def test_text_is_composed_when_the_normaliser_says_so() -> None:
    decomposed = unicodedata.normalize("NFD", "é")
    assert counter(tokenizer())(decomposed) == 3
    assert counter(tokenizer(normalizer={"type": "NFC"}))(decomposed) == 1


def test_merges_written_as_text_are_read_too() -> None:
    data = tokenizer()
    data["model"]["merges"] = [" ".join(merge) for merge in data["model"]["merges"]]
    assert counter(data)("the token") == 2


def test_a_lone_surrogate_is_counted_and_breaks_nothing() -> None:
    assert counter(tokenizer())("a\ud83db") >= 3


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\u00a0"])
def test_a_million_blanks_are_counted(blank: str) -> None:
    assert counter(tokenizer())(blank * 1_200_000) > 100_000


def test_a_long_text_counts_like_its_lines() -> None:
    count = counter(tokenizer())
    line = "the token 12 the\n"
    assert count(line * 60_000) == count(line) * 60_000


def test_bytes_that_the_vocabulary_lacks_are_not_counted() -> None:
    count = counter(tokenizer(BYTE_LEVEL, without=b"\x04\xc0q"))
    assert count("a\x04b") == 2
    assert count("qqq") == 0


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"model": {"type": "Unigram", "vocab": []}}, "Unigram, not BPE"),
        ({"normalizer": {"type": "Lowercase"}}, "normaliser"),
        ({"pre_tokenizer": None}, "does not end in ByteLevel"),
        ({"pre_tokenizer": {"type": "Metaspace"}}, "does not end in ByteLevel"),
        ({"pre_tokenizer": {**BYTE_LEVEL, "add_prefix_space": True}}, "space before"),
        (
            {
                "pre_tokenizer": {
                    "type": "Sequence",
                    "pretokenizers": [{"type": "Punctuation"}, BYTE_LEVEL],
                }
            },
            "not one that is known",
        ),
        ({"pre_tokenizer": _split(r"\p{L}+|\s+")}, "forgets some characters"),
        ({"pre_tokenizer": _split("(")}, "expression"),
        ({"added_tokens": [{"content": "<x>", "id": 1000, "lstrip": True}]}, "swallows"),
        ({"model": None}, "cannot be read"),
    ],
)
def test_a_tokenizer_that_cannot_be_carried_over_says_why(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        counter(tokenizer() | change)


@pytest.mark.parametrize("setting", ["dropout", "byte_fallback", "end_of_word_suffix"])
def test_a_bpe_of_another_sort_is_refused(setting: str) -> None:
    more: dict[str, Any] = {setting: "x"}
    with pytest.raises(ValueError, match=setting):
        counter(tokenizer(**more))


def test_merges_out_of_the_order_of_their_ids_are_refused() -> None:
    data = tokenizer()
    data["model"]["merges"].reverse()
    with pytest.raises(ValueError, match="order of their ids"):
        counter(data)


def test_a_token_that_no_merge_makes_is_refused() -> None:
    data = tokenizer()
    data["model"]["vocab"]["whole"] = 900
    with pytest.raises(ValueError, match="no merge makes"):
        counter(data)
    data["model"]["ignore_merges"] = True
    assert counter(data)("whole") == 1


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        counter_from_tokenizer(b"{")


@pytest.mark.parametrize(
    "data",
    [
        tokenizer(),
        tokenizer(normalizer={"type": "NFC"}),
        tokenizer(BYTE_LEVEL),
        tokenizer(DIGITS),
        tokenizer(DIGITS, without=b"\x04\xc0"),
    ],
    ids=["split", "split and NFC", "byte level", "digits", "digits and bytes that lack"],
)
@settings(max_examples=60, deadline=None)
@given(
    text=st.lists(
        st.one_of(
            st.text(max_size=8),
            st.sampled_from(
                [
                    "the",
                    " the",
                    " token",
                    "  ",
                    "   ",
                    " 12",
                    "12 ",
                    "\n\n",
                    "!!",
                    "don't",
                    "\t",
                    "a\x04b",
                    *SPECIAL,
                ]
            ),
        ),
        max_size=12,
    ).map("".join)
)
def test_counts_are_those_of_the_models_own_tokenizer(data: dict[str, Any], text: str) -> None:
    tokenizers = pytest.importorskip(
        "tokenizers", reason="the model's own tokenizer comes with an engine, not with journald"
    )
    theirs = tokenizers.Tokenizer.from_str(json.dumps(data))
    expected = len(theirs.encode(text, add_special_tokens=False).ids)
    assert counter(data)(text) == expected
