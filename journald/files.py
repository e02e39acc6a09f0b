"""Files: atomic writes, names that every file system takes."""

from __future__ import annotations

import errno
import os
import re
import secrets
import unicodedata
from pathlib import Path

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700
# A leading dot and this ending keep note apps and sync tools away from a half-written file.
TEMPORARY_SUFFIX = ".journald-tmp"

_NAME_LIMIT = 80


def make_private_folder(folder: Path) -> None:
    """Create `folder` and the missing ones above it, readable by the user alone.

    A folder that exists keeps its mode. Raises OSError.
    """
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)


def is_file(path: Path) -> bool:
    """Tell whether `path` is a file; what may not be looked at is none (Path.is_file raises)."""
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_folder(path: Path) -> bool:
    """Tell whether `path` is a folder; what may not be looked at is none (Path.is_dir raises)."""
    return os.path.isdir(path)  # noqa: PTH112 - see above


def is_gone(path: Path) -> bool:
    """Tell whether nothing stands at `path`; of what may not be looked at that is not known."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def sync_folder(folder: Path) -> None:
    """Make a rename inside `folder` durable; a file system that cannot is left as it is."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise
    finally:
        os.close(descriptor)


def write_atomic(target: Path, content: bytes, *, mode: int = PRIVATE_FILE) -> None:
    """Replace `target` by `content` so that a reader sees the old file or the new, never a part.

    Temporary beside the target, fsync, rename, fsync of the folder. Raises OSError; the
    temporary is removed when anything fails.
    """
    temporary = target.parent / f".{secrets.token_hex(6)}{TEMPORARY_SUFFIX}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def remove_temporaries(folder: Path) -> int:
    """Delete what a killed process left half-written in `folder`; return how many files."""
    leftovers = [*folder.glob(f".*{TEMPORARY_SUFFIX}")] if folder.is_dir() else []
    for leftover in leftovers:
        leftover.unlink(missing_ok=True)
    return len(leftovers)


def safe_name(text: str, *, limit: int = _NAME_LIMIT) -> str:
    """Return `text` as lower-case ASCII words joined by `-`: a name for every file system.

    At most `limit` characters, cut at a word where one ends in the second half; empty when
    nothing is left of the text.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")
    if len(name) <= limit:
        return name
    cut = name[:limit]
    at = cut.rfind("-")
    return (cut[:at] if at > limit // 2 else cut).strip("-")
