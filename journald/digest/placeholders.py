"""Telling a secret's value from what merely stands where one would."""

from __future__ import annotations

import math
import re
from collections import Counter


def words(text: str) -> frozenset[str]:
    """Return the words of `text`."""
    return frozenset(text.split())


# References to a value kept elsewhere, and the marks of a template.
_REFERENCE = re.compile(
    r"\$[{(]|\$[A-Za-z_]\w*\Z|\$\d|%[A-Za-z_]\w*%|%\(|[#$@]?\{|<|\[REDACTED"
    r"|(?:vault|ssm|arn|file|env):|op://|!(?:secret|vault|ref|sub|env)\b"
    r"|(?:process\.env|os\.environ|os\.getenv|getenv|import\.meta|env|ENV|secrets|config|settings"
    r"|self|this|var|local|data|module|args|options|opts|props|params|request|req|res|ctx|context"
    r"|event|body|user|app|state|input|values|Values|credentials|Deno|Bun|System|std)"
    r"(?:[.\[(]|::|\?\.)",
)
_WORDS_OF_TEMPLATES = re.compile(
    r"your|example|change[-_ ]?me|replace|placeholder|insert|dummy|redact|mask|hidden|fake|sample"
    r"|to-?do|fixme|foobar|lorem|not[-_ ]?set|goes[-_ ]?here|\bhere\b|xxx|\.\.\.|\u2026|\*{3}"
    r"|\u2022{3}|<[A-Za-z_ -]+>",
    re.IGNORECASE,
)
# What is written where a value is not known, a type, or a word of the trade.
_COMMON = words(
    """
    true false none null nil undefined void any string str bytes number int integer bool boolean
    object optional required unknown never secret secrets token tokens password passwords passwd
    passphrase pass key keys value values text hidden default empty test testing tests prod dev
    development production staging local localhost user username admin root basic bearer oauth
    oauth2 auth jwt hmac hash hashed encrypted plain plaintext raw base64 hex uuid header cookie
    session query body param params env file path url uri name id type field column input output
    return async await function const let var new class self this login logout signin signup
    register reset forgot confirm verify valid invalid missing expired yes no on off disabled
    enabled read write admin owner public private internal external readonly inherit
    """
)
_SECRET_WORDS = re.compile(
    r"(?:[a-z]{0,20}[-_. ])*[a-z]{0,20}"
    r"(?:password|passwd|secret|token|apikey|api[-_]key|credential)s?"
    r"(?:[-_. ][a-z]{0,20})*",
    re.IGNORECASE,
)
_LONGEST_WORDS = 80


def entropy(value: str) -> float:
    """Return the Shannon entropy of `value` in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def classes(value: str) -> int:
    """Count the classes of characters in `value`: lower, upper, digits, others."""
    return sum(
        (
            any(character.islower() for character in value),
            any(character.isupper() for character in value),
            any(character.isdigit() for character in value),
            any(not character.isalnum() for character in value),
        )
    )


def is_placeholder(value: str, *, worded: bool = True) -> bool:
    """Tell whether `value` refers to a secret, names one or stands in for one.

    `worded=False` lets words such as `supersecretpassword` count as a value.
    """
    if not value or len(set(value)) <= min(3, len(value) // 3):
        return True
    if value.lower() in _COMMON or _REFERENCE.match(value):
        return True
    if _WORDS_OF_TEMPLATES.search(value):
        return True
    return worded and len(value) <= _LONGEST_WORDS and _SECRET_WORDS.fullmatch(value) is not None
