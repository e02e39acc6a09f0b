"""The daemon as a process of its own, with times that a test can wait for.

`python -m tests.daemon.child ENGINE`: `extractive`, or `stuck` for an engine that never loads.
"""

import os
import sys
import time
from datetime import timedelta
from typing import NoReturn

import msgspec

from journald import config
from journald.daemon import service
from journald.daemon.warm import WarmEngine
from journald.errors import JournaldError

SILENCE = timedelta(seconds=0.6)


def settings() -> config.Settings:
    return msgspec.structs.replace(
        config.defaults(os.environ),
        idle=config.Idle(
            after=SILENCE, pending_after=2 * SILENCE, scan_every=timedelta(milliseconds=500)
        ),
        engine=config.Engine(name="extractive"),
        queue=config.Queue(wait=timedelta(milliseconds=100), grace=timedelta(seconds=1)),
    )


def never() -> NoReturn:
    while True:
        time.sleep(60)


def main(engine: str) -> int:
    made = settings()
    if beat := os.environ.get("BEAT_SECONDS"):
        service._BEAT_EVERY = timedelta(seconds=float(beat))
    stuck = WarmEngine(made.engine, name="vllm", reason="a test", load=never, now=service.utc_now)
    try:
        return service.run(made, os.environ, warm=stuck if engine == "stuck" else None)
    except JournaldError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a program speaks
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
