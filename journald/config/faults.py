"""How the faults of a configuration file are told."""

from __future__ import annotations

from journald.errors import ConfigError

_HINT = "Correct the file, then check it with `journald config validate`."


def faulty_file(source: str, *problems: str) -> ConfigError:
    """Return the error that tells what is wrong with the file `source`, every fault at once."""
    count = "a fault" if len(problems) == 1 else f"{len(problems)} faults"
    message = f"The configuration file {source} has {count}:"
    return ConfigError(message, problems=problems, hint=_HINT)
