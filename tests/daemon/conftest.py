from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from journald.store.database import open_database
from tests.daemon.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with closing(open_database(tmp_path / "state.sqlite3", migrate=True)) as connection:
        yield Bench(tmp_path, connection)
