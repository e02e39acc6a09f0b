"""The model's chat template, taken apart once, so that no text can pose as a part of it.

A template is rendered to text and that text is tokenised, so a transcript that holds
`<|im_end|>` would end the user's turn. Here the template is rendered around two stand-ins; what
stands around them becomes tokens once, and the two texts become tokens on their own, with the
names of special tokens in them read as the plain characters that they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from journald.digest.tokens import counter_from_tokenizer
from journald.errors import EngineUnavailableError

_SYSTEM = "JOURNALD-SYSTEM-STAND-IN"
_USER = "JOURNALD-USER-STAND-IN"
# First as the model was trained; then for templates without a system role, such as Gemma 2's.
_CONVERSATIONS: tuple[tuple[Mapping[str, str], ...], ...] = (
    ({"role": "system", "content": _SYSTEM}, {"role": "user", "content": _USER}),
    ({"role": "user", "content": f"{_SYSTEM}\n\n{_USER}"},),
)
_SURROGATES = re.compile("[\ud800-\udfff]")


class Chat:
    """Turns an instruction and a text into the tokens of one turn of a chat.

    `tokenizer` is a Hugging Face tokenizer with a chat template; `template` replaces its own.
    Raises EngineUnavailableError when it has none that can be used.
    """

    def __init__(self, tokenizer: Any, template: str | None = None) -> None:
        self._tokenizer = tokenizer
        before, between, after = _frame(tokenizer, template)
        self._before, self._between, self._after = map(self._structure, (before, between, after))

    def encode(self, system: str, user: str) -> list[int]:
        """Return the token ids of the whole prompt, up to where the model's answer begins."""
        return [
            *self._before,
            *self._plain(system),
            *self._between,
            *self._plain(user),
            *self._after,
        ]

    def _structure(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False)
        return ids

    def _plain(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(
            _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text),
            add_special_tokens=False,
            split_special_tokens=True,
            # Its length is judged here, not by a line in a log.
            verbose=False,
        )
        return ids


def _frame(tokenizer: Any, template: str | None) -> tuple[str, str, str]:
    """Return what the template puts before, between and after the two texts."""
    reason = "it leaves out or repeats what it is given"
    for conversation in _CONVERSATIONS:
        try:
            text = tokenizer.apply_chat_template(
                list(conversation),
                chat_template=template,
                tokenize=False,
                add_generation_prompt=True,
                # Qwen 3 would think at length first; templates that do not ask ignore it.
                enable_thinking=False,
            )
        except Exception as error:  # noqa: BLE001 - a template is a program of the model's author
            reason = str(error)
            continue
        before, found, rest = text.partition(_SYSTEM)
        between, also_found, after = rest.partition(_USER)
        if found and also_found and _SYSTEM not in rest and _USER not in after:
            return before, between, after
    raise EngineUnavailableError(
        f"the model's chat template cannot be used: {reason}",
        hint="Choose a model made for chat (`…-Instruct`, or Qwen3), or set "
        "engine.vllm.args.chat_template.",
    )


def counter_of(tokenizer: Any) -> Callable[[str], int]:
    """Return a function that counts the tokens of a text as `tokenizer` does.

    Carried over to a faster machine where the tokenizer allows it.
    """

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False, verbose=False))

    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return count
    try:
        return counter_from_tokenizer(backend.to_str().encode())
    except ValueError:
        return count
