"""Time of reading transcripts, against plain JSON decoding of the same lines in the same run.

python -m tests.benchmarks.reading [--corpus DIR] [--rounds N] [--json]

`read` is `read_session`, `ledger` that with the ledger, `inspect` both with the digest, as the
command does it. Every round reads all transcripts with every reader in turn, the medians of the rounds are told. Needs
`pip install orjson` for one of its columns, which is left out without it.
"""

import argparse
import importlib
import importlib.util
import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from pathlib import Path
from statistics import median
from typing import Any

from journald.config.settings import Digest
from journald.digest.redact import Redactor
from journald.digest.render import build_digest, texts
from journald.digest.tokens import estimate
from journald.ledger.ledger import build_ledger
from journald.transcript.discovery import find_agents
from journald.transcript.reader import read_session

_MEGABYTE = 1_000_000

Reader = Callable[[Path], object]


def lines_of(path: Path) -> list[bytes]:
    """Return the lines of all files of a session."""
    files = (path, *(agent.path for agent in find_agents(path)))
    return [line for file in files for line in file.read_bytes().split(b"\n") if line.strip()]


def decode_with(loads: Callable[[bytes], Any]) -> Reader:
    """Return a reader that decodes every line whole, and keeps nothing."""

    def read(path: Path) -> None:
        for line in lines_of(path):
            try:
                loads(line)
            except ValueError:
                continue  # a damaged line costs what it costs

    return read


def with_ledger(path: Path) -> object:
    """Read a session and its facts."""
    return build_ledger(read_session(path), UTC)


def inspect(path: Path) -> object:
    """Do what `journald inspect` does before it prints."""
    session = read_session(path)
    redactor = Redactor().knowing(texts(session))
    ledger = build_ledger(session, UTC)
    return ledger, build_digest(session, Digest(), redactor, estimate)


def readers() -> dict[str, Reader]:
    """Return the readers by name."""
    found: dict[str, Reader] = {"json": decode_with(json.loads)}
    if importlib.util.find_spec("orjson"):
        found["orjson"] = decode_with(importlib.import_module("orjson").loads)
    return found | {"read": read_session, "ledger": with_ledger, "inspect": inspect}


def measure(
    paths: Sequence[Path], chosen: Mapping[str, Reader], rounds: int
) -> dict[Path, dict[str, float]]:
    """Return the median seconds of every reader on every transcript."""
    taken: dict[Path, dict[str, list[float]]] = {
        path: {name: [] for name in chosen} for path in paths
    }
    for _ in range(rounds):
        for path in paths:
            for name, reader in chosen.items():
                started = time.process_time()
                reader(path)
                taken[path][name].append(time.process_time() - started)
    return {path: {name: median(each) for name, each in of.items()} for path, of in taken.items()}


def report(corpus: Path, rounds: int) -> dict[str, Any]:
    """Return all figures, times in milliseconds of CPU per megabyte of transcript."""
    paths = sorted(corpus.glob("*/*.jsonl"))
    sizes = {path: sum(len(line) + 1 for line in lines_of(path)) for path in paths}
    seconds = measure(paths, readers(), rounds)

    def row(chosen: Sequence[Path]) -> dict[str, Any]:
        size = sum(sizes[path] for path in chosen)
        spent = {name: sum(seconds[path][name] for path in chosen) for name in seconds[chosen[0]]}
        return {
            "bytes": size,
            "ms_per_mb": {
                name: round(each * 1000 / (size / _MEGABYTE), 2) for name, each in spent.items()
            },
            "times_json": {name: round(each / spent["json"], 2) for name, each in spent.items()},
            "times_orjson": {
                name: round(each / spent["orjson"], 2)
                for name, each in spent.items()
                if "orjson" in spent
            },
        }

    return {
        "rounds": rounds,
        "transcripts": {str(path.relative_to(corpus)): row([path]) for path in paths},
        "all": row(paths),
    }


def _print(figures: Mapping[str, Any]) -> None:
    names = [*figures["all"]["ms_per_mb"]]
    print(f"{'CPU ms per MB':56}{'MB':>7}" + "".join(f"{name:>9}" for name in names))
    for title, row in {**figures["transcripts"], "all": figures["all"]}.items():
        cells = "".join(f"{row['ms_per_mb'][name]:9.1f}" for name in names)
        print(f"{title[:55]:56}{row['bytes'] / _MEGABYTE:7.2f}{cells}")
    for base in ("json", "orjson"):
        if times := figures["all"][f"times_{base}"]:
            print(f"{f'times {base}':63}" + "".join(f"{times[name]:9.2f}" for name in names))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.reading")
    parser.add_argument("--corpus", type=Path, default=os.environ.get("JOURNALD_CORPUS"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    if given.corpus is None:
        parser.error("name a folder of transcripts with --corpus or $JOURNALD_CORPUS")
    figures = report(given.corpus, given.rounds)
    if given.json:
        print(json.dumps(figures, indent=1))
    else:
        _print(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
