"""Names that a transcript gives its own kinds, made fit for a place that holds no words of it.

A kind that is not known yet is named in the log, the database, the status and the entry. Its
name is whatever stands in the transcript, so only what looks like a name is repeated, and
secrets are taken out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from journald.transcript.tally import NAME_LENGTH

_LONGEST_PART = 48
_PART = re.compile(rf"(?:[\w.+?-]|\[REDACTED:[\w-]{{1,60}}\]){{1,{_LONGEST_PART}}}", re.ASCII)
NO_NAME = "(no name)"
CUT = "(cut)"


def fit_name(name: str, redact: Callable[[str], str]) -> str:
    """Return `name`, parts joined by `/`, with what is no name replaced part by part.

    A part of other signs than letters, digits and `_.+?-`, or of more than 48 of them, becomes
    `(no name)`.
    """
    parts = name.split("/")
    # The end of a name that was cut may be half of a secret.
    if len(name) >= NAME_LENGTH:
        parts[-1] = CUT
    # As a whole for secrets that hold a slash, part by part for those that end where it does.
    whole = redact("/".join(parts)).split("/")
    return "/".join(_fit_part(redact(part)) for part in whole)


def _fit_part(part: str) -> str:
    return part if part == CUT or _PART.fullmatch(part) else NO_NAME
