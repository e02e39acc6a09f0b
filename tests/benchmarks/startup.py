"""CPU time of starting the command line, over that of an empty program.

python -m tests.benchmarks.startup
"""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from statistics import median

RUNS = 15
COMMANDS = (["--help"], ["status"], ["config", "show"], ["inspect", "--help"])


def cpu_seconds(arguments: Sequence[str], environment: dict[str, str]) -> float:
    """Return the median of the runs; the first, which compiles, is not counted."""
    taken = []
    for _ in range(RUNS + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *arguments], env=environment, capture_output=True, check=False
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(taken[1:])


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "PYTHONPYCACHEPREFIX": f"{home}/bytecode"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode
        empty = cpu_seconds(["-c", "pass"], environment)
        print(f"{'python -c pass':24}{empty * 1000:6.0f} ms")
        for command in COMMANDS:
            taken = cpu_seconds(["-m", "journald", *command], environment)
            print(f"{'journald ' + ' '.join(command):24}{(taken - empty) * 1000:+6.0f} ms")


if __name__ == "__main__":
    main()
