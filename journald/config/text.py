"""From the text of a configuration file to the settings tree; no I/O.

A file is read as YAML nodes, not as values, so that every fault can name its line and a key that
stands twice is seen. The walk follows the settings tree: what is a table there has to be one in
the file, and each leaf is converted by msgspec. All faults are collected before they are reported.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any, get_origin

import msgspec
import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from journald import paths
from journald.config.duration import parse_duration
from journald.config.faults import faulty_file
from journald.config.outline import Setting, leaf_paths, plain, settings_of
from journald.config.rules import broken_rules
from journald.config.settings import Settings, Table, defaults

_SHOWN_LIMIT = 40
_NULL = "tag:yaml.org,2002:null"
_STRING = "tag:yaml.org,2002:str"


def read_settings(text: str, source: str, environment: Mapping[str, str]) -> Settings:
    """Return the settings that `text` (YAML) asks for; what it leaves out keeps its default.

    `source` names the file in messages. Raises ConfigError with every fault of the text.
    """
    reading = _Reading(environment=environment)
    settings = reading.settings(text)
    reading.check(settings)
    if reading.problems:
        raise faulty_file(source, *reading.problems)
    return settings


class _FaultError(Exception):
    """One value that does not fit; the message says what is wanted."""


@dataclass(slots=True, kw_only=True)
class _Reading:
    environment: Mapping[str, str]
    problems: list[str] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    """Line of each setting that the file holds."""
    faulty: set[str] = field(default_factory=set)

    def settings(self, text: str) -> Settings:
        base = defaults(self.environment)
        node = self._document(text)
        if node is None or _is_null(node):
            return base
        if not isinstance(node, MappingNode):
            self.problems.append(f"line {_line(node)}: the file has to be a table of settings")
            return base
        settings: Settings = self._table(node, base, "")
        return settings

    def check(self, settings: Settings) -> None:
        """Add the rules that `settings` break to the faults.

        A rule over a setting that is faulty by itself is left out: its value is not known.
        """
        for broken in broken_rules(settings):
            if self.faulty.isdisjoint(broken.settings):
                path = broken.settings[0]
                line = self._nearest_line(path)
                where = f"{path} (line {line})" if line else path
                self.problems.append(f"{where}: {broken.problem}")

    def _nearest_line(self, path: str) -> int | None:
        while path and path not in self.lines:
            path = path.rpartition(".")[0]
        return self.lines.get(path)

    def _document(self, text: str) -> Node | None:
        try:
            node: Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
            self.problems.append(f"{where}not valid YAML: {error.problem or error.context}")
        except yaml.YAMLError as error:
            self.problems.append(f"not valid YAML: {str(error).partition(chr(10))[0]}")
        except RecursionError:
            self.problems.append("not valid YAML: nested too deeply")
        else:
            return node
        return None

    def _table(self, node: MappingNode, base: Any, prefix: str) -> Any:
        """Return `base` with what `node` sets; faults go onto the list."""
        table: type[Table] = type(base)
        known = settings_of(table)
        found: dict[str, Any] = {}
        for key, value in node.value:
            name = _text(key)
            path = f"{prefix}{name}"
            if name not in known:
                self._fault(path, key, "unknown setting" + _suggestion(name, known, prefix))
            elif path in self.lines:
                self._fault(path, key, f"stands twice, first on line {self.lines[path]}")
            else:
                self.lines[path] = _line(key)
                self._take(found, value, getattr(base, name), known[name], path)
        return msgspec.structs.replace(base, **found)

    def _take(
        self, found: dict[str, Any], node: Node, default: Any, setting: Setting, path: str
    ) -> None:
        if not isinstance(default, Table):
            try:
                found[setting.name] = self._leaf(node, setting)
            except _FaultError as fault:
                self._fault(path, node, str(fault))
        elif isinstance(node, MappingNode):
            found[setting.name] = self._table(node, default, f"{path}.")
        elif not _is_null(node):
            # A heading over nothing is what is left when all below it is commented out.
            self._fault(path, node, _table_wanted(node, default, setting.name))

    def _leaf(self, node: Node, setting: Setting) -> Any:
        if _is_null(node):
            raise _FaultError("has no value; give one or remove the line")
        if setting.bare is timedelta:
            return _duration(node)
        if setting.bare is Path:
            return self._folder(node)
        if setting.bare == tuple[Path, ...]:
            return self._folders(node)
        value = _value(node)
        _refuse_doubles(node)
        try:
            return msgspec.convert(value, setting.annotation, strict=True)
        except (msgspec.ValidationError, RecursionError) as error:
            raise _FaultError(_other_wanted(node, setting)) from error

    def _folders(self, node: Node) -> tuple[Path, ...]:
        if not isinstance(node, SequenceNode):
            raise _FaultError(f"must be a list; write [{_shown(node)}]")
        return tuple(self._folder(item) for item in node.value)

    def _folder(self, node: Node) -> Path:
        value = _value(node)
        if not isinstance(value, str) or not value or "\0" in value:
            raise _FaultError(f"must be a folder, not {_shown(node)}")
        folder = paths.expand(value, self.environment)
        if not folder.is_absolute():
            raise _FaultError(
                f"{value} depends on where journald is started; begin it with / or ~/"
            )
        return folder

    def _fault(self, path: str, node: Node, problem: str) -> None:
        self.problems.append(f"{path} (line {_line(node)}): {problem}")
        self.faulty.add(path)


def _suggestion(name: str, known: Mapping[str, Setting], prefix: str) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"; did you mean `{prefix}{near[0]}`?"
    everywhere: dict[str, list[str]] = {}
    for path in leaf_paths():
        everywhere.setdefault(path.rpartition(".")[2], []).append(path)
    elsewhere = difflib.get_close_matches(name, everywhere, n=1, cutoff=0.85)
    if elsewhere:
        return f"; did you mean `{'` or `'.join(everywhere[elsewhere[0]])}`?"
    return f"; {prefix.rstrip('.') or 'the file'} may hold {', '.join(known)}"


def _table_wanted(node: Node, default: Table, name: str) -> str:
    first = next(iter(settings_of(type(default))))
    example = plain(getattr(default, first))
    if first == "name" and isinstance(node, ScalarNode):
        example = node.value
    return f"must be a table, not {_shown(node)}; write `{name}: {{{first}: {example}}}`"


def _other_wanted(node: Node, setting: Setting) -> str:
    problem = f"must be {setting.wanted}"
    if isinstance(node, MappingNode) and get_origin(setting.bare) is dict:
        wrong = [_text(key) for key, value in node.value if value.tag != _STRING]
        return f"{problem}; look at {', '.join(wrong)}"
    problem += f", not {_shown(node)}"
    near = difflib.get_close_matches(_text(node), setting.choices, n=1)
    if near:
        return f"{problem}; did you mean `{near[0]}`?"
    if setting.bare is str and isinstance(node, ScalarNode):
        # YAML reads an unquoted no, on, 12 or 2026-01-01 as something other than a text.
        return f'{problem}; write "{node.value}"'
    return problem


def _duration(node: Node) -> timedelta:
    text = _text(node)
    try:
        return parse_duration(text)
    except ValueError as error:
        bare_number = text.isascii() and text.isdigit()
        more = f"has no unit; write {text}s" if bare_number else str(error)
        raise _FaultError(f"{_shown(node)}: {more}") from error


def _refuse_doubles(node: Node) -> None:
    """Raise _FaultError when a free table, such as `args`, holds a name twice."""
    if not isinstance(node, MappingNode):
        return
    names = [_text(key) for key, _ in node.value]
    doubles = sorted({name for name in names if names.count(name) > 1})
    if doubles:
        raise _FaultError(f"{', '.join(doubles)} stands twice")


def _value(node: Node) -> Any:
    loader = yaml.SafeLoader("")
    try:
        return loader.construct_document(node)
    except (yaml.YAMLError, ValueError, OverflowError, TypeError, RecursionError) as error:
        # A tag of another program, or a date and number that cannot be.
        raise _FaultError(f"{_shown(node)} is no value that YAML knows") from error
    finally:
        loader.dispose()


def _text(node: Node) -> str:
    return node.value if isinstance(node, ScalarNode) else _shown(node)


def _shown(node: Node) -> str:
    if isinstance(node, MappingNode):
        return "a table"
    if isinstance(node, SequenceNode):
        return "a list"
    text = str(node.value)
    return text if len(text) <= _SHOWN_LIMIT else f"{text[:_SHOWN_LIMIT]}…"


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


def _is_null(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.tag == _NULL
