from pathlib import Path

import pytest

from journald import paths

HOME = {"HOME": "/home/ada"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("~", "/home/ada"),
        ("~/notes", "/home/ada/notes"),
        ("/srv/~/x", "/srv/~/x"),
        ("~other/x", "~other/x"),
        ("relative", "relative"),
    ],
)
def test_a_leading_tilde_is_the_home_folder(text: str, expected: str) -> None:
    assert paths.expand(text, HOME) == Path(expected)


def test_home_comes_from_the_password_database_without_the_variable() -> None:
    assert paths.home({}).is_absolute()
    assert paths.home({"HOME": ""}).is_absolute()


def test_the_usual_places() -> None:
    assert paths.config_file(HOME) == Path("/home/ada/.config/journald/config.yaml")
    assert paths.state_dir(HOME) == Path("/home/ada/.local/state/journald")
    assert paths.notes_dir(HOME) == Path("/home/ada/journal")
    assert paths.projects_dirs(HOME) == (Path("/home/ada/.claude/projects"),)


def test_xdg_variables_move_them() -> None:
    environment = HOME | {
        "XDG_CONFIG_HOME": "/x/config",
        "XDG_STATE_HOME": "/x/state",
        "XDG_CACHE_HOME": "/x/cache",
    }
    assert paths.config_file(environment) == Path("/x/config/journald/config.yaml")
    assert paths.state_dir(environment) == Path("/x/state/journald")


@pytest.mark.parametrize("value", ["", "relative/folder"])
def test_an_xdg_variable_that_is_empty_or_relative_counts_for_nothing(value: str) -> None:
    environment = HOME | {"XDG_STATE_HOME": value}
    assert paths.state_dir(environment) == Path("/home/ada/.local/state/journald")


def test_the_configuration_file_can_be_named() -> None:
    environment = HOME | {"JOURNALD_CONFIG": "~/j.yaml", "XDG_CONFIG_HOME": "/x"}
    assert paths.config_file(environment) == Path("/home/ada/j.yaml")


def test_claude_code_may_live_elsewhere() -> None:
    environment = HOME | {"CLAUDE_CONFIG_DIR": "~/work/claude"}
    assert paths.projects_dirs(environment) == (Path("/home/ada/work/claude/projects"),)
