"""`journald write`: entries for given transcripts, now."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from journald.cli import output
from journald.cli.invocation import Command, Invocation, pass_invocation
from journald.errors import EngineDeadError, ExitCode, JournaldError

if TYPE_CHECKING:
    from journald.config import Settings
    from journald.daemon.scribe import Result, Scribe
    from journald.daemon.warm import WarmEngine
    from journald.journal.notebook import Notebook

_SUBAGENT = "agent-"


@click.command(
    "write", cls=Command, example="journald write ~/.claude/projects/-home-ada-shop --notes ./notes"
)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option(
    "--notes",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Notes folder, instead of the configured one.",
)
@click.option("--engine", metavar="NAME", help="auto, vllm or extractive (no model).")
@click.option("--stdout", "to_stdout", is_flag=True, help="Print the entries; write nothing.")
@pass_invocation
def command(
    invocation: Invocation,
    files: tuple[Path, ...],
    notes: Path | None,
    engine: str | None,
    to_stdout: bool,
) -> int:
    """Journal given transcripts now.

    Each FILE is a transcript, or a folder that stands for all transcripts in it. Prints the
    path of every entry. A session that has an entry gets it refreshed in place. Exits 1 if a
    transcript failed; the others are journaled all the same.
    """
    settings = _settings(invocation.settings(), notes, engine)
    desk = _desk(settings, invocation)
    failed = 0
    try:
        for file in transcripts(files):
            try:
                desk.print_entry(file) if to_stdout else desk.write(file)
            except JournaldError as error:
                failed += 1
                output.failure(error, as_json=False)
    finally:
        desk.engine.close()
    return ExitCode.UNEXPECTED if failed else ExitCode.OK


def transcripts(files: Sequence[Path]) -> Iterator[Path]:
    """Yield the transcripts that `files` name; what is left out is told."""
    for file in files:
        if not file.is_dir():
            if file.name.startswith(_SUBAGENT):
                _skipped(file, "a sub-agent's transcript; it is told in its parent's entry")
            else:
                yield file
            continue
        # A project's folder holds transcripts, the projects folder holds such folders.
        found = [
            path
            for pattern in ("*.jsonl", "*/*.jsonl")
            for path in sorted(file.glob(pattern))
            if not path.name.startswith(_SUBAGENT)
        ]
        if not found:
            _skipped(file, "no transcript in it")
        yield from found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Desk:
    scribe: Scribe
    engine: WarmEngine
    notebook: Notebook

    def write(self, file: Path) -> None:
        """Write the entry of `file` and print its path."""
        result = self._result(file)
        if result.entry is None:
            _skipped(file, result.reason)
            return
        output.data(str(result.entry))
        if result.pending:
            output.talk(f"{result.entry}: written without a model for now: {result.reason}")
        elif result.reason:
            output.talk(f"{result.entry}: {result.reason}")

    def print_entry(self, file: Path) -> None:
        """Print the entry of `file` as Markdown."""
        draft = self.scribe.compose(file)
        if draft.entry is None:
            _skipped(file, draft.reason)
            return
        output.data(self.notebook.preview(draft.entry, draft.redact))

    def _result(self, file: Path) -> Result:
        from journald.daemon.warm import Absence  # noqa: PLC0415 - start-up time

        try:
            return self.scribe.write(file)
        except EngineDeadError as error:
            self.engine.died(error)
            return self.scribe.write(file, absence=Absence(reason=str(error), pending=True))


def _skipped(file: Path, reason: str) -> None:
    output.talk(f"{file}: skipped: {reason}")


def _settings(settings: Settings, notes: Path | None, engine: str | None) -> Settings:
    from msgspec.structs import replace  # noqa: PLC0415 - start-up time

    from journald.config import Engine  # noqa: PLC0415 - start-up time
    from journald.config.outline import settings_of  # noqa: PLC0415 - start-up time

    if notes is not None:
        settings = replace(settings, notes_dir=notes.expanduser().absolute())
    if engine is not None:
        choices = settings_of(Engine)["name"].choices
        if engine not in choices:
            raise click.BadParameter(
                f"{engine!r} is not one of {', '.join(choices)}.", param_hint="--engine"
            )
        settings = replace(settings, engine=replace(settings.engine, name=engine))
    return settings


def _desk(settings: Settings, invocation: Invocation) -> _Desk:
    from msgspec.structs import replace  # noqa: PLC0415 - start-up time

    from journald import logs  # noqa: PLC0415 - start-up time
    from journald.daemon.scribe import Scribe  # noqa: PLC0415 - start-up time
    from journald.daemon.warm import warm_engine  # noqa: PLC0415 - start-up time
    from journald.daemon.zone import local_zone  # noqa: PLC0415 - start-up time
    from journald.journal.notebook import Notebook  # noqa: PLC0415 - start-up time

    # The daemon's log tells of jobs; here a person waits, and wants to hear of trouble only.
    quiet = settings.log if invocation.debug else replace(settings.log, level="warning")
    logs.configure(quiet, sys.stderr)
    environment = invocation.environment

    def now() -> datetime:
        return datetime.now(UTC)

    engine = warm_engine(settings.engine, environment, now)
    notebook = Notebook(settings.notes_dir, settings.journal)
    scribe = Scribe(settings, notebook, engine.obtain, zone=local_zone(environment), now=now)
    return _Desk(scribe=scribe, engine=engine, notebook=notebook)
