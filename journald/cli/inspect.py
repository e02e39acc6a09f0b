"""`journald inspect`: what journald reads in a transcript, before any model."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from journald.cli import output
from journald.cli.invocation import Command, Invocation, json_option, pass_invocation

if TYPE_CHECKING:
    from journald.config import Settings


@click.command(
    "inspect",
    cls=Command,
    example="journald inspect ~/.claude/projects/-home-ada-shop/0f0e0d0c-….jsonl",
)
@click.argument("file", type=click.Path(path_type=Path))
@json_option
@pass_invocation
def command(invocation: Invocation, file: Path, as_json: bool) -> None:
    """Show what is read in a transcript.

    Prints everything that journald knows of the session in FILE before any model sees it.
    Nothing is written. Secrets are redacted, as in an entry.
    """
    report = read_report(file, invocation.settings())
    if as_json:
        output.data_json(report)
        return
    from journald.cli.overview import overview  # noqa: PLC0415 - start-up time
    from journald.daemon.zone import local_zone  # noqa: PLC0415 - start-up time

    output.data(overview(report, zone=local_zone(invocation.environment)))


def read_report(file: Path, settings: Settings) -> dict[str, Any]:
    """Read `file` and return its report. Raises TranscriptError."""
    from journald.cli.report import build_report, tell_digest  # noqa: PLC0415 - start-up time
    from journald.digest.redact import Redactor  # noqa: PLC0415 - start-up time
    from journald.digest.render import build_digest, texts  # noqa: PLC0415 - start-up time
    from journald.digest.tokens import estimate  # noqa: PLC0415 - start-up time
    from journald.ledger.ledger import build_ledger  # noqa: PLC0415 - start-up time
    from journald.summary.plan import make_plan  # noqa: PLC0415 - start-up time
    from journald.transcript.reader import read_session  # noqa: PLC0415 - start-up time

    session = read_session(file)
    redactor = Redactor(settings.redact.patterns).knowing(texts(session))
    digest = build_digest(session, settings.digest, redactor, estimate)
    plan = make_plan(digest, settings.plan, settings.engine.vllm.max_model_len)
    digested = tell_digest(digest, plan, redactor.clean)
    # Of a very long session neither fits well beside the other.
    del digest, plan
    ledger = build_ledger(session, UTC)
    return build_report(session, ledger, digested, redactor.clean)
