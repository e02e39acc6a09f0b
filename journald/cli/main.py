"""The command line's entry: global options, the list of commands, errors to exit codes.

Only what `--help` needs is imported here and at the top of the command files; the rest is
imported inside the commands, so that help and status start at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import click

from journald import __version__
from journald.cli import configuration, demo, inspect, output, run, status, write
from journald.cli.invocation import Group, Invocation
from journald.errors import ExitCode, JournaldError


@click.group(
    cls=Group,
    example="journald demo",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "Shell completion: put the output of `_JOURNALD_COMPLETE=bash_source journald` "
        "(or zsh_source, fish_source) into your shell's start-up file."
    ),
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Configuration file, instead of $JOURNALD_CONFIG or ~/.config/journald/config.yaml.",
)
@click.option("--debug", is_flag=True, help="Show where an unexpected error comes from.")
@click.version_option(__version__, "-V", "--version", message="journald %(version)s")
@click.pass_context
def journald(context: click.Context, config: Path | None, debug: bool) -> None:
    """Turn Claude Code sessions into journal entries, on this machine.

    `journald demo` shows it; `journald run` does it.
    """
    given = context.obj if isinstance(context.obj, Invocation) else None
    environment = given.environment if given else os.environ
    debug = debug or bool(environment.get("JOURNALD_DEBUG"))
    context.obj = Invocation(environment=environment, config=config, debug=debug)


for command in (
    run.command,
    write.command,
    inspect.command,
    status.command,
    demo.command,
    configuration.group,
):
    journald.add_command(command)


def call(arguments: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run one command line and return its exit code; every error is told on stderr."""
    as_json = "--json" in arguments
    try:
        code = journald.main(
            args=[*arguments],
            prog_name="journald",
            standalone_mode=False,
            obj=Invocation(environment=environment),
        )
    except click.UsageError as error:
        output.usage(error, as_json=as_json)
        return ExitCode.USAGE
    except click.ClickException as error:
        output.talk(f"Error: {error.format_message()}")
        return ExitCode.UNEXPECTED
    except click.Abort:
        return ExitCode.INTERRUPTED
    except JournaldError as error:
        output.failure(error, as_json=as_json)
        _trace(arguments, environment)
        return error.exit_code
    except Exception as error:  # noqa: BLE001 - the last place where an error can be told
        output.unexpected(error, as_json=as_json)
        _trace(arguments, environment)
        return ExitCode.UNEXPECTED
    return int(code or ExitCode.OK)


def _trace(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    if "--debug" in arguments or environment.get("JOURNALD_DEBUG"):
        import traceback  # noqa: PLC0415 - start-up time

        output.talk(traceback.format_exc())


def main() -> NoReturn:
    """Run the command line of this process."""
    sys.exit(call(sys.argv[1:], os.environ))
