"""Short ways to read what a test wrote."""

from collections.abc import Iterable
from pathlib import Path

from journald.transcript.reader import read_session
from journald.transcript.session import Event, EventKind, Session
from tests.rows import Rows


def read(rows: Rows, folder: Path) -> Session:
    return read_session(rows.write(folder))


def texts(events: Iterable[Event], *kinds: EventKind) -> list[str]:
    return [event.text for event in events if not kinds or event.kind in kinds]


def requests(session: Session) -> list[str]:
    return texts(session.events, EventKind.USER)
