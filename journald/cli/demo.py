"""`journald demo`: the main job in one go, on any machine."""

from __future__ import annotations

from pathlib import Path

import click

from journald.cli import output
from journald.cli.invocation import Command, Invocation, pass_invocation


@click.command("demo", cls=Command, example="journald demo")
@click.option(
    "--notes",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where the entry goes, instead of a new temporary folder.",
)
@pass_invocation
def command(invocation: Invocation, notes: Path | None) -> None:
    """Show it all on a sample session, in seconds.

    Starts the real daemon on folders of its own.
    A recorded session is written into a temporary projects folder, line by line as Claude Code
    writes it. When it falls silent the daemon writes its entry. Nothing of yours is read or
    changed, and no model is needed.
    """
    from journald.cli.demonstration import demonstrate  # noqa: PLC0415 - start-up time

    entry = demonstrate(invocation.environment, notes, output.talk)
    _show(entry.read_text(encoding="utf-8"))
    output.talk("")
    output.talk(f"This entry lies in {entry}")
    output.talk("For your own sessions: `journald run`, or the systemd unit that the README shows.")


def _show(text: str) -> None:
    """Print an entry: rendered on a terminal, as it is anywhere else."""
    from rich.console import Console  # noqa: PLC0415 - start-up time
    from rich.markdown import Markdown  # noqa: PLC0415 - start-up time

    from journald.cli.demonstration import body_of  # noqa: PLC0415 - start-up time

    console = Console()
    if console.is_terminal:
        console.rule("the entry")
        console.print(Markdown(body_of(text)))
        console.rule()
    else:
        output.data(text.rstrip("\n"))
