"""config.example.yaml, and settings written as YAML."""

import re
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest

from journald import config
from journald.config.example import as_yaml, example
from journald.config.outline import leaf_paths, settings_of
from journald.config.text import read_settings

ENVIRONMENT = {"HOME": "/home/ada"}
FILE = Path(__file__).parents[2] / "config.example.yaml"
# Commented-out settings have no space after the `#`, comments have one.
SETTING = re.compile(r"^( *)#(\w+:)", re.MULTILINE)


def read(text: str) -> config.Settings:
    return read_settings(text, "example", ENVIRONMENT)


def test_the_file_in_the_repository_is_made_from_the_tree() -> None:
    assert FILE.read_text() == example(), (
        "run: python -m journald.config.example > config.example.yaml"
    )


def test_the_example_as_it_is_changes_nothing() -> None:
    assert read(example()) == config.defaults(ENVIRONMENT)


def test_the_example_uncommented_says_the_defaults() -> None:
    assert read(SETTING.sub(r"\1\2", example())) == config.defaults(ENVIRONMENT)


def test_the_example_holds_every_setting_once() -> None:
    names = [name for _, name in SETTING.findall(example())]
    assert sorted(names) == sorted(path.rpartition(".")[2] + ":" for path in leaf_paths())


@pytest.mark.parametrize("found", [*SETTING.finditer(example())], ids=lambda found: found[2])
def test_any_one_line_can_be_taken_into_use_by_itself(found: re.Match[str]) -> None:
    text = found.string
    hash_at = found.end(1)
    assert read(text[:hash_at] + text[hash_at + 1 :]) == config.defaults(ENVIRONMENT)


@pytest.mark.parametrize("path", [*leaf_paths()])
def test_every_setting_is_described(path: str) -> None:
    table: type[config.Table] = config.Settings
    *tables, name = path.split(".")
    for part in tables:
        setting = settings_of(table)[part]
        assert setting.description
        table = setting.bare
    assert settings_of(table)[name].description


def test_settings_written_as_yaml_read_back_the_same() -> None:
    changed = msgspec.structs.replace(
        config.defaults(ENVIRONMENT),
        notes_dir=Path("/home/ada/Über: notes #1"),
        backlog=timedelta(days=1, seconds=5),
        redact=config.Redact(patterns={"no": r"a\d+: 'x'"}),
        journal=config.Journal(tags=()),
    )
    assert read(as_yaml(changed)) == changed
