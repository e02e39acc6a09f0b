"""JSONL files of Claude Code become a Session."""
