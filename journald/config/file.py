"""The configuration file on disk: where it is looked for, read and first written."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from journald import files, paths
from journald.config.faults import faulty_file
from journald.config.settings import Settings, defaults
from journald.errors import ConfigError

_LARGEST = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The settings that hold, and where they come from."""

    settings: Settings
    path: Path
    """Where the file was looked for."""
    found: bool
    """False when there is no file there, and the defaults hold."""


def config_path(environment: Mapping[str, str], named: Path | None = None) -> Path:
    """Return where the file is looked for: `named`, else `$JOURNALD_CONFIG`, else the XDG place."""
    path = paths.config_file(environment) if named is None else named
    return Path(os.path.abspath(paths.expand(str(path), environment)))  # noqa: PTH100 - resolve() would follow links


def load(environment: Mapping[str, str], named: Path | None = None) -> Loaded:
    """Return the settings of the configuration file, or the defaults where there is none.

    A file that `named` or `$JOURNALD_CONFIG` names has to exist. Raises ConfigError with every
    fault of the file.
    """
    path = config_path(environment, named)
    try:
        text = _read(path)
    except (FileNotFoundError, NotADirectoryError) as error:
        if named is None and not environment.get("JOURNALD_CONFIG") and not path.is_symlink():
            return Loaded(settings=defaults(environment), path=path, found=False)
        who = "--config" if named is not None else "$JOURNALD_CONFIG"
        link = " (a link to nothing)" if path.is_symlink() else ""
        raise ConfigError(
            f"There is no configuration file {path}{link}.",
            hint=f"`journald config init` writes one; without {who} the defaults hold.",
        ) from error
    except OSError as error:
        raise ConfigError(
            f"The configuration file {path} cannot be read: {error.strerror}.",
            hint="See that it is a file and that you may read it.",
        ) from error
    from journald.config.text import read_settings  # noqa: PLC0415 - no file, no YAML

    return Loaded(settings=read_settings(text, str(path), environment), path=path, found=True)


def _read(path: Path) -> str:
    with path.open("rb") as stream:
        content = stream.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise faulty_file(str(path), f"larger than {_LARGEST} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise faulty_file(str(path), f"line {line}: not UTF-8 text") from error


def write_example(path: Path, *, force: bool = False) -> None:
    """Write the example file to `path`, readable by the user alone.

    Raises ConfigError when something is there already, unless `force` is given, or when it
    cannot be written.
    """
    from journald.config.example import example  # noqa: PLC0415 - no file, no YAML

    if os.path.lexists(path) and not force:
        raise ConfigError(
            f"{path} is there already; it was left as it is.",
            hint="`journald config init --force` replaces it.",
        )
    try:
        files.make_private_folder(path.parent)
        files.write_atomic(path, example().encode())
    except OSError as error:
        raise ConfigError(
            f"The configuration file {path} cannot be written: {error.strerror}.",
            hint="Name another place with --config.",
        ) from error
