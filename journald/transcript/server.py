"""Results of tools that run at the API's side, not on this machine."""

from __future__ import annotations

from typing import Any

_TOLD = ("title", "url", "text")


def server_text(value: Any) -> tuple[str, bool]:
    """Return the text of a result's decoded content, and whether the tool failed.

    The shapes are the Messages API's: a string, blocks, or one object of the tool's own.
    """
    if isinstance(value, str):
        return value, False
    if isinstance(value, list):
        parts = (_part(part) for part in value)
        return "\n".join(part for part in parts if part), False
    if not isinstance(value, dict):
        return "", False
    failed = str(value.get("type", "")).endswith("_error") or bool(value.get("return_code"))
    told = (value.get(key) for key in ("error_code", "stdout", "stderr", "url"))
    return "\n".join(part for part in told if isinstance(part, str) and part), failed


def _part(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    return " ".join(str(part[key]) for key in _TOLD if part.get(key))
