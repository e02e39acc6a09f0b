"""A worker at its bench, and a session for it to write about."""

from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from sqlite3 import Connection

from journald import config
from journald.daemon.scribe import Scribe
from journald.daemon.warm import WarmEngine
from journald.daemon.worker import Worker
from journald.engine.base import Engine
from journald.journal.notebook import Notebook
from journald.store.database import rows
from journald.store.queue import JobReason, Queue
from journald.store.sessions import Known, Sessions
from tests.clock import Clock
from tests.engines import oracle_engine
from tests.rows import Rows

ONE = "00000000-0000-4000-8000-000000000001"
TWO = "00000000-0000-4000-8000-000000000002"


class Bench:
    """A worker at its bench: real files, real database, a scripted engine."""

    def __init__(self, folder: Path, connection: Connection) -> None:
        self.settings = config.defaults({"HOME": str(folder)})
        self.folder = folder
        self.clock = Clock()
        self.connection = connection
        self.queue = Queue(connection, self.settings.queue, self.clock, random=lambda: 1.0)
        self.sessions = Sessions(connection)
        self.use(oracle_engine)

    def use(self, load: Callable[[], Engine], name: str = "vllm") -> None:
        self.warm = WarmEngine(
            self.settings.engine, name=name, reason="as the test says", load=load, now=self.clock
        )
        scribe = Scribe(
            self.settings,
            Notebook(self.settings.notes_dir, self.settings.journal),
            self.warm.obtain,
            zone=UTC,
            now=self.clock,
        )
        self.worker = Worker(
            self.connection,
            self.queue,
            scribe,
            self.warm,
            self.settings,
            now=self.clock,
            monotonic=self.clock.monotonic,
        )

    def add(self, made: Rows, reason: JobReason = JobReason.NEW) -> Path:
        path = made.write(self.folder / "projects" / "-home-ada-shop")
        self.sessions.notice(made.session_id, path, self.clock())
        self.queue.enqueue(made.session_id, path, reason)
        return path

    def work(self) -> int:
        """Work until nothing is due; return how many jobs were taken."""
        taken = 0
        while self.worker.turn():
            taken += 1
        return taken

    def known(self, session_id: str = ONE) -> Known:
        known = self.sessions.get(session_id)
        assert known is not None
        return known

    def jobs(self) -> list[tuple[str, str, int, str]]:
        return [
            (row["reason"], row["state"], row["attempts"], row["outcome"] or row["error"])
            for row in rows(self.connection, "SELECT * FROM jobs ORDER BY id")
        ]

    def entries(self) -> list[Path]:
        return sorted(self.settings.notes_dir.rglob("*.md"))


def talk(session_id: str = ONE) -> Rows:
    made = Rows(session_id, prefix=session_id[-8:])
    made.user("count the words of the readme")
    made.bash("wc -w README.md", "7 README.md")
    made.say("There are seven words in the readme.")
    return made
