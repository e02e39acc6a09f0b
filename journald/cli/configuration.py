"""`journald config`: the configuration file."""

from __future__ import annotations

import click

from journald.cli import output
from journald.cli.invocation import Command, Group, Invocation, json_option, pass_invocation

SCHEMA = 1


@click.group("config", cls=Group, example="journald config show")
def group() -> None:
    """Show, check or write the configuration file."""


@group.command("show", cls=Command, example="journald config show")
@json_option
@pass_invocation
def show(invocation: Invocation, as_json: bool) -> None:
    """Print the settings that hold, and where they come from."""
    from journald.config.example import as_yaml  # noqa: PLC0415 - start-up time
    from journald.config.outline import plain  # noqa: PLC0415 - start-up time

    loaded = invocation.load()
    if as_json:
        output.data_json(
            {
                "schema": SCHEMA,
                "file": str(loaded.path),
                "found": loaded.found,
                "settings": plain(loaded.settings),
            }
        )
        return
    state = "settings of" if loaded.found else "defaults; no file at"
    output.data(f"# {state} {loaded.path}\n{as_yaml(loaded.settings)}".rstrip())


@group.command("validate", cls=Command, example="journald --config ./config.yaml config validate")
@json_option
@pass_invocation
def validate(invocation: Invocation, as_json: bool) -> None:
    """Check the configuration file; every fault is listed. Exits 10 if there is one."""
    loaded = invocation.load()
    if as_json:
        output.data_json({"schema": SCHEMA, "file": str(loaded.path), "found": loaded.found})
    elif loaded.found:
        output.data(f"{loaded.path}: valid")
    else:
        output.data(f"{loaded.path}: not there; the defaults hold")


@group.command("init", cls=Command, example="journald config init")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@pass_invocation
def init(invocation: Invocation, force: bool) -> None:
    """Write a configuration file with every setting described and commented out."""
    from journald.config.file import config_path, write_example  # noqa: PLC0415 - start-up time

    path = config_path(invocation.environment, invocation.config)
    write_example(path, force=force)
    output.data(str(path))
