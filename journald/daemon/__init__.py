"""The long-running process."""
