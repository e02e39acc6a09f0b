"""Settings written as YAML: the example file, and what holds at the moment."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import yaml

from journald.config.outline import Setting, plain, settings_of
from journald.config.settings import Settings, Table, defaults

_WIDTH = 88
_HEAD = """\
# The settings of journald, each with its default. Everything works without this file.
#
# To change one, take away the `#` in front of its name. Durations read 90s, 15m, 2h, 7d;
# a folder begins with / or ~/. A name that is not listed here is an error.
# `journald config validate` checks the file, `journald config show` tells what holds.
"""


def example() -> str:
    """Return a configuration file with every setting described and commented out."""
    # With `~` for a home the defaults read the same on every machine.
    tree = defaults({"HOME": "~"})
    return _HEAD + "".join(_table(tree, ""))


def as_yaml(settings: Settings) -> str:
    """Return `settings` as YAML that reads back as the same settings."""
    text: str = yaml.safe_dump(plain(settings), sort_keys=False, allow_unicode=True, width=_WIDTH)
    return text


def _table(table: Table, indent: str) -> Iterator[str]:
    for name, setting in settings_of(type(table)).items():
        value = getattr(table, name)
        if not indent or setting.is_table:
            yield "\n"
        yield from _comment(setting, indent)
        if isinstance(value, Table):
            # Headings stand open, so that one line can be taken into use by itself.
            yield f"{indent}{name}:\n"
            yield from _table(value, f"{indent}  ")
        else:
            yield f"{indent}#{name}: {_inline(plain(value))}\n"


def _comment(setting: Setting, indent: str) -> Iterator[str]:
    more = "one of " + ", ".join(setting.choices) if setting.choices else setting.bounds
    if more == "at least 0":
        more = ""  # goes without saying
    text = "; ".join(part for part in (setting.description, more) if part)
    for line in textwrap.wrap(text, _WIDTH - len(indent)):
        yield f"{indent}# {line}\n"


def _inline(value: Any) -> str:
    text: str = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
    return text.removesuffix("...\n").strip()


if __name__ == "__main__":
    sys.stdout.write(example())
