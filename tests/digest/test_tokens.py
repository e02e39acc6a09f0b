import time
from pathlib import Path

import pytest

from journald.digest.tokens import estimate

# Texts of several kinds with their true counts in a Qwen vocabulary (151,643 merges).
COUNTED = {
    "The quick brown fox jumps over the lazy dog.": 10,
    "def add(left, right):\n    return left + right\n": 12,
    "1234567890 2026-03-05T09:00:00Z": 31,
    "commit 3f786850e387550fdab836ed7e6dc881de23001b": 37,
    "drwxr-xr-x  2 ada ada  4096 Mar  5 09:00 src": 28,
    "-rw-r--r--  1 ada ada 12843 Mar  5 09:01 README.md": 29,
    "\u4f60\u597d\uff0c\u8bf7\u4fee\u590d\u767b\u5f55\u9875\u9762\u7684\u9519\u8bef": 7,
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u0438\u0441\u043f\u0440\u0430\u0432\u044c \u043e\u0448\u0438\u0431\u043a\u0443 \u0432 \u043a\u043e\u0434\u0435": 12,
    "\U0001f680 shipped \u2014 all green \u2713": 6,
    '{"id": 17, "name": "Ada", "tags": ["a", "b"]}': 22,
    "FAILED tests/test_login.py::test_expiry - AssertionError: 3599 != 3600": 22,
    "src/components/LoginForm.tsx | 12 ++++++------": 14,
}


@pytest.mark.parametrize(("text", "tokens"), COUNTED.items())
def test_the_estimate_is_no_less_than_the_true_count_and_not_far_over_it(
    text: str, tokens: int
) -> None:
    assert tokens <= estimate(text) <= tokens * 2.5


def test_nothing_has_no_tokens() -> None:
    assert estimate("") == 0


def test_every_digit_is_a_token() -> None:
    assert estimate("7" * 1000) >= 1000


def test_an_estimate_takes_a_fraction_of_a_second_for_a_megabyte() -> None:
    text = "def add(left, right):\n    return left + right  # 12 words\n" * 17_000
    started = time.process_time()
    estimate(text)
    assert time.process_time() - started < 2


@pytest.mark.corpus
def test_the_estimate_of_whole_transcripts_is_within_what_their_characters_allow(
    corpus: Path,
) -> None:
    for path in sorted(corpus.glob("*/*.jsonl")):
        text = path.read_text(encoding="utf-8", errors="replace")
        assert len(text) / 5 < estimate(text) < len(text) * 0.7, path
