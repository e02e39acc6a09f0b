"""`journald status`: how the daemon and its work are."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from journald.cli import output
from journald.cli.invocation import Command, Invocation, json_option, pass_invocation
from journald.errors import ExitCode


@click.command("status", cls=Command, example="journald status --json")
@json_option
@pass_invocation
def command(invocation: Invocation, as_json: bool) -> int:
    """Tell how the journaling is.

    Shows the engine, what waits and since when, the last entry, and what failed and why. Works
    while the daemon is down. Exits 0 when it runs and all is well, 12 when it does not run, 13
    when it runs and something is not as it should be.
    """
    settings = invocation.settings()
    from journald.daemon.status import read_status, to_json  # noqa: PLC0415 - start-up time

    status = read_status(settings, datetime.now(UTC))
    if as_json:
        output.data_json(to_json(status))
    else:
        from journald.cli.health import describe  # noqa: PLC0415 - start-up time

        output.data(describe(status))
    if not status.running:
        return ExitCode.NOT_RUNNING
    return ExitCode.DEGRADED if status.problems else ExitCode.OK
