"""journald: a truthful journal entry for every Claude Code session, written locally."""

__version__ = "0.1.0"
