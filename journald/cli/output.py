"""What the command line says: data on stdout, talk on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from journald.errors import ConfigError, ExitCode, JournaldError

_BLOCK = 1000
"""Pieces of JSON that are printed at once."""
_ERROR = click.style("Error:", fg="red", bold=True)


def data(text: str) -> None:
    """Print what was asked for."""
    click.echo(_printable(text))


def data_json(value: Mapping[str, Any]) -> None:
    """Print what was asked for as JSON: indented for a person, on one line for a pipe."""
    if sys.stdout.isatty():
        click.echo(_printable(json.dumps(value, ensure_ascii=False, indent=2)))
        return
    block: list[str] = []
    for piece in _pieces(value):
        block.append(piece)
        if len(block) == _BLOCK:
            click.echo(_printable("".join(block)), nl=False)
            block.clear()
    click.echo(_printable("".join(block)))


def _pieces(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield `value` as JSON on one line, lists item by item: they may be very long."""
    before = "{"
    for key, inner in value.items():
        yield f"{before}{json.dumps(key)}: "
        before = ", "
        if isinstance(inner, list) and inner:
            for place, item in enumerate(inner):
                yield f"{', ' if place else '['}{json.dumps(item, ensure_ascii=False)}"
            yield "]"
        else:
            yield json.dumps(inner, ensure_ascii=False)
    yield "{}" if not value else "}"


def talk(text: str) -> None:
    """Tell the person at the terminal something that is not data."""
    click.echo(_printable(text), err=True)


def failure(error: JournaldError, *, as_json: bool) -> None:
    """Tell what happened, where, and what to do about it."""
    if as_json:
        _failure_json(int(error.exit_code), str(error), error.hint, error)
        return
    talk(f"{_ERROR} {error}")
    if error.hint:
        talk(f"  → {error.hint}")


def usage(error: click.UsageError, *, as_json: bool) -> None:
    """Tell what is wrong with the command line, and show one that works."""
    example = getattr(error.ctx.command, "example", None) if error.ctx else None
    if as_json:
        hint = f"Try: {example}" if example else None
        _failure_json(int(ExitCode.USAGE), error.format_message(), hint, error)
        return
    # A group without a command asks for help; that is no error message.
    prefix = "" if isinstance(error, NoArgsIsHelpError) else f"{_ERROR} "
    talk(f"{prefix}{error.format_message()}")
    if example:
        talk(f"Try: {example}")


def unexpected(error: BaseException, *, as_json: bool) -> None:
    """Tell of an error that nobody foresaw."""
    # The message may hold words of a transcript; the kind and the place do not.
    what = f"{type(error).__name__} at {_place(error)}"
    hint = "This is a fault of journald: run it again with --debug and report what that prints."
    if as_json:
        _failure_json(int(ExitCode.UNEXPECTED), f"Unexpected {what}", hint, error)
    else:
        talk(f"{_ERROR} unexpected {what}. {hint}")


def _printable(text: str) -> str:
    # Half a surrogate pair is valid JSON in a transcript, and an error to every output stream.
    return text.encode("utf-8", "replace").decode()


def _failure_json(code: int, message: str, hint: str | None, error: BaseException) -> None:
    body: dict[str, Any] = {"code": code, "kind": type(error).__name__, "message": message}
    if hint:
        body["hint"] = hint
    if isinstance(error, ConfigError) and error.problems:
        body["message"] = message.partition("\n")[0]
        body["problems"] = list(error.problems)
    talk(json.dumps({"error": body}, ensure_ascii=False))


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "an unknown place"
    name = trace.tb_frame.f_globals.get("__name__", "?")
    return f"{name}:{trace.tb_lineno}"
