"""The command line's promises: help, errors, exit codes, start-up."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from journald import __version__
from journald.cli import main, output
from journald.errors import (
    AlreadyRunningError,
    ConfigError,
    EngineUnavailableError,
    ExitCode,
    JournaldError,
    StateError,
    TranscriptMissingError,
)
from tests.cli.commands import Journald

COMMANDS = {
    ("run",),
    ("write",),
    ("inspect",),
    ("status",),
    ("demo",),
    ("config", "show"),
    ("config", "validate"),
    ("config", "init"),
}
HEAVY = {
    "structlog", "rich", "tenacity", "watchdog", "tiktoken", "vllm", "torch", "transformers",
    "yaml", "msgspec", "sqlite3", "subprocess", "hypothesis",
}  # fmt: skip


def leaves(group: click.Group, prefix: tuple[str, ...] = ()) -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for name, command in group.commands.items():
        here = (*prefix, name)
        found |= leaves(command, here) if isinstance(command, click.Group) else {here}
    return found


def test_the_commands_are_these() -> None:
    assert leaves(main.journald) == COMMANDS


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_has_help_with_an_example(
    command: tuple[str, ...], journald: Journald
) -> None:
    ran = journald(*command, "--help")
    assert ran.code == 0
    assert ran.err == ""
    assert "Example: journald " in ran.out


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_wrong_call_shows_a_right_one(command: tuple[str, ...], journald: Journald) -> None:
    ran = journald(*command, "--no-such-option")
    assert ran.code == ExitCode.USAGE
    assert ran.out == ""
    assert "No such option" in ran.err
    assert "\nTry: journald " in ran.err


@pytest.mark.parametrize("command", sorted(COMMANDS - {("config", "init"), ("demo",)}))
def test_every_command_tells_a_broken_configuration_in_the_same_way(
    command: tuple[str, ...], journald: Journald, tmp_path: Path
) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("idle: {aftr: 15m}\n")
    argument = ["x.jsonl"] if command in {("write",), ("inspect",)} else []
    ran = journald("--config", file, *command, *argument)
    assert ran.code == ExitCode.CONFIG_INVALID
    assert ran.out == ""
    assert "idle.aftr (line 1): unknown setting; did you mean `idle.after`?" in ran.err
    assert "journald config validate" in ran.err


def test_errors_are_one_json_line_where_json_was_asked_for(
    journald: Journald, tmp_path: Path
) -> None:
    file = tmp_path / "c.yaml"
    file.write_text("a: 1\nb: 2\n")
    error = journald("--config", file, "status", "--json").error
    assert (error["code"], error["kind"]) == (10, "ConfigError")
    assert error["message"] == f"The configuration file {file} has 2 faults:"
    assert [problem[:10] for problem in error["problems"]] == ["a (line 1)", "b (line 2)"]
    assert error["hint"]
    wrong = journald("inspect", "--json").error
    assert (wrong["code"], wrong["kind"]) == (2, "MissingParameter")
    assert wrong["hint"].startswith("Try: journald inspect ")


def test_version_is_printed(journald: Journald) -> None:
    assert journald("--version").out == f"journald {__version__}\n"


def test_no_command_shows_the_help_and_counts_as_a_wrong_call(journald: Journald) -> None:
    ran = journald()
    assert ran.code == ExitCode.USAGE
    assert ran.out == ""
    assert ran.err.startswith("Usage: journald ")
    assert ran.err.endswith("Try: journald demo\n")


def test_a_misspelt_command_is_a_wrong_call(journald: Journald) -> None:
    ran = journald("stauts")
    assert ran.code == ExitCode.USAGE
    assert "No such command 'stauts'" in ran.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ConfigError("x"), 10),
        (AlreadyRunningError("x"), 11),
        (StateError("x"), 14),
        (TranscriptMissingError("x"), 1),
        (EngineUnavailableError("x"), 1),
    ],
)
def test_each_error_has_its_exit_code(
    error: JournaldError, code: int, journald: Journald, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(main.journald.commands["run"], "callback", raising(error))
    assert journald("run").code == code


def test_an_error_says_what_happened_and_what_to_do(
    journald: Journald, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = AlreadyRunningError("A daemon holds /state.", hint="Stop it first.")
    monkeypatch.setattr(main.journald.commands["run"], "callback", raising(error))
    assert journald("run").err == "Error: A daemon holds /state.\n  → Stop it first.\n"


def test_an_unexpected_error_is_one_line_without_its_words(
    journald: Journald, monkeypatch: pytest.MonkeyPatch
) -> None:
    callback = raising(RuntimeError("words of a transcript"))
    monkeypatch.setattr(main.journald.commands["run"], "callback", callback)
    ran = journald("run")
    assert ran.code == ExitCode.UNEXPECTED
    [line] = ran.err.splitlines()
    assert "RuntimeError at tests.cli.test_main:" in line
    assert "--debug" in line
    assert "words of a transcript" not in line


@pytest.mark.parametrize(
    ("option", "environment"), [(["--debug"], {}), ([], {"JOURNALD_DEBUG": "1"})]
)
def test_debug_shows_where_an_unexpected_error_comes_from(
    option: list[str],
    environment: dict[str, str],
    journald: Journald,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(main.journald.commands["run"], "callback", raising(RuntimeError("why")))
    assert "RuntimeError: why" in journald(*option, "run", **environment).err


def test_an_interrupt_ends_with_130(journald: Journald, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main.journald.commands["run"], "callback", raising(KeyboardInterrupt()))
    assert journald("run").code == ExitCode.INTERRUPTED


def test_half_a_surrogate_pair_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    output.data("a \ud83d b")
    output.data_json({"text": "\ud83d"})
    assert capsys.readouterr().out == 'a ? b\n{"text": "?"}\n'


def test_a_reader_that_goes_away_makes_no_noise() -> None:
    command = f"{sys.executable} -m journald --help | true"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert ran.stderr == b""


def test_the_module_is_the_program() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "journald", "--version"], capture_output=True, check=True, text=True
    )
    assert ran.stdout == f"journald {__version__}\n"


def test_importing_the_command_line_imports_nothing_heavy() -> None:
    program = (
        "import sys, journald.cli.main; print(*{name.partition('.')[0] for name in sys.modules})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    assert set(ran.stdout.split()) & HEAVY == set()


def raising(error: BaseException) -> object:
    def callback() -> None:
        raise error

    return callback
