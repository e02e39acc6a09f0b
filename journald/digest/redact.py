"""Taking secrets out of text: each becomes `[REDACTED:kind]`.

Three passes: kinds told by their shape, values told by the name they are given, and values that
are already known to be secrets. What is taken out is counted; nothing is taken out unmarked.
"""

from __future__ import annotations

import base64
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote

from journald.digest import assignments, kinds, privatekeys
from journald.digest.assignments import Found
from journald.digest.placeholders import classes, entropy, is_placeholder, words
from journald.errors import ConfigError

# Redacting can uncover another secret, at most a few times over.
_ROUNDS = 6
# A value that short, or that plain, also occurs where it is no secret.
_LEAST_KNOWN = 7
_LEAST_KNOWN_ENTROPY = 2.5
_LEAST_ENCODED = 12
# A run of one or two characters, as in a mask.
_LEAST_CHARACTERS = 3
_MARK = re.compile(r"\[REDACTED:[\w-]{1,60}\]")
# Kinds whose value is only as secret as it looks; all others are told by their shape alone.
_JUDGED = words(
    """
    url-password curl-password mysql-password sshpass-password redis-password netrc-password
    sql-password
    bearer-token api-token basic-auth cookie
    """
)


def mark(kind: str) -> str:
    """Return what stands in the place of a secret."""
    return f"[REDACTED:{kind}]"


def _compiled(name: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ConfigError(
            f"redact.patterns.{name} is not a regular expression: {error}",
            hint="Mend it in the configuration file; the syntax is that of Python's re module.",
        ) from error


def _slug(name: str) -> str:
    return re.sub(r"[^\w-]+", "-", name)[:40] or "custom"


def _names_a_user(encoded: str) -> bool:
    """Tell `user:password` in base64 from a word that follows the word `basic`."""
    try:
        return b":" in base64.b64decode(encoded + "=" * (-len(encoded) % 4))
    except ValueError:
        return False


def _shaped(text: str, lower: str) -> Iterator[Found]:
    for kind, start, stop in kinds.find(text, lower):
        value = text[start:stop]
        if "[REDACTED:" in value or len(set(value)) <= _LEAST_CHARACTERS:
            continue
        if kind == "basic-auth" and not _names_a_user(value):
            continue
        if kind in _JUDGED and is_placeholder(value, worded=kind != "cookie"):
            continue
        yield Found(start=start, stop=stop, kind=kind)


def _disguises(value: str) -> Iterator[str]:
    """Yield `value` and the forms in which it is written inside other formats."""
    yield value
    yield json.dumps(value)[1:-1]
    yield quote(value, safe="")
    if len(value) >= _LEAST_ENCODED:
        yield base64.b64encode(value.encode(errors="replace")).decode().rstrip("=")


class Redactor:
    """Redacts text. Immutable: what it knows is fixed when it is made, so it can be shared.

    `extra` adds kinds: a name and a regular expression each (group 1, where there is one, is
    the secret). Raises ConfigError when one does not compile.
    """

    def __init__(
        self, extra: Mapping[str, str] | None = None, *, known: Mapping[str, str] | None = None
    ) -> None:
        self._extra = dict(extra or {})
        self._patterns = tuple(
            (_slug(name), _compiled(name, pattern)) for name, pattern in self._extra.items()
        )
        self._known = dict(known or {})
        forms = {form: kind for value, kind in self._known.items() for form in _disguises(value)}
        # Longest first: a secret that holds another is taken whole.
        self._forms = tuple(sorted(forms.items(), key=lambda form: (-len(form[0]), form[0])))

    def knowing(self, texts: Iterable[str]) -> Redactor:
        """Return a redactor that also knows the values assigned in `texts`.

        It takes them out wherever they stand, also where no name tells them.
        """
        known = dict(self._known)
        for text in texts:
            for found in self._told(text):
                value = text[found.start : found.stop]
                if self._is_worth_knowing(value):
                    known.setdefault(value, found.kind)
        return self if known == self._known else Redactor(self._extra, known=known)

    def clean(self, text: str) -> str:
        """Return `text` without its secrets. Idempotent."""
        return self.counted(text)[0]

    def counted(self, text: str) -> tuple[str, Mapping[str, int]]:
        """Return `text` without its secrets, and how many of each kind it held."""
        counts: Counter[str] = Counter()
        for _ in range(_ROUNDS):
            cleaned = self._once(text, counts)
            if cleaned == text:
                break
            text = cleaned
        return text, dict(counts)

    @staticmethod
    def _is_worth_knowing(value: str) -> bool:
        return (
            len(value) >= _LEAST_KNOWN
            and classes(value) > 1
            and entropy(value) >= _LEAST_KNOWN_ENTROPY
            and "\n" not in value
            and not value.replace(".", "").isdigit()
            and _MARK.search(value) is None
        )

    def _told(self, text: str) -> Iterator[Found]:
        """Yield what the text itself tells to be a secret; they may overlap."""
        lower = text.lower()
        yield from _shaped(text, lower)
        if any(gate in lower for gate in assignments.GATES):
            yield from assignments.find(text)

    def _found(self, text: str) -> list[Found]:
        found = [*self._told(text)]
        lower = text.lower()
        if any(gate in lower for gate in privatekeys.GATES):
            found += [
                Found(start=start, stop=stop, kind=privatekeys.KIND)
                for start, stop in privatekeys.find(text)
            ]
        for name, pattern in self._patterns:
            for match in pattern.finditer(text):
                start, stop = match.span(1 if match.re.groups and match[1] is not None else 0)
                if stop > start and "[REDACTED:" not in text[start:stop]:
                    found.append(Found(start=start, stop=stop, kind=name))
        local = self._known_from(text, found)
        for form, kind in (*self._forms, *local):
            position = text.find(form)
            while position >= 0:
                found.append(Found(start=position, stop=position + len(form), kind=kind))
                position = text.find(form, position + len(form))
        return found

    def _known_from(self, text: str, found: Iterable[Found]) -> tuple[tuple[str, str], ...]:
        """Return the values among `found` that are taken out elsewhere in `text` too."""
        values: dict[str, str] = {}
        for one in found:
            value = text[one.start : one.stop]
            if one.kind != privatekeys.KIND and self._is_worth_knowing(value):
                values.setdefault(value, one.kind)
        return tuple(values.items())

    def _once(self, text: str, counts: Counter[str]) -> str:
        found = sorted(self._found(text), key=lambda one: (one.start, -one.stop))
        marks = [match.span() for match in _MARK.finditer(text)] if "[REDACTED:" in text else []
        parts: list[str] = []
        done = 0
        for one in found:
            if one.start < done or any(
                one.start < stop and start < one.stop for start, stop in marks
            ):
                continue
            parts += (text[done : one.start], mark(one.kind))
            done = one.stop
            counts[one.kind] += 1
        return "".join((*parts, text[done:]))
