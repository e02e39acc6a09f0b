"""The front matter of an entry: its keys, and how they are written as YAML.

What a person looks at stands on top, flat, in the forms that notes apps know (dates as
YYYY-MM-DD, lists of words). Everything internal stands under the one key `journald`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from typing import Any

import yaml

from journald.journal.durations import spoken
from journald.journal.entry import Entry
from journald.journal.inert import disarmed, one_line

INTERNAL = "journald"
TAGS = "tags"
SCHEMA = 1
_WIDE = 1 << 20
# What YAML 1.1 and 1.2 may disagree on, such as `12e4` or `0o17`.
_NUMBER_LIKE = re.compile(r"[-+.]?[\d.][\w.:+-]*")
_DURATION = re.compile(r"\d+[hms]")
_HASH_CHARS = 8
# The same core types that notes apps use: nothing of a file may run code.
_Loader: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Dumper(yaml.SafeDumper):
    """Writes what YAML 1.1 (PyYAML) and YAML 1.2 (notes apps) read as the same."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
        # Lists indented below their key, as notes apps write them.
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    style = '"' if _NUMBER_LIKE.fullmatch(value) and not _DURATION.fullmatch(value) else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _moment(dumper: yaml.SafeDumper, value: datetime) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:timestamp", value.isoformat(timespec="seconds")
    )


_Dumper.add_representer(str, _text)
_Dumper.add_representer(datetime, _moment)


def values(entry: Entry, redact: Callable[[str], str]) -> dict[str, Any]:
    """Return the keys of the front matter of `entry` in order; what is not known is left out."""

    def clean(text: str) -> str:
        return disarmed(one_line(redact(text)))

    usage = entry.usage
    shown: dict[str, Any] = {
        "title": clean(entry.title),
        "date": entry.day,
        "project": clean(entry.project),
        "branch": clean(entry.branch or ""),
        "started": entry.started,
        "ended": entry.ended,
        "active": spoken(entry.active) if entry.started else None,
        "active_minutes": round(entry.active / timedelta(minutes=1)) if entry.started else None,
        "models": [clean(name) for name in entry.models],
        "tokens": usage.input + usage.output + usage.cache_read + usage.cache_creation,
        "tokens_output": usage.output,
        TAGS: [clean(tag) for tag in entry.tags],
    }
    known = {key: value for key, value in shown.items() if value not in (None, "", [], 0)}
    return {**known, INTERNAL: _internal(entry, clean)}


def _internal(entry: Entry, clean: Callable[[str], str]) -> dict[str, Any]:
    scores = {name: value for name, value in asdict(entry.scores).items() if value}
    generation = entry.generation
    return {
        "schema": SCHEMA,
        "session": identity(entry.session_id),
        **({"parent": clean(entry.parent)} if entry.parent else {}),
        "source": clean(entry.source),
        "fingerprint": entry.fingerprint,
        "status": str(entry.status),
        **({"reason": clean(entry.reason)} if entry.reason else {}),
        "generation": {
            "engine": generation.engine,
            **({"model": clean(generation.model)} if generation.model else {}),
            "prompts": generation.prompts,
            "plan": generation.plan,
            **({"chunks": generation.chunks} if generation.chunks else {}),
            **({"rounds": generation.rounds} if generation.rounds else {}),
        },
        **({"scores": scores} if scores else {}),
        # In UTC, so that the later one of two is told by its text.
        "written": entry.written_at.astimezone(UTC),
    }


def identity(session_id: str) -> str:
    """Return a session id as front matter holds it: a file's name may hold anything."""
    return disarmed(one_line(session_id))


def dump(mapping: Mapping[str, Any]) -> str:
    """Return `mapping` as YAML in block style, ending with a newline; empty for no keys."""
    if not mapping:
        return ""
    text: str = yaml.dump(
        dict(mapping),
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        default_flow_style=False,
        width=_WIDE,
    )
    return text


def load(text: str) -> dict[str, Any] | None:
    """Return the keys of the front matter `text`; None when it is no YAML mapping."""
    try:
        loaded = yaml.load(text, Loader=_Loader)  # noqa: S506 - both loaders are safe ones
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        # ValueError: a date such as 2026-13-45.
        return None
    if loaded is None:
        return {}
    return loaded if isinstance(loaded, dict) else None


def record(front: Mapping[str, Any]) -> str:
    """Return on one line what was written under each key, as hashes; of tags, one for each.

    By it a refresh can tell what was written from what the user made of it.
    """
    words = (
        f"{key}={','.join(map(digest, value)) if key == TAGS else digest(value)}"
        for key, value in front.items()
    )
    return " ".join(words)


def recorded(internal: Any) -> dict[str, str]:
    """Return the hashes of a record by key; none for a front matter without one."""
    record_ = internal.get("wrote") if isinstance(internal, dict) else None
    pairs = (word.partition("=") for word in str(record_ or "").split())
    return {key: hashes for key, _, hashes in pairs}


def digest(value: Any) -> str:
    """Return a short hash of a value, the same for every way in which YAML can write it."""
    text = json.dumps(uniform(value), sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_CHARS]


def uniform(value: Any) -> Any:
    """Return `value` in the one form in which JSON can hold it; times as ISO 8601."""
    if isinstance(value, datetime):
        # `dump` writes whole seconds, so a value and what is read back of it are the same.
        return value.isoformat(timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): uniform(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [uniform(one) for one in value]
    if isinstance(value, str | int | float | bool) or value is None:
        return value
    return repr(value)
