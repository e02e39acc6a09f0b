"""The steps of the database's schema, one SQL file each, applied in the order of their names."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step."""

    version: int
    name: str
    statements: str


def migrations() -> tuple[Migration, ...]:
    """Return all steps, oldest first; versions count from 1."""
    files = sorted(
        (file for file in resources.files(__name__).iterdir() if file.name.endswith(".sql")),
        key=lambda file: file.name,
    )
    return tuple(
        Migration(
            version=int(file.name.split("_", 1)[0]),
            name=file.name.removesuffix(".sql"),
            statements=file.read_text(encoding="utf-8"),
        )
        for file in files
    )
