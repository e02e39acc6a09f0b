"""How long the reading and the ledger take on hostile inputs, against `json.loads`.

    python -m tests.fuzz.time_ratio [--rows 2000]

`growth` is the time of twice as much over the time of once: 2 is linear, 4 is the square.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from random import Random

from journald.ledger.ledger import build_ledger
from journald.transcript.reader import read_session
from tests.fuzz.edits import EDITS, damaged
from tests.fuzz.seeds import seeds
from tests.rows import Rows, text_block

Make = Callable[[Rows, int], None]


def _each(add: Callable[[Rows, int], object]) -> Make:
    def make(rows: Rows, count: int) -> None:
        for number in range(count):
            add(rows, number)

    return make


def _queued(rows: Rows, count: int) -> None:
    for number in range(count // 2):
        rows.queue("enqueue", f"prompt {number}")
    for number in range(count // 2):
        rows.user(f"other {number}")


def _background(rows: Rows, number: int) -> None:
    call = rows.call("Bash", {"command": "sleep 9", "run_in_background": True})
    rows.result(call, "started", {"backgroundTaskId": f"b{number}"})
    rows.user(f"prompt {number}")


def _agent(rows: Rows, number: int) -> None:
    message = {"id": f"m{number}", "content": [text_block("x")], "usage": {"input_tokens": 1}}
    rows.tree("assistant", isSidechain=True, parentUuid=None, agentId=f"a{number}", message=message)


def _mutated(rows: Rows, count: int) -> None:
    """Add rows of all kinds, a third of them damaged."""
    random, lines = Random(7), 0
    every = [*seeds().values()]
    while lines < count:
        seed = random.choice(every)
        data = seed.main
        if random.random() < 1 / 3:
            data = damaged(random, data, random.choices(EDITS, k=2)) + b"\n"
        rows.add(data)
        lines += data.count(b"\n")


def _told(rows: Rows, command: str, output: str) -> None:
    rows.bash(command, output)


def _edit(rows: Rows, count: int) -> None:
    texts = {"old_string": "x\n" * count, "new_string": "y\n" + "x\n" * count + "z\n"}
    rows.tool("Edit", {"file_path": "/a", **texts}, "ok")


_INPUTS: dict[str, Make] = {
    "plain prompts": _each(lambda rows, number: rows.user(f"prompt {number}")),
    "rows of all kinds, damaged": _mutated,
    "a field of another type each": _each(lambda rows, _: rows.user("x", promptSource=5)),
    "half a record on each line": _each(lambda rows, _: rows.add(b'{"type":"user","uuid":"x\n')),
    "one line of record starts": lambda rows, count: rows.add(b'{"type":"user",' * count + b"\n"),
    "one line of whole records": lambda rows, count: rows.add(b'{"type":"mode"}' * count + b"\n"),
    "one line of NULs": lambda rows, count: rows.add(b"\0" * 100 * count + b"\n"),
    "one message, many rows": _each(lambda rows, number: rows.say(f"t{number}", message_id="m")),
    "one parent, many prompts": _each(lambda rows, number: rows.user(f"p{number}", parentUuid="p")),
    "one row, repeated": lambda rows, count: rows.rows.extend(
        [{"uuid": "u", "type": "user"}] * count
    ),
    "queued prompts": _queued,
    "background commands": _each(_background),
    "sub-agents": _each(_agent),
    "pull request links": _each(
        lambda rows, number: rows.meta("pr-link", prNumber=number, prUrl=f"u/{number}")
    ),
    "commits in one output": lambda rows, count: _told(
        rows, "git commit -m x", "".join(f"[main {number:07x}] m\n" for number in range(count))
    ),
    "blanks in a report": lambda rows, count: _told(rows, "ls", "a" + " " * 20 * count + "b"),
    "digits in an output": lambda rows, count: _told(rows, "pytest", "1" * 20 * count),
    "tests in one command": lambda rows, count: _told(
        rows, "pytest -q; " * (count // 10), "1 passed in 1s\n" * (count // 10)
    ),
    "unclosed ${": lambda rows, count: _told(rows, "${" * 10 * count, ""),
    "unclosed $(": lambda rows, count: _told(rows, "$(a(" * 5 * count, ""),
    "keywords": lambda rows, count: _told(rows, "! " * 10 * count, ""),
    "wrappers": lambda rows, count: _told(rows, "docker npm " * (count // 10), ""),
    "an edit of equal lines": _edit,
}


def _measure(make: Make, count: int, folder: Path) -> tuple[int, float, float, float]:
    """Return bytes, and CPU seconds of reading, of the ledger and of `json.loads`."""
    rows = Rows()
    make(rows, count)
    path = rows.write(folder)
    start = time.process_time()
    session = read_session(path)
    read = time.process_time()
    build_ledger(session, UTC)
    told = time.process_time()
    plain = Rows()
    _INPUTS["plain prompts"](plain, max(1, path.stat().st_size // 450))
    lines = plain.data().splitlines()
    before = time.process_time()
    for line in lines:
        json.loads(line)
    return path.stat().st_size, read - start, told - read, time.process_time() - before


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--rows", type=int, default=2000)
    count = parser.parse_args().rows
    sys.stdout.write(
        f"{'input':32}{'KB':>7}{'read s':>8}{'ledger s':>9}{'/json':>8}{'growth':>8}\n"
    )
    with tempfile.TemporaryDirectory() as place:
        for name, make in _INPUTS.items():
            _, read, told, _ = _measure(make, count, Path(place))
            once = read + told
            size, read, told, plain = _measure(make, 2 * count, Path(place))
            ratio, growth = (read + told) / max(plain, 1e-4), (read + told) / max(once, 1e-4)
            sys.stdout.write(
                f"{name:32}{size / 1000:7.0f}{read:8.2f}{told:9.2f}{ratio:8.1f}{growth:8.1f}\n"
            )


if __name__ == "__main__":
    main()
