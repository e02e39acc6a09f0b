"""Real sessions grown in pieces, each reading held against a reading of the whole.

python -m tests.benchmarks.growth [--first SEED] [--seeds N] [--corpus DIR]

Every project folder of the corpus grows once for each seed, all its files side by side, cut
anywhere. Ends with an AssertionError that names transcript and cuts where the two differ.
"""

import argparse
import os
import random
import tempfile
import time
from pathlib import Path

from tests.transcript.test_growth import grow_as_whole


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--corpus", type=Path, default=os.environ.get("JOURNALD_CORPUS"))
    options = parser.parse_args()
    if options.corpus is None or not options.corpus.is_dir():
        parser.error("name a folder of real transcripts: --corpus, or $JOURNALD_CORPUS")
    projects = sorted(folder for folder in options.corpus.iterdir() if folder.is_dir())
    started, grown = time.monotonic(), 0
    for seed in range(options.first, options.first + options.seeds):
        for project in projects:
            with tempfile.TemporaryDirectory(prefix="journald-growth-") as folder:
                grow_as_whole(project, Path(folder), random.Random(f"{seed} {project.name}"))
            grown += 1
    seconds = time.monotonic() - started
    print(f"{grown} projects grown, every reading as a whole one ({seconds:.0f} s)")


if __name__ == "__main__":
    main()
