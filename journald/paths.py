"""Where configuration, state, notes and Claude Code's projects live: the single answer.

Nothing here touches the disk; the environment is passed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

APPLICATION = "journald"


def home(environment: Mapping[str, str]) -> Path:
    """Return the user's home folder; `$HOME` wins over the password database."""
    value = environment.get("HOME")
    return Path(value) if value else Path.home()


def expand(text: str, environment: Mapping[str, str]) -> Path:
    """Return `text` as a path with a leading `~` replaced by the home folder."""
    if text == "~":
        return home(environment)
    if text.startswith("~/"):
        return home(environment) / text[2:]
    return Path(text)


def _xdg(variable: str, fallback: str, environment: Mapping[str, str]) -> Path:
    # The XDG base directory specification says that a relative value is to be ignored.
    value = environment.get(variable, "")
    base = Path(value) if value.startswith("/") else home(environment) / fallback
    return base / APPLICATION


def config_file(environment: Mapping[str, str]) -> Path:
    """Return the configuration file: `$JOURNALD_CONFIG`, else the XDG place."""
    named = environment.get("JOURNALD_CONFIG")
    if named:
        return expand(named, environment)
    return _xdg("XDG_CONFIG_HOME", ".config", environment) / "config.yaml"


def state_dir(environment: Mapping[str, str]) -> Path:
    """Return the default state folder."""
    return _xdg("XDG_STATE_HOME", ".local/state", environment)


def notes_dir(environment: Mapping[str, str]) -> Path:
    """Return the default notes folder, `~/journal`."""
    return home(environment) / "journal"


def claude_dir(environment: Mapping[str, str]) -> Path:
    """Return Claude Code's own folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    named = environment.get("CLAUDE_CONFIG_DIR")
    return expand(named, environment) if named else home(environment) / ".claude"


def projects_dirs(environment: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the default folders that hold Claude Code's transcripts."""
    return (claude_dir(environment) / "projects",)
