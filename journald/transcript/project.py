"""Which project a working directory belongs to; paths of any system, none of them touched."""

from __future__ import annotations

import re

UNKNOWN = "unknown"

# A worktree below its repository, or in a folder beside it that is named after it.
_INSIDE = re.compile(
    r"^(?P<repository>.+?)/(?:\.claude/worktrees|\.git/worktrees|\.worktrees)/[^/]+"
)
_BESIDE = re.compile(r"^(?P<repository>.*/[^/]+?)[._-]worktrees/[^/]+")


def repository(folder: str) -> str:
    """Return the repository's folder for a worktree's, else `folder` itself; `/` as separator."""
    plain = folder.replace("\\", "/") if _is_windows(folder) else folder
    for pattern in (_INSIDE, _BESIDE):
        found = pattern.match(plain)
        if found:
            return found["repository"]
    return plain


def project_name(folder: str | None) -> str:
    """Return the name of the project that works in `folder`; `unknown` without one."""
    if not folder:
        return UNKNOWN
    return repository(folder).rstrip("/").rpartition("/")[2] or folder


def _is_windows(folder: str) -> bool:
    return bool(re.match(r"[A-Za-z]:[\\/]|\\\\", folder))
