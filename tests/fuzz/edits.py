"""Damage to a transcript's lines: fields, rows and bytes.

Each edit takes a source of chance and lines without their newlines, and returns lines; the chance
may be `random.Random` or the one that hypothesis controls.
"""

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.fuzz.seeds import all_rows
from tests.fuzz.values import BYTES, HOSTILE, JUNK, TIMES

Lines = list[bytes]
Edit = Callable[[Random, Lines], Lines]

# Private to Unicode and to this module: stands where raw JSON is put in.
_PLACE = "\ue000raw\ue000"
_RAW = json.dumps(_PLACE, ensure_ascii=False).encode()
_POOL = all_rows()


def _decode(line: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and value else None


def _encode(row: object, raw: bytes = b"null") -> bytes:
    try:
        text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return b"{}"
    return text.encode(errors="surrogatepass").replace(_RAW, raw)


def _rows(lines: Lines) -> list[tuple[int, dict[str, Any]]]:
    decoded = ((index, _decode(line)) for index, line in enumerate(lines))
    return [(index, row) for index, row in decoded if row is not None]


def _row(random: Random, lines: Lines) -> tuple[int, dict[str, Any]] | None:
    """Return one line that can be read, tried a few times."""
    for _ in range(4):
        if not lines:
            break
        index = random.randrange(len(lines))
        row = _decode(lines[index])
        if row is not None:
            return index, row
    return None


def _spot(random: Random, row: dict[str, Any]) -> tuple[Any, Any]:
    """Return a container inside of a row, and a key or index in it."""
    holder: Any = row
    while True:
        key = _key(random, holder)
        inner = holder[key]
        if not isinstance(inner, (dict, list)) or not inner or random.random() < 0.3:
            return holder, key
        holder = inner


def _key(random: Random, holder: Any) -> Any:
    if isinstance(holder, list):
        return random.randrange(len(holder))
    return random.choice(list(holder))


def hostile_value(random: Random, lines: Lines) -> Lines:
    """Put a value of another type or size into a field."""
    return _with_raw(random, lines, HOSTILE)


def _with_raw(random: Random, lines: Lines, values: Sequence[bytes]) -> Lines:
    found = _row(random, lines)
    if found is None:
        return lines
    index, row = found
    holder, key = _spot(random, row)
    holder[key] = _PLACE
    return _replaced(lines, index, _encode(row, random.choice(values)))


def hostile_time(random: Random, lines: Lines) -> Lines:
    """Give a row another time."""
    return _with_field(random, lines, "timestamp", random.choice(TIMES))


def _with_field(random: Random, lines: Lines, name: str, raw: bytes) -> Lines:
    found = _row(random, lines)
    if found is None:
        return lines
    index, row = found
    return _replaced(lines, index, _encode(row | {name: _PLACE}, raw))


def missing_field(random: Random, lines: Lines) -> Lines:
    """Take a field out."""
    found = _row(random, lines)
    if found is None:
        return lines
    index, row = found
    holder, key = _spot(random, row)
    del holder[key]
    return _replaced(lines, index, _encode(row))


def swapped_values(random: Random, lines: Lines) -> Lines:
    """Exchange a value of one row with one of another."""
    rows = _rows(lines)
    if not rows:
        return lines
    first, second = random.choice(rows), random.choice(rows)
    here, here_key = _spot(random, first[1])
    there, there_key = _spot(random, second[1])
    value, other = here[here_key], there[there_key]
    # A value put into itself would have no end.
    here[here_key] = json.loads(json.dumps(other))
    if first[0] != second[0]:
        there[there_key] = value
    return _replaced(_replaced(lines, first[0], _encode(first[1])), second[0], _encode(second[1]))


def double_key(random: Random, lines: Lines) -> Lines:
    """Give a row one of its keys twice."""
    found = _row(random, lines)
    if found is None:
        return lines
    index, row = found
    key = json.dumps(random.choice(list(row))).encode()
    start = lines[index].find(b"{") + 1
    again = key + b":" + random.choice(HOSTILE) + b","
    return _replaced(lines, index, lines[index][:start] + again + lines[index][start:])


def tangled_parents(random: Random, lines: Lines) -> Lines:
    """Make rows their own parents, or each other's."""
    rows = [(index, row) for index, row in _rows(lines) if "uuid" in row]
    if not rows:
        return lines
    first, second = random.choice(rows), random.choice(rows)
    first[1]["parentUuid"] = second[1]["uuid"]
    second[1]["parentUuid"] = first[1]["uuid"]
    return _replaced(_replaced(lines, first[0], _encode(first[1])), second[0], _encode(second[1]))


def same_uuid(random: Random, lines: Lines) -> Lines:
    """Give two rows one uuid, whatever their times."""
    rows = [(index, row) for index, row in _rows(lines) if "uuid" in row]
    if not rows:
        return lines
    first, second = random.choice(rows), random.choice(rows)
    second[1]["uuid"] = first[1]["uuid"]
    return _replaced(lines, second[0], _encode(second[1]))


def other_type(random: Random, lines: Lines) -> Lines:
    """Give a row the type or the flags of another."""
    name = random.choice(
        ("type", "subtype", "isSidechain", "isMeta", "isCompactSummary", "agentId")
    )
    raw = random.choice(
        (b'"user"', b'"assistant"', b'"progress"', b"true", b"false", b'"a1b2c3d4"')
    )
    return _with_field(random, lines, name, raw)


def repeated_row(random: Random, lines: Lines) -> Lines:
    """Write a row again, somewhere."""
    if not lines:
        return lines
    return _inserted(random, lines, random.choice(lines))


def foreign_row(random: Random, lines: Lines) -> Lines:
    """Put in a row of another session."""
    return _inserted(random, lines, _encode(random.choice(_POOL)))


def junk_line(random: Random, lines: Lines) -> Lines:
    """Put in a line that is no row."""
    return _inserted(random, lines, random.choice(JUNK))


def moved_row(random: Random, lines: Lines) -> Lines:
    """Move a row to another place."""
    if not lines:
        return lines
    index = random.randrange(len(lines))
    return _inserted(random, lines[:index] + lines[index + 1 :], lines[index])


def lost_row(random: Random, lines: Lines) -> Lines:
    """Leave a row out."""
    if not lines:
        return lines
    index = random.randrange(len(lines))
    return lines[:index] + lines[index + 1 :]


def glued_rows(random: Random, lines: Lines) -> Lines:
    """Lose the newline between two rows."""
    if len(lines) < 2:
        return lines
    index = random.randrange(len(lines) - 1)
    return [*lines[:index], lines[index] + lines[index + 1], *lines[index + 2 :]]


def torn_row(random: Random, lines: Lines) -> Lines:
    """Cut a row at any byte; the next one may go on in its place."""
    if not lines:
        return lines
    index = random.randrange(len(lines))
    torn = _replaced(lines, index, lines[index][: random.randrange(len(lines[index]) + 1)])
    if index + 1 < len(torn) and random.random() < 0.5:
        return [*torn[:index], torn[index] + torn[index + 1], *torn[index + 2 :]]
    return torn


def foreign_bytes(random: Random, lines: Lines) -> Lines:
    """Put in NULs, invalid UTF-8, separators or halves of escapes, anywhere in a row."""
    if not lines:
        return lines
    index = random.randrange(len(lines))
    at = random.randrange(len(lines[index]) + 1)
    line = lines[index][:at] + random.choice(BYTES) + lines[index][at + random.randrange(2) :]
    return _replaced(lines, index, line)


def changed_byte(random: Random, lines: Lines) -> Lines:
    """Change one byte of a row to any other."""
    if not lines:
        return lines
    index = random.randrange(len(lines))
    if not lines[index]:
        return lines
    at = random.randrange(len(lines[index]))
    line = lines[index][:at] + bytes([random.randrange(256)]) + lines[index][at + 1 :]
    return _replaced(lines, index, line)


def _replaced(lines: Lines, index: int, line: bytes) -> Lines:
    return [*lines[:index], line, *lines[index + 1 :]]


def _inserted(random: Random, lines: Lines, line: bytes) -> Lines:
    at = random.randrange(len(lines) + 1)
    return [*lines[:at], line, *lines[at:]]


FIELD_EDITS: tuple[Edit, ...] = (
    hostile_value,
    hostile_time,
    missing_field,
    swapped_values,
    double_key,
    tangled_parents,
    same_uuid,
    other_type,
)
ROW_EDITS: tuple[Edit, ...] = (
    repeated_row,
    foreign_row,
    junk_line,
    moved_row,
    lost_row,
    glued_rows,
    torn_row,
)
BYTE_EDITS: tuple[Edit, ...] = (foreign_bytes, changed_byte)
EDITS = FIELD_EDITS + ROW_EDITS + BYTE_EDITS


def damaged(random: Random, data: bytes, edits: Sequence[Edit]) -> bytes:
    """Return `data` with one edit after another made to its lines."""
    lines = data.removesuffix(b"\n").split(b"\n")
    for edit in edits:
        lines = edit(random, lines)
    return b"\n".join(lines)
