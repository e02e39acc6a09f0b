"""Walks over the settings tree: what each setting is called, holds and means."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta, structs

from journald.config.duration import format_duration
from journald.config.settings import Settings, Table

_NOUNS: Mapping[Any, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a text",
    NoneType: "nothing",
    timedelta: "a duration, such as 90s, 15m, 2h or 7d",
    Path: "a folder",
}
_BOUNDS = (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting, or one table of settings."""

    name: str
    annotation: Any
    """Its type, constraints included."""
    bare: Any
    """Its type without them."""
    metas: tuple[Meta, ...]

    @property
    def is_table(self) -> bool:
        """Whether it holds further settings."""
        return isinstance(self.bare, type) and issubclass(self.bare, Table)

    @property
    def description(self) -> str:
        """What it means; empty where the name says it."""
        if self.is_table:
            return str(self.bare.__doc__ or "").partition("\n")[0]
        return next((meta.description for meta in self.metas if meta.description), "")

    @property
    def choices(self) -> tuple[str, ...]:
        """The words it may be; empty where it is not a choice."""
        return get_args(self.bare) if get_origin(self.bare) is Literal else ()

    @property
    def bounds(self) -> str:
        """Its limits in words, such as `at least 1`; empty without any."""
        limits = ((word, getattr(meta, key)) for key, word in _BOUNDS for meta in self.metas)
        return ", ".join(f"{word} {limit:g}" for word, limit in limits if limit is not None)

    @property
    def wanted(self) -> str:
        """What a value has to be, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        noun = _noun(self.bare)
        return f"{noun}, {self.bounds}" if self.bounds else noun


def _noun(bare: Any) -> str:
    origin = get_origin(bare)
    if origin is dict:
        value = get_args(bare)[1]
        return "a table" if value is Any else f"a table with {_noun(value)} for each name"
    if origin is tuple:
        return f"a list, each item {_noun(get_args(bare)[0])}"
    return _NOUNS[bare]


@functools.cache
def settings_of(table: type[Table]) -> Mapping[str, Setting]:
    """Return the settings that stand directly in `table`, by name and in order."""
    hints = get_type_hints(table, include_extras=True)
    return {
        entry.encode_name: _setting(entry.encode_name, hints[entry.name])
        for entry in structs.fields(table)
    }


def _setting(name: str, annotation: Any) -> Setting:
    if get_origin(annotation) is not Annotated:
        return Setting(name=name, annotation=annotation, bare=annotation, metas=())
    bare, *extras = get_args(annotation)
    metas = tuple(extra for extra in extras if isinstance(extra, Meta))
    return Setting(name=name, annotation=annotation, bare=bare, metas=metas)


def leaf_paths(table: type[Table] = Settings, prefix: str = "") -> Iterator[str]:
    """Yield the dotted path of every setting that is not a table."""
    for name, setting in settings_of(table).items():
        if setting.is_table:
            yield from leaf_paths(setting.bare, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def plain(value: Any) -> Any:
    """Return a settings value as the file would write it: tables, lists, numbers and texts."""
    if isinstance(value, Table):
        return {name: plain(getattr(value, name)) for name in settings_of(type(value))}
    if isinstance(value, timedelta):
        return format_duration(value)
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value
