r"""Private keys in PEM and like armour, whole or cut off at either end.

The armour may carry line numbers, diff signs, indentation, or `\n` escaped as in JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

KIND = "private-key"
GATES = (
    "private key",
    "b3blbnnzac1rzxktdj",
    "ls0tls1crudjti",
    "miie",
    "miic",
    "miij",
    "migha",
    "mhcc",
)

_LABEL = r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?"
_BEGIN = re.compile(rf"-----BEGIN {_LABEL}-----")
_END = re.compile(rf"-----END {_LABEL}-----")
_REACH = 20_000
# What may stand between the two marks when the second is missing: base64, header lines of
# encrypted keys, line numbers, escapes.
_BODY = re.compile(r"(?:[A-Za-z0-9+/=\\\s\"',|\u2192>]|[-:](?!----))*")
_BODY_LINE = re.compile(r"[\s\d\u2192|:>+\"'-]*(?:[A-Za-z0-9+/]{16,}={0,2})(?:\\n)?[\"',+\s]*\Z")
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="
# Base64 of `openssh-key-v1`, of a DER private key, and of the armour itself.
_BARE = re.compile(
    r"(?<![A-Za-z0-9+/])(?:b3BlbnNzaC1rZXktdj|LS0tLS1CRUdJTi[AB](?:QUklWQVRF|SU0EgUFJJVkFUR|FQyBQUklWQVRF|PUEVOU1NI|FTkNSWVBURU|EU0EgUFJJVkFUR|QR1AgUFJJVkFUR)"
    r"|MII[EJC][A-Za-z0-9+/]{2,5}(?:IBADANBgkqhkiG9w0BAQ|IBAAKC)|MIGHAgEAMBMGByqGSM49|MHcCAQEEI)"
    r"[A-Za-z0-9+/=\s\\]{16,20000}"
)


def _whole_and_headed(text: str) -> Iterator[tuple[int, int]]:
    position = 0
    while begin := _BEGIN.search(text, position):
        following = _BEGIN.search(text, begin.end(), begin.end() + _REACH)
        limit = following.start() if following else begin.end() + _REACH
        end = _END.search(text, begin.end(), limit)
        if end:
            position = end.end()
        else:
            body = _BODY.match(text, begin.end(), limit)
            position = begin.end() + len(body[0].rstrip()) if body else begin.end()
        # The name of the mark alone, as code that looks for it has it, is no key.
        if position > begin.end() + (0 if end else 16):
            yield begin.start(), position


def _start_of_body(text: str, stop: int) -> int:
    """Return where the base64 lines that end at `stop` begin; `stop` if there are none."""
    floor = max(0, stop - _REACH)
    start = stop
    while start > floor:
        line_start = text.rfind("\n", floor, start - 1) + 1 or floor
        line = text[line_start:start]
        if line.strip() and not _BODY_LINE.match(line):
            # Escaped line ends keep a whole key on one line.
            return line_start + len(line.rstrip(_BASE64 + "\\")) if start == stop else start
        start = line_start
    return start


def find(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of the private keys in `text`."""
    yield from _whole_and_headed(text)
    for end in _END.finditer(text):
        # An END with no BEGIN: the text begins within a key.
        if not any(
            text.find(mark, max(0, end.start() - _REACH), end.start()) >= 0
            for mark in ("-----BEGIN",)
        ):
            start = _start_of_body(text, end.start())
            if end.start() - start >= 16:  # noqa: PLR2004 less is no key material
                yield start, end.end()
    for match in _BARE.finditer(text):
        yield match.start(), match.start() + len(match[0].rstrip())
