"""The parts of the facts that tell what became of files, and of branches."""

from __future__ import annotations

from collections.abc import Sequence

from journald.journal.durations import counted
from journald.journal.pen import Pen, capped
from journald.ledger.facts import FileChange, GitAct, Ledger, ShellChange

_FILES = 40
_SHELL_CHANGES = 10
_ACTS = 20
_COMMAND_CHARS = 120


def files(ledger: Ledger, pen: Pen) -> list[str]:
    """Return the files that tools changed, then the commands that may have changed others."""
    lines = _files(ledger.files, pen)
    commands = _shell_changes(ledger.shell_changes, pen)
    return [*lines, *([""] if lines and commands else []), *commands]


def git_acts(acts: Sequence[GitAct], pen: Pen) -> list[str]:
    """Return what was done to branches and tags; what was done again stands once."""
    grouped: dict[tuple[str, str], list[GitAct]] = {}
    for act in acts:
        grouped.setdefault((act.act, act.name), []).append(act)
    lines = [_act(same, pen) for same in grouped.values()]
    return capped(lines, _ACTS, lambda number: f"and {counted(number, 'more act')} of git")


def _act(same: Sequence[GitAct], pen: Pen) -> str:
    first = same[0]
    at = pen.time(first.at)
    name = f" {pen.code(first.name)}" if first.name else ""
    refs = pen.refs(act.id for act in same)
    return f"- {f'{at} ' if at else ''}{first.act}{name}{_times(len(same))}{refs}"


def _times(number: int) -> str:
    return f" ({number} times)" if number > 1 else ""


def _files(changed: Sequence[FileChange], pen: Pen) -> list[str]:
    def rest(number: int) -> str:
        left = changed[-number:]
        sums = _lines(sum(file.added for file in left), sum(file.removed for file in left))
        return f"and {counted(number, 'more file')}{sums}"

    return capped([_file(file, pen) for file in changed], _FILES, rest)


def _file(file: FileChange, pen: Pen) -> str:
    sums = _lines(file.added, file.removed)
    parts = [f"- {pen.path(file.path)} {file.change}{sums}"]
    if not file.exact and sums:
        parts[0] += " (about)"
    if file.moved_to:
        parts.append(f"moved to {pen.path(file.moved_to)}")
    if file.by_user:
        parts.append("edited by the user before it was written")
    return ", ".join(parts)


def _lines(added: int, removed: int) -> str:
    plus = f" +{added:,}" if added else ""
    minus = f" \u2212{removed:,}" if removed else ""
    return f"{plus}{minus}"


def _shell_changes(changes: Sequence[ShellChange], pen: Pen) -> list[str]:
    grouped: dict[str, list[ShellChange]] = {}
    for change in changes:
        grouped.setdefault(" ".join(change.command.split()), []).append(change)
    if not grouped:
        return []
    lines = [_command(same, pen) for same in grouped.values()]
    shown = capped(lines, _SHELL_CHANGES, lambda number: f"and {counted(number, 'more command')}")
    return ["Also changed by commands, which may have changed further files:", "", *shown]


def _command(same: Sequence[ShellChange], pen: Pen) -> str:
    text = same[0].command.strip()
    # What of a long line changes files is hardly ever at its beginning.
    cut = "\n" in text or len(text) > _COMMAND_CHARS
    signs = f": {', '.join(pen.code(sign) for sign in same[0].signs)}" if cut else ""
    refs = pen.refs(change.id for change in same)
    return f"- {pen.code(text, _COMMAND_CHARS)}{signs}{_times(len(same))}{refs}"
