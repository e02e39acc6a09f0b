import errno
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from watchdog.observers.api import BaseObserver
from watchdog.observers.inotify import InotifyObserver
from watchdog.observers.polling import PollingObserver

from journald.watch.observer import Observer, WatchMode, transcript_of

ROOT = Path("/h/.claude/projects")
S = "0f0e0d0c-0b0a-4009-8008-070605040302"
PATIENCE_SECONDS = 10


@pytest.mark.parametrize(
    ("path", "transcript"),
    [
        (f"p/{S}.jsonl", f"p/{S}.jsonl"),
        (f"p/{S}/subagents/agent-1.jsonl", f"p/{S}.jsonl"),
        (f"p/{S}/subagents/workflows/wf_1/agent-2.jsonl", f"p/{S}.jsonl"),
        (f"p/{S}/tool-results/x.txt", None),
        (f"p/{S}/tool-results/x.jsonl", None),
        ("p/memory/note.md", None),
        ("history.jsonl", None),
        ("p/agent-0a1b2c3d.jsonl", None),
        (f"p/{S}.jsonl.superseded-1", None),
        ("p/sessions-index.json", None),
    ],
)
def test_which_transcript_a_file_belongs_to(path: str, transcript: str | None) -> None:
    expected = None if transcript is None else ROOT / transcript
    assert transcript_of(ROOT, ROOT / path) == expected


def test_files_elsewhere_belong_to_none() -> None:
    assert transcript_of(ROOT, Path("/elsewhere/p/s.jsonl")) is None


@pytest.fixture
def observer(tmp_path: Path) -> Iterator[Observer]:
    (tmp_path / "one").mkdir()
    made = Observer([tmp_path / "one", tmp_path / "two"], threading.Event())
    yield made
    made.stop()


def hinted(observer: Observer, within: Callable[[frozenset[Path]], bool]) -> frozenset[Path]:
    seen: frozenset[Path] = frozenset()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not within(seen) and time.monotonic() < deadline:
        time.sleep(0.02)
        seen |= observer.take()[0]
    return seen


def append(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as stream:
        stream.write("{}\n")
    return path


def test_an_append_in_a_new_folder_is_hinted_at_once(observer: Observer, tmp_path: Path) -> None:
    observer.start()
    assert observer.mode is WatchMode.NATIVE
    written = append(tmp_path / "one" / "p" / f"{S}.jsonl")
    assert hinted(observer, lambda seen: written in seen) == {written}


def test_a_subagents_append_is_a_hint_for_its_parent(observer: Observer, tmp_path: Path) -> None:
    observer.start()
    append(tmp_path / "one" / "p" / S / "subagents" / "agent-1.jsonl")
    parent = tmp_path / "one" / "p" / f"{S}.jsonl"
    assert hinted(observer, lambda seen: parent in seen) == {parent}


def test_a_root_that_appears_later_is_watched_from_the_next_refresh(
    observer: Observer, tmp_path: Path
) -> None:
    observer.start()
    (tmp_path / "two").mkdir()
    observer.refresh()
    written = append(tmp_path / "two" / "p" / f"{S}.jsonl")
    assert hinted(observer, lambda seen: written in seen) == {written}


def test_a_root_that_is_made_anew_is_watched_from_the_next_refresh(
    observer: Observer, tmp_path: Path
) -> None:
    observer.start()
    shutil.rmtree(tmp_path / "one")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not observer.take()[1] and time.monotonic() < deadline:
        time.sleep(0.02)
    (tmp_path / "one").mkdir()
    written = tmp_path / "one" / "p" / f"{S}.jsonl"

    def seen_after_refresh(seen: frozenset[Path]) -> bool:
        observer.refresh()
        append(written)
        return written in seen

    assert written in hinted(observer, seen_after_refresh)


def test_reading_a_transcript_hints_at_nothing(observer: Observer, tmp_path: Path) -> None:
    read, written = (
        append(tmp_path / "one" / "p" / f"{S[:-1]}0.jsonl"),
        tmp_path / "one" / "p" / f"{S}.jsonl",
    )
    observer.start()
    read.read_bytes()
    append(written)
    assert hinted(observer, lambda seen: written in seen) == {written}


def no_watches_left(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "inotify watch limit reached")


def test_without_free_watches_it_polls_and_asks_for_a_scan(
    observer: Observer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InotifyObserver, "schedule", no_watches_left)
    observer.start()
    assert observer.mode is WatchMode.POLLING
    assert observer.take()[1]


def test_where_polling_fails_too_the_scan_is_left(
    observer: Observer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(InotifyObserver, "schedule", no_watches_left)
    monkeypatch.setattr(PollingObserver, "schedule", no_watches_left)
    observer.start()
    assert observer.mode is WatchMode.SCAN
    observer.refresh()
    assert observer.mode is WatchMode.SCAN


def test_a_watcher_that_cannot_start_is_replaced_by_polling(
    observer: Observer, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = BaseObserver.start

    def start(self: BaseObserver) -> None:
        if isinstance(self, InotifyObserver):
            raise OSError(errno.EMFILE, "inotify instance limit reached")
        real(self)

    monkeypatch.setattr(BaseObserver, "start", start)
    observer.start()
    assert observer.mode is WatchMode.POLLING
