"""An answer judged as a whole: echo of the prompt, going in circles, another script."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from journald.engine.base import Completion, Prompt
from journald.summary import prompts
from journald.summary.schema import AnswerError, AnswerFault, Shape, decode

# So many words in a row that are the prompt's own are no chance.
_ECHO_WORDS = 10
_CIRCLE_WORDS = 60
_CIRCLE_SHARE = 0.35
_CIRCLE_STATEMENTS = 6
_FOREIGN_SHARE = 0.3
_NATIVE_SHARE = 0.005
_LETTERS_LEAST = 40
_SCRIPTS = (
    "LATIN", "CYRILLIC", "GREEK", "ARABIC", "HEBREW", "DEVANAGARI", "THAI", "HANGUL", "CJK",
    "HIRAGANA", "KATAKANA",
)  # fmt: skip


def read(
    completion: Completion, shape: type[Shape], prompt: Prompt, *, may_be_empty: bool = False
) -> Shape:
    """Read an answer and judge it as a whole. Raises AnswerError."""
    found = decode(completion.text, shape, cut_off=completion.finish == "length")
    texts = [text for text in _texts(msgspec.to_builtins(found)) if text.strip()]
    empty = found.empty
    if empty and may_be_empty:
        return found
    if empty or not texts:
        raise AnswerError(AnswerFault.EMPTY)
    if _echoes(texts):
        raise AnswerError(AnswerFault.ECHO)
    if _in_circles(texts):
        raise AnswerError(AnswerFault.REPETITION)
    if _foreign(" ".join(texts), prompt.user):
        raise AnswerError(AnswerFault.LANGUAGE)
    return found


def _texts(value: object) -> Iterator[str]:
    """Yield what is said, without ids and verdicts."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key not in {"evidence", "solved"}:
                yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _grams(words: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(size)), strict=False)


def _words(text: str) -> list[str]:
    return "".join(char if char.isalnum() else " " for char in text.casefold()).split()


def _system_grams() -> frozenset[tuple[str, ...]]:
    return frozenset(
        gram for system in prompts.SYSTEMS for gram in _grams(_words(system), _ECHO_WORDS)
    )


_PROMPT_GRAMS = _system_grams()


def _echoes(texts: Sequence[str]) -> bool:
    return any(
        gram in _PROMPT_GRAMS for text in texts for gram in _grams(_words(text), _ECHO_WORDS)
    )


def _in_circles(texts: Sequence[str]) -> bool:
    """Whether most statements, or most runs of four words, are repetitions."""
    said = Counter(" ".join(_words(text)) for text in texts)
    if len(texts) >= _CIRCLE_STATEMENTS and len(said) < len(texts) / 2:
        return True
    words = [word for text in said for word in text.split()]
    grams = [*_grams(words, 4)]
    return len(words) >= _CIRCLE_WORDS and len(set(grams)) < len(grams) * _CIRCLE_SHARE


def _foreign(text: str, given: str) -> bool:
    """Whether much of `text` is in a script that what was given hardly uses."""
    here, there = _scripts(text), _scripts(given)
    letters = sum(here.values())
    if letters < _LETTERS_LEAST:
        return False
    return any(
        number > letters * _FOREIGN_SHARE and there[script] <= sum(there.values()) * _NATIVE_SHARE
        for script, number in here.items()
    )


def _scripts(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for char, number in Counter(text).items():
        if char.isalpha():
            name = unicodedata.name(char, "")
            found[next((script for script in _SCRIPTS if name.startswith(script)), "other")] += (
                number
            )
    return found
