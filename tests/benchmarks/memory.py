"""Peak memory and time of reading transcripts as large as they get.

python -m tests.benchmarks.memory [--case NAME]… [--reader NAME]… [--folder DIR] [--size MB] [--json]

For each case a transcript is written to the disk, read by `journald inspect` and by the plain
reading (`read_session`) in a process of its own each, and removed. Ends with 1 when a process
needed more than 300 MB, failed, or lost a row beside a long one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.cases import CASES, make
from tests.benchmarks.synthetic import FIRST, LAST, Made

MOST_MEGABYTES = 300
_MEGABYTE = 1_000_000
_KIB = 1024
# Linux counts a parent's peak into that of its child, so one that is small stands between.
_PEAK = (
    "import resource, subprocess, sys; done = subprocess.run(sys.argv[2:]); "
    "peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss; "
    "open(sys.argv[1], 'w').write(f'{peak} {done.returncode}')"
)
_READERS = {
    "inspect": ("-m", "journald", "inspect", "--json"),
    "read": ("-m", "tests.benchmarks.memory", "--read"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How one process read one transcript."""

    case: str
    reader: str
    file_bytes: int
    peak_megabytes: float
    seconds: float
    exit_status: int
    whole: bool
    """All that was written is told, the neighbours of a long line among it."""
    skipped_bytes: int
    lines: dict[str, Any]
    """What was said about the lines, zeros left out."""

    @property
    def good(self) -> bool:
        """Whether it is as promised."""
        return self.exit_status == 0 and self.whole and self.peak_megabytes <= MOST_MEGABYTES


def measure(case: str, reader: str, made: Made, folder: Path) -> Reading:
    """Let a process read what was made."""
    told, peak = folder / "told.json", folder / "peak"
    command = [sys.executable, "-c", _PEAK, str(peak), sys.executable, *_READERS[reader]]
    started = time.monotonic()
    with told.open("wb") as output:
        subprocess.run([*command, str(made.path)], stdout=output, check=True)
    seconds = time.monotonic() - started
    kibibytes, status = map(int, peak.read_text().split())
    report = json.loads(told.read_bytes() or b"{}")
    told.unlink()
    peak.unlink()
    lines = {name: value for name, value in report.get("lines", {}).items() if value}
    return Reading(
        case=case,
        reader=reader,
        file_bytes=made.bytes,
        peak_megabytes=round(kibibytes * _KIB / _MEGABYTE, 1),
        seconds=round(seconds, 1),
        exit_status=status,
        whole=bool(report) and _is_whole(report, made),
        skipped_bytes=lines.get("skipped_bytes", 0),
        lines=lines,
    )


def _is_whole(report: dict[str, Any], made: Made) -> bool:
    requests = [request["text"] for request in report["requests"]]
    return (
        len(requests) == made.prompts
        and requests[0] == FIRST
        and requests[-1] == LAST
        and sum(report["models"].values()) == made.messages
        and report.get("calls", made.calls) == made.calls
    )


def read(path: Path) -> dict[str, Any]:
    """Return of a plain reading what `inspect` would tell of it too."""
    # Here, so that the process that measures stays free of it.
    from journald.transcript.reader import read_session  # noqa: PLC0415
    from journald.transcript.session import EventKind  # noqa: PLC0415

    session = read_session(path)
    return {
        "requests": [
            {"text": event.text[:100]} for event in session.events if event.kind is EventKind.USER
        ],
        "models": dict(session.models),
        "calls": sum(event.kind is EventKind.TOOL_CALL for event in session.events),
        "lines": asdict(session.lines),
    }


def run(
    cases: Sequence[str], readers: Sequence[str], folder: Path, size: int, *, quiet: bool
) -> list[Reading]:
    """Measure every case; print each as it comes, unless `quiet`."""
    found: list[Reading] = []
    for case in cases:
        made = make(case, folder / f"{case}.jsonl", size)
        for reader in readers:
            found.append(measure(case, reader, made, folder))
            if not quiet:
                print(_row(found[-1]), flush=True)
        made.path.unlink()
    return found


def _row(reading: Reading) -> str:
    lines = ", ".join(f"{name} {value}" for name, value in reading.lines.items() if name != "types")
    return (
        f"{reading.case:18}{reading.reader:9}{reading.file_bytes / _MEGABYTE:8.1f} MB"
        f"{reading.peak_megabytes:9.1f} MB{reading.seconds:8.1f} s  "
        f"{'whole' if reading.whole else 'NOT WHOLE':11}{'ok' if reading.good else 'NO':4}"
        f"exit {reading.exit_status}; lines: {lines}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.memory")
    parser.add_argument("--case", action="append", choices=[*CASES], help="only this; repeatable")
    parser.add_argument("--reader", action="append", choices=[*_READERS], help="likewise")
    parser.add_argument("--folder", type=Path, help="where the transcripts go (default: temporary)")
    parser.add_argument("--size", type=int, default=1000, help="megabytes of the large ones")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.read:
        print(json.dumps(read(given.read)))
        return 0
    with tempfile.TemporaryDirectory(dir=given.folder, prefix="journald-memory-") as folder:
        size = given.size * _MEGABYTE
        cases, readers = given.case or [*CASES], given.reader or [*_READERS]
        found = run(cases, readers, Path(folder), size, quiet=given.json)
    if given.json:
        print(json.dumps([asdict(reading) | {"good": reading.good} for reading in found], indent=1))
    return 0 if all(reading.good for reading in found) else 1


if __name__ == "__main__":
    sys.exit(main())
