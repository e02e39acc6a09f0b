"""`journald run`: the daemon in the foreground."""

from __future__ import annotations

import click

from journald.cli.invocation import Command, Invocation, pass_invocation


@click.command("run", cls=Command, example="journald run")
@pass_invocation
def command(invocation: Invocation) -> int:
    """Run the daemon: journal what goes idle.

    Runs in the foreground until SIGTERM or Ctrl-C; the systemd user unit runs the same. A job
    under way is finished, or taken up again at the next start; a second signal leaves at once.
    """
    settings = invocation.settings()
    from journald.daemon import service  # noqa: PLC0415 - start-up time

    return int(service.run(settings, invocation.environment))
