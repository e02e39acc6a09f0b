"""Secrets told by the name they are given: `NAME=value`, `"name": "value"`, `--name value`.

The name must end in a word of secrecy (`DB_PASSWORD`, `apiKey`, not `max_tokens` or
`password_field`), and the value must look like one: entireio/cli#1203 lists what happens to
transcripts where either is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from journald.digest.placeholders import classes, entropy, is_placeholder, words

GATES = tuple(sorted(words("pass pwd secret token key credential auth cookie dsn salt pin")))

_LOOK_BACK = 64
_NAME_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.$-"
_MARK_BEFORE = re.compile(r"\[REDACTED:[\w-]{0,60}\Z")
# Quotes may be escaped, once or more, as in JSON within JSON.
_QUOTE = r"\\{0,3}[\"'`]"
_VALUE = (
    rf"(?:(?P<quote>{_QUOTE})(?P<quoted>(?:(?!(?P=quote))[^\n]){{1,1024}})(?P=quote)"
    r"|(?P<bare>[^\s\"'`,;&|<>(){}\[\]\\]{1,1024}))"
)
# A closing quote or bracket, the sign, and what marks a string in some languages (`b"`, `r'`).
_SEPARATOR = (
    rf"(?P<separator>(?:{_QUOTE}|\])?\]?[ \t]{{0,8}}(?::?=(?!=)>?|:(?!:)|=>)[ \t]{{0,8}}"
    r"(?:[a-z]{1,2}(?=[\"']))?)"
)
_ASSIGNMENT = re.compile(
    r"(?P<word>pass(?:word|wd|phrase|code)?|pwd|secret|token|key|credentials?|auth|cookie|dsn|salt"
    rf"|pin)(?P<tail>[A-Za-z0-9_-]{{0,40}}+){_SEPARATOR}{_VALUE}",
    re.IGNORECASE,
)
_OPTION = re.compile(
    r"(?<![\w-])--?(?P<name>(?:[A-Za-z][A-Za-z-]{0,30}?)?"
    r"(?:pass(?:word|wd|phrase)?|secret|token|key|credentials?))"
    rf"(?P<separator>[ \t]{{1,4}}){_VALUE}",
    re.IGNORECASE,
)
_ELEMENT = re.compile(
    r"<(?P<name>[\w.:-]{0,30}(?:password|passwd|secret|token|key))>(?P<quoted>[^<>\n]{4,1024})</",
    re.IGNORECASE,
)
# `<add key="ApiKey" value="…"/>`, `name: DB_PASSWORD, value: …`, `{"name": "TOKEN", "value": "…"}`
_PAIR = re.compile(
    r"\b[kKnN](?:ey|ame)[\"']?\s{0,4}[:=]\s{0,4}[\"']?(?P<name>[A-Za-z][\w.:-]{2,60})[\"']?"
    r"\s{0,8},?\s{0,40}(?:-\s)?[\"']?[vV]alue[\"']?\s{0,4}[:=]\s{0,4}"
    rf"{_VALUE}"
)
# `define('DB_PASSWORD', 'value')`, `setx API_TOKEN value`, `aws configure set NAME value`
_ARGUMENTS = re.compile(
    rf"{_QUOTE}(?P<name>[A-Z][A-Z0-9]*_[A-Z0-9_]{{2,60}}){_QUOTE}\s{{0,4}},\s{{0,4}}(?={_QUOTE}){_VALUE}"
)
_SETTING = re.compile(rf"\bsetx?[ \t]{{1,4}}(?P<name>[A-Za-z][\w.:-]{{3,60}}+)[ \t]{{1,4}}{_VALUE}")
_PROSE = re.compile(
    r"\b(?P<name>pass(?:word|phrase|code)|api[ -]?key|token|secret)"
    r"(?:\s{1,3}(?:is|was|to|=)|\s{0,3}:)\s{1,3}"
    r"(?P<quote>[\"'`]?)(?P<quoted>[^\s\"'`,;()<>\[\]]{6,200})(?P=quote)",
    re.IGNORECASE,
)

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_PASSWORD_WORDS = frozenset(("pass", "password", "passwd", "passphrase", "passcode", "pwd", "pin"))
_SECRET_WORDS = words(
    """
    secret token credential credentials apikey authtoken secretkey accesskey dsn salt cookie
    apitoken accesstoken
    """
)
_KEY_OWNERS = words(
    """api access secret private auth encryption signing master account storage service admin anon
    app application client license session shared ssh webhook role deploy deployment subscription
    ingest integration write read server project functions host jwt hmac crypto cipher aes rsa
    decryption recovery root backup database db user consumer developer merchant payment gpg pgp
    openai anthropic gemini google azure aws gcp stripe twilio sendgrid mailgun algolia datadog dd
    sentry maps search cohere mistral groq huggingface hf pinecone tavily serper brave exa
    firecrawl deepseek openrouter elevenlabs replicate weather news etherscan infura alchemy
    newrelic"""
)
# Words that may follow the word of secrecy without changing what it is.
_TRAILERS = words(
    """value base64 b64 hex raw plain plaintext prod production dev development test testing staging
    stage live local old new current previous next primary secondary main backup default admin user
    root db database string str text env key data"""
)
_NOT_NAMES = words(
    """public primary foreign cache sort partition idempotency translation i18n react object dict
    map query storage_key lookup hash index row column composite unique natural surrogate press
    pressed shortcut hot arrow enter escape tab host_key known keyboard"""
)
_BARE_CODE = re.compile(
    r"[A-Za-z_][A-Za-z_]*(?:(?:\.|::|->|\?\.)[A-Za-z_][A-Za-z0-9_]*)+[!;?]?|[a-z]+(?:[A-Z][a-z]+)+[!;?]?|[A-Z][a-z]+(?:[A-Z][a-z]+)*[!;?]?"
)
_SHELL_NAME = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_PATH = re.compile(
    r"(?:~|\.{1,2})?/(?:[\w.@%+-]+/)*[\w.@%+-]*\Z|[\w.-]+(?:/[\w.-]+)+\.\w{1,5}\Z|[A-Za-z]:\\"
)
_NUMBER = re.compile(r"[-+]?[\d.,_]+(?:[eE][-+]?\d+)?[a-z%]{0,3}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A secret in a text: where it stands, and of what kind it is."""

    start: int
    stop: int
    kind: str


def family(name: str) -> str | None:
    """Return `password`, `secret` or `api-key` for a name that says so, else None."""
    parts = [word.lower() for word in _WORDS.findall(name)]
    while len(parts) > 1 and (parts[-1] in _TRAILERS or parts[-1].isdigit()):
        if parts[-1] == "key" and parts[-2] not in {"secret", "pass", "password", "passwd"}:
            break
        parts.pop()
    if not parts:
        return None
    last = parts[-1]
    if last in _PASSWORD_WORDS or last.endswith(("password", "passwd", "passphrase")):
        return None if last == "pin" and len(parts) == 1 else "password"
    if last in _SECRET_WORDS or last.endswith(("secret", "token", "apikey")):
        return "secret"
    if last == "auth":
        return (
            "secret" if len(parts) == 1 or parts[-2] in {"", "npm", "registry", "basic"} else None
        )
    if last == "key" and len(parts) > 1 and parts[-2] not in _NOT_NAMES:
        return "api-key" if parts[-2] in _KEY_OWNERS or name.isupper() else None
    return None


def _is_password(value: str, *, shell: bool, quoted: bool) -> bool:
    if shell:
        return len(value) >= 4  # noqa: PLR2004 shorter ones are flags
    if len(value) < 6 or " " in value:  # noqa: PLR2004 shorter ones and sentences are labels
        return False
    if value.isalpha():
        mixed = not (value.islower() or value.isupper() or value.istitle())
        return mixed or (quoted and len(value) >= 8 and entropy(value) >= 2.75 and value.islower())  # noqa: PLR2004 measured
    return quoted or classes(value) >= 2  # noqa: PLR2004 one class is a word


def _is_token(value: str, *, shell: bool) -> bool:
    if len(value) < 8 or " " in value:  # noqa: PLR2004 shorter ones are words
        return False
    digits = sum(character.isdigit() for character in value)
    letters = sum(character.isalpha() for character in value)
    if letters and digits >= 2:  # noqa: PLR2004 one digit is a version
        return entropy(value) >= 2.5  # noqa: PLR2004 measured
    if shell:
        return entropy(value) >= 2.5  # noqa: PLR2004 measured
    return len(value) >= 20 and classes(value) >= 2 and entropy(value) >= 3.5 and not _wordy(value)  # noqa: PLR2004 measured


def _wordy(value: str) -> bool:
    """Tell names made of words from random letters: their parts are long and few."""
    parts = [part for part in re.split(r"[^A-Za-z]+", value) if part]
    humps = [hump for part in parts for hump in _WORDS.findall(part)]
    return bool(humps) and len(value) / len(humps) >= 4  # noqa: PLR2004 random text changes case more often


def _is_verdict(name: str, value: str) -> bool:
    """Tell what test runners print, `PASS: TestName`, from a password."""
    return name.lower() == "pass" and not any(character.isdigit() for character in value)


def is_secret(name: str, value: str, *, quoted: bool, sign: str = "") -> str | None:
    """Return the kind of secret that `value` is when `name` holds it; None when it is none.

    `sign` is what stands between the two.
    """
    kind = family(name)
    # As in a shell or a .env file, where whatever follows is the value.
    shell = _SHELL_NAME.match(name) is not None and sign == "="
    if kind is None or is_placeholder(value, worded=not shell) or _PATH.match(value):
        return None
    if not quoted and not shell and (_BARE_CODE.fullmatch(value) or _is_verdict(name, value)):
        return None
    if _NUMBER.match(value) and not (kind == "password" and (shell or len(value) >= 6)):  # noqa: PLR2004 a PIN
        return None
    if kind == "password":
        return kind if _is_password(value, shell=shell, quoted=quoted) else None
    return kind if _is_token(value, shell=shell) else None


def _judge(text: str, match: re.Match[str], name: str) -> Found | None:
    groups = match.groupdict()
    group = "quoted" if groups.get("quoted") is not None else "bare"
    start, stop = match.span(group)
    quoted = group == "quoted"
    if not quoted:
        # A trailing full stop belongs to the sentence, an opening bracket makes it a call.
        while stop > start and text[stop - 1] in ".!?:":
            stop -= 1
        if text[stop : stop + 1] in {"(", "[", "{"}:
            return None
    sign = groups.get("separator") or ""
    kind = is_secret(name, text[start:stop], quoted=quoted, sign=sign)
    return Found(start=start, stop=stop, kind=kind) if kind else None


def _named(text: str, match: re.Match[str]) -> str | None:
    start = match.start()
    before = text[max(0, start - _LOOK_BACK) : start]
    if _MARK_BEFORE.search(before):
        return None
    prefix = before[len(before.rstrip(_NAME_CHARACTERS)) :]
    return prefix + match["word"] + match["tail"]


def _assignments(text: str) -> Iterator[Found]:
    position = 0
    while match := _ASSIGNMENT.search(text, position):
        # The value may hold an assignment of its own.
        position = match.end("separator")
        name = _named(text, match)
        found = _judge(text, match, name) if name else None
        if found:
            position = found.stop
            yield found


def find(text: str) -> Iterator[Found]:
    """Yield the secrets that `text` assigns to a name; they may overlap."""
    yield from _assignments(text)
    for pattern in (_OPTION, _ELEMENT, _PAIR, _ARGUMENTS, _SETTING):
        for match in pattern.finditer(text):
            found = _judge(text, match, match["name"])
            if found:
                yield found
    for match in _PROSE.finditer(text):
        value = match["quoted"].rstrip(".!?:")
        if classes(value) >= 2 and any(map(str.isdigit, value)):  # noqa: PLR2004 prose has one class
            kind = is_secret(match["name"], value, quoted=True)
            if kind:
                start = match.start("quoted")
                yield Found(start=start, stop=start + len(value), kind=kind)
