"""Entries in the notes folder."""
