"""What could not be read of the sessions, each as its last finished job left it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from journald.store.database import execute, rows, transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownKind:
    """Something in a transcript that this version of journald does not know."""

    version: str
    """Of Claude Code; `?` where the transcript does not tell."""
    kind: str
    """`type/subtype`, redacted."""
    count: int
    """How often it was met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gaps:
    """What could not be read of one session; sub-agents included."""

    broken: int = 0
    """Lines of which nothing could be read."""
    recovered: int = 0
    """Damaged lines out of which whole records were read."""
    unknown: int = 0
    """Lines in which something is not known."""
    skipped_bytes: int = 0
    """Bytes of lines that are too long."""
    elided_chars: int = 0
    """Characters of what tools were given and gave back that a very long session left out."""
    truncated: bool = False
    kinds: tuple[UnknownKind, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether there is any."""
        return self != Gaps()


@dataclass(frozen=True, slots=True, kw_only=True)
class MetKind:
    """A kind that is not known, over all sessions."""

    version: str
    kind: str
    count: int
    sessions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """What could not be read, over all sessions; counts are of sessions."""

    broken: int = 0
    recovered: int = 0
    unknown: int = 0
    skipped: int = 0
    elided: int = 0
    truncated: int = 0
    damaged: int = 0
    """With broken, recovered, skipped or truncated lines."""
    kinds: tuple[MetKind, ...] = ()
    """Those met in most sessions first."""
    kinds_left_out: int = 0
    """Further kinds, which are not among `kinds`."""


def write_gaps(
    connection: sqlite3.Connection, session_id: str, gaps: Gaps
) -> tuple[UnknownKind, ...]:
    """Replace what is known of a session; return the kinds that no session had before.

    A kind is returned once over the life of the database, whatever becomes of the session.
    Nothing is kept of a session that is not in the table of sessions. Raises StateError.
    """
    with transaction(connection):
        execute(connection, "DELETE FROM gaps WHERE session_id = :id", {"id": session_id})
        if gaps and _add(connection, session_id, gaps):
            _add_kinds(connection, session_id, gaps.kinds)
        return tuple(kind for kind in gaps.kinds if _is_new(connection, kind))


def _add(connection: sqlite3.Connection, session_id: str, gaps: Gaps) -> int:
    return execute(
        connection,
        "INSERT INTO gaps (session_id, broken, recovered, unknown, skipped_bytes, elided_chars,"
        " truncated)"
        " SELECT session_id, :broken, :recovered, :unknown, :skipped, :elided, :truncated"
        " FROM sessions WHERE session_id = :id",
        {
            "id": session_id,
            "broken": gaps.broken,
            "recovered": gaps.recovered,
            "unknown": gaps.unknown,
            "skipped": gaps.skipped_bytes,
            "elided": gaps.elided_chars,
            "truncated": int(gaps.truncated),
        },
    )


def _add_kinds(
    connection: sqlite3.Connection, session_id: str, kinds: tuple[UnknownKind, ...]
) -> None:
    for kind in kinds:
        execute(
            connection,
            "INSERT INTO unknown_kinds (session_id, version, kind, count)"
            " VALUES (:id, :version, :kind, :count)",
            {
                "id": session_id,
                "version": kind.version,
                "kind": kind.kind,
                "count": kind.count,
            },
        )


def _is_new(connection: sqlite3.Connection, kind: UnknownKind) -> bool:
    """Note a kind; tell whether it was not noted before."""
    made = execute(
        connection,
        "INSERT INTO named_kinds (version, kind) VALUES (:version, :kind)"
        " ON CONFLICT (version, kind) DO NOTHING",
        {"version": kind.version, "kind": kind.kind},
    )
    return made == 1


def read_coverage(connection: sqlite3.Connection, most: int) -> Coverage:
    """Return what could not be read over all sessions, at `most` so many kinds.

    Raises StateError.
    """
    counts = rows(
        connection,
        "SELECT count(*) FILTER (WHERE broken) AS broken,"
        " count(*) FILTER (WHERE recovered) AS recovered,"
        " count(*) FILTER (WHERE unknown) AS unknown,"
        " count(*) FILTER (WHERE skipped_bytes) AS skipped,"
        " count(*) FILTER (WHERE elided_chars) AS elided,"
        " count(*) FILTER (WHERE truncated) AS truncated,"
        " count(*) FILTER (WHERE broken OR recovered OR skipped_bytes OR truncated) AS damaged"
        " FROM gaps",
    )[0]
    kinds = rows(
        connection,
        "SELECT version, kind, sum(count) AS count, count(*) AS sessions,"
        " count(*) OVER () AS kinds FROM unknown_kinds GROUP BY version, kind"
        " ORDER BY sessions DESC, count DESC, version, kind LIMIT :most",
        {"most": most},
    )
    return Coverage(
        broken=counts["broken"],
        recovered=counts["recovered"],
        unknown=counts["unknown"],
        skipped=counts["skipped"],
        elided=counts["elided"],
        truncated=counts["truncated"],
        damaged=counts["damaged"],
        kinds=tuple(
            MetKind(
                version=row["version"],
                kind=row["kind"],
                count=row["count"],
                sessions=row["sessions"],
            )
            for row in kinds
        ),
        kinds_left_out=kinds[0]["kinds"] - len(kinds) if kinds else 0,
    )
