from pathlib import Path

import yaml

from journald.config.example import example
from journald.errors import ExitCode
from tests.cli.commands import Journald


def test_show_prints_what_holds_and_where_it_comes_from(
    journald: Journald, isolated_home: Path
) -> None:
    ran = journald("config", "show")
    assert ran.code == 0
    first = ran.out.splitlines()[0]
    assert first == f"# defaults; no file at {isolated_home}/.config/journald/config.yaml"
    shown = yaml.safe_load(ran.out)
    assert shown["notes_dir"] == f"{isolated_home}/journal"
    assert shown["idle"]["after"] == "15m"


def test_what_show_prints_is_a_configuration_file(journald: Journald, tmp_path: Path) -> None:
    file = tmp_path / "shown.yaml"
    file.write_text(journald("config", "show").out + "")
    shown = journald("--config", file, "config", "show", "--json").json
    assert shown["settings"] == journald("config", "show", "--json").json["settings"]


def test_show_as_json_names_the_file(journald: Journald, tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("backlog: 48h\n")
    shown = journald("config", "show", "--json", JOURNALD_CONFIG=str(file)).json
    assert (shown["schema"], shown["file"], shown["found"]) == (1, str(file), True)
    assert shown["settings"]["backlog"] == "2d"


def test_validate_says_that_a_file_is_valid(journald: Journald, tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("backlog: 48h\n")
    ran = journald("--config", file, "config", "validate")
    assert (ran.code, ran.out) == (0, f"{file}: valid\n")
    assert journald("--config", file, "config", "validate", "--json").json["found"]


def test_validate_says_that_there_is_no_file(journald: Journald) -> None:
    ran = journald("config", "validate")
    assert ran.code == 0
    assert "not there; the defaults hold" in ran.out


def test_init_writes_the_example_once(journald: Journald, isolated_home: Path) -> None:
    file = isolated_home / ".config/journald/config.yaml"
    ran = journald("config", "init")
    assert (ran.code, ran.out) == (0, f"{file}\n")
    assert file.read_text() == example()
    file.write_text("backlog: 1d\n")
    again = journald("config", "init")
    assert again.code == ExitCode.CONFIG_INVALID
    assert "is there already" in again.err
    assert file.read_text() == "backlog: 1d\n"
    assert journald("config", "init", "--force").code == 0
    assert file.read_text() == example()


def test_init_writes_where_it_is_told_and_repairs_a_broken_file(
    journald: Journald, tmp_path: Path
) -> None:
    file = tmp_path / "deep/c.yaml"
    assert journald("--config", file, "config", "init").out == f"{file}\n"
    file.write_text("broken: [")
    assert journald("--config", file, "config", "init", "--force").code == 0
    assert file.read_text() == example()
