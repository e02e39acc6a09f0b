import errno
import os
from pathlib import Path
from typing import Self

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald import files


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_private_folder_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    files.make_private_folder(folder)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    files.make_private_folder(tmp_path)
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_written_file_is_private_and_nothing_else_is_left(tmp_path: Path) -> None:
    target = tmp_path / "entry.md"
    files.write_atomic(target, b"one")
    assert target.read_bytes() == b"one"
    assert target.stat().st_mode & 0o777 == 0o600
    files.write_atomic(target, b"two")
    assert target.read_bytes() == b"two"
    assert names(tmp_path) == ["entry.md"]


@pytest.mark.parametrize("failing", ["fsync", "write", "rename"])
def test_when_a_write_fails_the_old_file_stays_whole(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "entry.md"
    target.write_bytes(b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    if failing == "fsync":
        monkeypatch.setattr(os, "fsync", full)
    elif failing == "rename":
        monkeypatch.setattr(Path, "replace", full)
    else:
        monkeypatch.setattr(os, "fdopen", lambda descriptor, mode: Full(descriptor))
    with pytest.raises(OSError, match="No space left"):
        files.write_atomic(target, b"new")
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["entry.md"]


class Full:
    """A stream on a full disk."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    def write(self, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_folder_that_is_missing_is_an_error_not_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        files.write_atomic(tmp_path / "gone/entry.md", b"x")


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / f".0123{files.TEMPORARY_SUFFIX}").write_bytes(b"half")
    (tmp_path / "entry.md").write_bytes(b"whole")
    (tmp_path / ".hidden").write_bytes(b"the user's")
    assert files.remove_temporaries(tmp_path) == 1
    assert names(tmp_path) == [".hidden", "entry.md"]
    assert files.remove_temporaries(tmp_path / "gone") == 0


def test_a_file_system_that_cannot_sync_folders_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_descriptor: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    files.sync_folder(tmp_path)


def test_a_folder_that_fails_to_sync_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="Input/output"):
        files.sync_folder(tmp_path)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Fix the login, at last!", "fix-the-login-at-last"),
        ("Été à Zürich", "ete-a-zurich"),
        ("../../etc/passwd", "etc-passwd"),
        ("日本語", ""),
        ("  ", ""),
        ("a\0b\nc", "a-b-c"),
    ],
)
def test_a_name_is_plain_words(text: str, name: str) -> None:
    assert files.safe_name(text) == name


def test_a_long_name_is_cut_where_a_word_ends() -> None:
    assert files.safe_name("alpha beta gamma", limit=12) == "alpha-beta"
    assert files.safe_name("a " + "b" * 30, limit=10) == "a-bbbbbbbb"


@given(st.text(max_size=200), st.integers(1, 90))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_a_name_that_every_file_system_takes(text: str, limit: int) -> None:
    name = files.safe_name(text, limit=limit)
    assert len(name) <= limit
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert name == name.strip("-")
    assert files.safe_name(name, limit=limit) == name


def test_what_cannot_be_looked_at_is_neither_file_nor_folder_nor_gone(tmp_path: Path) -> None:
    # Root may look at everything, but a name that is too long nobody can look at.
    path = tmp_path / ("x" * 300)
    assert not files.is_file(path)
    assert not files.is_folder(path)
    assert not files.is_gone(path)


def test_a_path_with_nothing_at_it_is_gone(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "nothing")
    (tmp_path / "file").touch()
    assert files.is_gone(tmp_path / "nothing")
    assert files.is_gone(tmp_path / "file" / "below")
    assert files.is_gone(link)
    assert not files.is_gone(tmp_path / "file")
