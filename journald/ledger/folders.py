"""In which folder each shell command ran, as far as the commands themselves tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from journald.ledger.background import background_id
from journald.ledger.commands import SHELL_TOOLS, Ran
from journald.ledger.paths import Paths, is_absolute
from journald.ledger.steps import Step
from journald.ledger.timeline import Timeline

# Claude Code takes the shell back when a command left the folders that it may work in.
_TAKEN_BACK = re.compile(r"^Shell cwd was reset to (.+)$", re.MULTILINE)
_CHANGING = frozenset({"cd", "pushd"})


def find_folders(
    timeline: Timeline, commands: tuple[Ran, ...], paths: Paths, known: tuple[str, ...]
) -> dict[str, str | None]:
    """Return the folder in which each command began, by its id; None where it is not known.

    `known` are the working directories of the session, the first one first. The shell of the main
    conversation keeps the folder to which a successful command went; every command of a
    sub-agent begins where the session did.
    """
    ran = {one.command.id: one for one in commands}
    start = known[0] if known else None
    here = start
    found: dict[str, str | None] = {}
    for call in timeline.calls:
        if call.name not in SHELL_TOOLS:
            continue
        found[call.id] = start if call.agent_id else here
        one = ran.get(call.id)
        if one is None or call.agent_id is not None or background_id(call) is not None:
            continue
        if one.command.ok:
            here = _after(one, here, paths, known)
    return found


def _after(ran: Ran, here: str | None, paths: Paths, known: tuple[str, ...]) -> str | None:
    """Return where a command left the shell: in a folder that the session worked in."""
    if len(known) == 1:
        return here
    back = _TAKEN_BACK.findall(ran.output)
    if back:
        here = back[-1].strip()
    else:
        for step, folder in walk(ran.steps, here, paths):
            here = here if step.shells else folder
    if here is None or not any(paths.same(here, one) for one in known):
        return None
    return here


def walk(
    steps: tuple[Step, ...], start: str | None, paths: Paths
) -> Iterator[tuple[Step, str | None]]:
    """Yield each simple command of a line and the folder that stands when it has run.

    What a subshell enters, it leaves at its end.
    """
    standing = [start]
    for step in steps:
        standing.extend([standing[-1]] * (step.shells + 1 - len(standing)))
        if step.program in _CHANGING:
            target = step.words[1] if len(step.words) > 1 else ""
            standing[step.shells] = _entered(target, standing[step.shells], paths)
        elif step.program == "popd":
            standing[step.shells] = None
        yield step, standing[step.shells]
        del standing[step.level + 1 :]


def _entered(target: str, here: str | None, paths: Paths) -> str | None:
    if not target or target == "-" or re.search(r"[$`~*?]", target):
        return None
    if not is_absolute(target) and here is None:
        return None
    return paths.certain(target, here)
