"""The database: one SQLite file in WAL mode, brought up to date by the daemon alone.

Every transaction that writes is `BEGIN IMMEDIATE`, so that two writers wait for each other
instead of failing half-way.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from journald import __version__
from journald.errors import (
    StateCorruptError,
    StateError,
    StateNewerError,
    StateUnavailableError,
)
from journald.files import PRIVATE_FILE, make_private_folder
from journald.store.migrations import Migration, migrations

DATABASE_NAME = "journald.sqlite3"
APPLICATION_ID = 0x6A6F7572  # "jour": tells our file from any other SQLite database

_BUSY_SECONDS = 10.0
_UNAVAILABLE = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_FULL", "SQLITE_IOERR"})
_CORRUPT = frozenset({"SQLITE_CORRUPT", "SQLITE_NOTADB"})


def database_path(state_dir: Path) -> Path:
    """Return where the database of a state folder lies."""
    return state_dir / DATABASE_NAME


def open_database(
    path: Path, *, migrate: bool, read_only: bool = False, any_thread: bool = False
) -> sqlite3.Connection:
    """Open the database; a connection is for the thread that opened it.

    `any_thread` lets another one have it, if that is the only one from then on.

    `migrate` creates it and brings its schema up to date; without it, the schema has to be the
    current one. Raises StateNewerError, StateCorruptError, StateUnavailableError, StateError.
    """
    with translated(path):
        connection = _connect(path, create=migrate, read_only=read_only, any_thread=any_thread)
        try:
            _refuse_foreign(connection, path)
            _configure(connection, read_only=read_only)
            if migrate:
                _check(connection, path)
                _migrate(connection)
            _refuse_older(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def is_set_up(path: Path) -> bool:
    """Say whether there is a database with a schema: none yet while a first start creates it.

    Raises StateError when the file cannot be read.
    """
    if not path.exists():
        return False
    with (
        translated(path),
        closing(_connect(path, create=False, read_only=True, any_thread=False)) as connection,
    ):
        return _version(connection) > 0


def set_aside(path: Path, now: datetime) -> Path:
    """Rename a damaged database and what belongs to it; return its new name.

    Raises StateError when that cannot be done.
    """
    stamp = now.astimezone(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    target = path.with_name(f"{path.name}.corrupt-{stamp}")
    try:
        path.rename(target)
        for ending in ("-wal", "-shm"):
            beside = path.with_name(path.name + ending)
            if beside.exists():
                beside.rename(target.with_name(target.name + ending))
    except OSError as error:
        raise StateError(
            f"{path} is damaged and cannot be set aside: {error.strerror}",
            hint=f"move the file out of {path.parent} yourself, then start again",
        ) from error
    return target


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do everything inside or nothing; inside another transaction it is a part of that one."""
    if connection.in_transaction:
        yield
        return
    with translated(connection):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            _roll_back(connection)
            raise


def rows(
    connection: sqlite3.Connection, statement: str, values: Mapping[str, Any] | None = None
) -> list[sqlite3.Row]:
    """Return all rows that `statement` yields; they are read by column name."""
    with translated(connection):
        return connection.execute(statement, values or {}).fetchall()


def execute(
    connection: sqlite3.Connection, statement: str, values: Mapping[str, Any] | None = None
) -> int:
    """Carry out `statement`; return how many rows it changed."""
    with translated(connection):
        return connection.execute(statement, values or {}).rowcount


@contextmanager
def translated(where: Path | sqlite3.Connection) -> Iterator[None]:
    """Raise SQLite's errors as ours."""
    try:
        yield
    except sqlite3.Error as error:
        raise _state_error(error, where) from error


def _state_error(error: sqlite3.Error, where: Path | sqlite3.Connection) -> StateError:
    name = _file(where) if isinstance(where, sqlite3.Connection) else where
    # Extended codes such as SQLITE_IOERR_WRITE begin with the primary one.
    code = "_".join((getattr(error, "sqlite_errorname", None) or "").split("_")[:2])
    if code in _CORRUPT:
        return StateCorruptError(
            f"{name} is damaged: {error}",
            hint="start `journald run`: it sets the file aside and rebuilds it from the entries",
        )
    if code in _UNAVAILABLE:
        return StateUnavailableError(
            f"{name} cannot be used just now: {error}",
            hint="another program holds the file, or its disk is full or failing",
        )
    return StateError(f"{name} cannot be used: {error}", hint="look at its rights")


def _connect(path: Path, *, create: bool, read_only: bool, any_thread: bool) -> sqlite3.Connection:
    if create:
        _create(path)
    elif not path.exists():
        raise StateError(
            f"{path} does not exist", hint="start `journald run` once: the daemon creates it"
        )
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={'ro' if read_only else 'rw'}",
        uri=True,
        timeout=_BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=not any_thread,
    )
    connection.row_factory = sqlite3.Row
    return connection


def _create(path: Path) -> None:
    try:
        make_private_folder(path.parent)
        # SQLite would create the file readable by others.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE))
    except OSError as error:
        raise StateError(
            f"{path} cannot be written: {error.strerror}",
            hint="look at the rights of the folder, or set `state_dir` to another one",
        ) from error


def _configure(connection: sqlite3.Connection, *, read_only: bool) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    if not read_only:
        connection.execute("PRAGMA journal_mode = WAL")
        # "Done" is said after the entry is durable; FULL makes the saying durable too.
        connection.execute("PRAGMA synchronous = FULL")


def _refuse_foreign(connection: sqlite3.Connection, path: Path) -> None:
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    tables = int(connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0])
    if application not in {0, APPLICATION_ID} or (tables and application == 0):
        raise StateError(
            f"{path} is a database of another program",
            hint="set `state_dir` to a folder of its own",
        )
    if _version(connection) > _newest():
        raise StateNewerError(
            f"{path} has schema {_version(connection)}; this journald {__version__} knows "
            f"schemas up to {_newest()}",
            hint="install the newer journald again, or set `state_dir` to another folder",
        )


def _refuse_older(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection) < _newest():
        raise StateError(
            f"{path} has the schema of an earlier journald",
            hint="start `journald run` once: the daemon brings it up to date",
        )


def _check(connection: sqlite3.Connection, path: Path) -> None:
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise StateCorruptError(f"{path} is damaged: {found}")


def _migrate(connection: sqlite3.Connection) -> None:
    for migration in migrations():
        if migration.version > _version(connection):
            _apply(connection, migration)


def _apply(connection: sqlite3.Connection, migration: Migration) -> None:
    """Take one step together with its record, or neither."""
    script = f"""
        BEGIN IMMEDIATE;
        {migration.statements}
        INSERT INTO migrations (version, name, program, applied_us) VALUES (
            {migration.version}, '{migration.name}', '{__version__}',
            CAST((julianday('now') - 2440587.5) * 86400000000 AS INTEGER)
        );
        PRAGMA application_id = {APPLICATION_ID};
        PRAGMA user_version = {migration.version};
        COMMIT;
    """  # noqa: S608 - every value in it is the package's own
    try:
        connection.executescript(script)
    except sqlite3.Error:
        _roll_back(connection)
        raise


def _roll_back(connection: sqlite3.Connection) -> None:
    # A full disk or an I/O error ends the transaction before we do.
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _newest() -> int:
    return max(migration.version for migration in migrations())


def _file(connection: sqlite3.Connection) -> Path | None:
    try:
        with closing(connection.execute("PRAGMA database_list")) as cursor:
            name = cursor.fetchone()[2]
    except sqlite3.Error:
        return None
    return Path(name) if name else None
