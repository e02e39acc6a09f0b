"""Fuzzing guided by the coverage of the reader and of the ledger.

    python -m venv /tmp/fuzz && /tmp/fuzz/bin/pip install atheris -e .
    /tmp/fuzz/bin/python -m tests.fuzz.coverage_guided --runs 2000000 --findings /tmp/findings

Every input becomes a transcript between two intact rows, whose survival is checked, or is given to
one of the pure readers. A finding does not end the run: it is kept with the smallest input that
shows it. An input that hangs ends only its process; the run goes on in a new one.
"""

import argparse
import gc
import importlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tests.fuzz.mutator import APART, Mutator
from tests.fuzz.seeds import seeds

ATHERIS = "atheris"
_INSTALL = (
    "atheris is not installed here. It is no dependency of journald; install it beside it:\n"
    "    python3.11 -m venv /tmp/fuzz && /tmp/fuzz/bin/pip install atheris -e .\n"
    "and start this with /tmp/fuzz/bin/python."
)
_INSTRUMENTED = ["journald.transcript", "journald.ledger"]
_TARGETS = "tests.fuzz.targets"
_KINDS = "stcowrl"
_KINDS_HELP = (
    "what inputs are read as: s(ession), t(orn session), c(ommand line), o(utput of tests),"
    " w(ords), r(ecovery of a line), l(ong line)"
)
_LONGEST = 6_000
_SECONDS = 20
_SLOW_SECONDS = 5
_WINDOW = 3
_MEMORY_MB = 2048
# Of its own accord libFuzzer tries short inputs for long; a row alone has hundreds of bytes.
_NO_LENGTH_CONTROL = "-len_control=0"

_PULSE = re.compile(r"^#(\d+)\s.*cov: (\d+) ft: (\d+) corp: (\d+)")
_STATED = re.compile(r"^stat::number_of_executed_units:\s*(\d+)")
_TEXTS = (
    b"ccd src && FOO=1 timeout 60 uv run pytest -q 2>&1 | tail -3; echo $?",
    b"cbash -c 'npm run test:unit -- --watch=false' || docker compose exec web python -m pytest",
    b"cgit commit -m \"$(cat <<'EOF'\nAdd it\nEOF\n)\" && rm -f a.py",
    b"o===== 2 failed, 3 passed, 1 warning in 0.12s =====\nRan 3 tests in 0.1s\n\nFAILED (failures=1)",
    b"oTests:       1 failed, 4 passed, 5 total\n Tests  1 failed | 2 passed (3)\n1..2\nok 1\nnot ok 2",
    b"ook  \tshop\t0.1s\n--- FAIL: TestA (0.00s)\ntest result: ok. 3 passed; 0 failed; 0 ignored",
    b"o     Summary [  0.1s] 3 tests run: 3 passed, 1 skipped\nTests run: 3, Failures: 1, Errors: 0, Skipped: 0",
    b"w<command-name>/model</command-name><command-args>opus</command-args>",
    b"w<ide_selection>x</ide_selection><system-reminder>y</system-reminder>words",
    b"w<task-notification><status>failed</status></task-notification>",
    b'r{"type":"user","sessionId":"s","message":{"content":"cut {"type":"user","sessionId":"s"}',
    b'l\x07{"a":"' + b"x\\u00e9y\\\\\xc3\xa9" * 20 + b'","b":[1,"c"]}',
    b'r{"type":"mode","sessionId":"s","n":NaN}{"type":"mode","sessionId":"s"}\x00\x00',
)


@dataclass(slots=True)
class Progress:
    """What the processes of one run did, added up."""

    executions: int = 0
    coverage: int = 0
    features: int = 0
    corpus: int = 0
    deaths: int = 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the fuzzer; return 1 when something was found, 2 without atheris."""
    options = _options(arguments)
    if importlib.util.find_spec(ATHERIS) is None:
        sys.stderr.write(f"{_INSTALL}\n")
        return 2
    if options.inside:
        _fuzz(options)
        return 0
    return _run(options)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=100_000, help="executions in all")
    parser.add_argument("--seeds", type=Path, help="folder of first inputs; made up without it")
    parser.add_argument("--findings", type=Path, default=Path("findings"), help="where they go")
    parser.add_argument("--corpus", type=Path, help="keep inputs that reach new code here")
    parser.add_argument("--kinds", default=_KINDS, help=_KINDS_HELP)
    parser.add_argument("--memory", type=Path, default=_memory(), help="folder to work in")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def _memory() -> Path:
    """Return a folder that is kept in memory where there is one."""
    shared = Path("/dev/shm")  # noqa: S108 - only a place to make a folder of one's own in
    return shared if shared.is_dir() else Path(tempfile.gettempdir())


def write_seeds(folder: Path, kinds: str = _KINDS) -> None:
    """Write first inputs made of whole rows, and texts for the pure readers."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate([*_sessions(), *_TEXTS]):
        if data[:1].decode() in kinds:
            (folder / f"seed-{number:03}").write_bytes(data)


def _sessions() -> Iterator[bytes]:
    """Yield a few rows at a time, so that an execution is cheap."""
    for seed in seeds().values():
        rows = seed.main.splitlines(keepends=True)
        for start in range(0, len(rows), _WINDOW - 1):
            yield b"s" + b"".join(rows[start : start + _WINDOW])
        yield b"t" + rows[-1]
        yield b"s" + rows[0] + APART + seed.agent + APART + seed.meta


def _run(options: argparse.Namespace) -> int:
    options.findings.mkdir(parents=True, exist_ok=True)
    progress, start = Progress(), time.monotonic()
    with tempfile.TemporaryDirectory(dir=options.memory, prefix="fuzz-") as place:
        folder = Path(place)
        corpus = options.corpus or folder / "corpus"
        corpus.mkdir(parents=True, exist_ok=True)
        first = options.seeds or folder / "seeds"
        if not first.is_dir() or not any(first.iterdir()):
            write_seeds(first, options.kinds)
        while progress.executions < options.runs:
            before = progress.executions
            _one_process(options, progress, folder, corpus, first)
            if progress.executions == before:
                sys.stderr.write("The fuzzer ended before it ran anything; see its words above.\n")
                return 2
    return _report(options.findings, progress, time.monotonic() - start)


def _one_process(
    options: argparse.Namespace, progress: Progress, folder: Path, corpus: Path, first: Path
) -> None:
    command = [sys.executable, "-m", "tests.fuzz.coverage_guided", "--inside"]
    command += ["--runs", str(options.runs - progress.executions)]
    command += ["--findings", str(options.findings), "--memory", str(folder)]
    command += ["--corpus", str(corpus), "--seeds", str(first), "--kinds", options.kinds]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, errors="replace") as process:
        done = _follow(process.stderr, progress)
    progress.executions += done
    progress.deaths += process.returncode != 0


def _follow(stream: IO[str] | None, progress: Progress) -> int:
    """Repeat what the fuzzer says; return how many inputs it ran."""
    done = 0
    for line in stream or ():
        sys.stderr.write(line)
        pulse, stated = _PULSE.match(line), _STATED.match(line)
        if pulse:
            number, progress.coverage, progress.features, progress.corpus = map(int, pulse.groups())
            done = max(done, number)
        elif stated:
            done = max(done, int(stated[1]))
    return done


def _report(findings: Path, progress: Progress, seconds: float) -> int:
    found = sorted(path.name for path in findings.iterdir() if path.suffix != ".txt")
    sys.stdout.write(
        f"executions       {progress.executions:,}\n"
        f"executions/s     {progress.executions / seconds:,.0f}\n"
        f"coverage         {progress.coverage:,} edges, {progress.features:,} features\n"
        f"corpus           {progress.corpus:,} inputs\n"
        f"processes lost   {progress.deaths}\n"
        f"findings         {len(found)}\n"
    )
    for name in found:
        sys.stdout.write(f"  {name}\n")
    return 1 if found or progress.deaths else 0


def _fuzz(options: argparse.Namespace) -> None:
    """Fuzz in this process, which libFuzzer ends."""
    atheris = importlib.import_module(ATHERIS)
    with atheris.instrument_imports(include=_INSTRUMENTED):
        targets = importlib.import_module(_TARGETS)
    place = options.memory / "session"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    running = targets.Targets(place, targets.Findings(options.findings))

    def by_bytes(data: bytes, most: int) -> bytes:
        # Another function stands under this name once the run has begun.
        changed: bytes = atheris.Mutate(data, most)
        return changed

    mutator = Mutator(options.kinds, by_bytes)

    atheris.Setup(
        [
            sys.argv[0],
            f"-runs={options.runs}",
            f"-max_len={_LONGEST}",
            f"-timeout={_SECONDS}",
            f"-report_slow_units={_SLOW_SECONDS}",
            f"-rss_limit_mb={_MEMORY_MB}",
            f"-artifact_prefix={options.findings}/",
            "-print_final_stats=1",
            _NO_LENGTH_CONTROL,
            str(options.corpus),
            str(options.seeds),
        ],
        running.run,
        custom_mutator=mutator.mutate,
    )
    gc.freeze()
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
