"""A session read on as it grows is the session read whole."""

import os
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from journald.errors import TranscriptMissingError
from journald.transcript.reader import Reader, read_session
from journald.transcript.session import Session
from tests.rows import Rows, encode, text_block
from tests.transcript.reading import requests

UNBOUNDED = 1 << 40


def told(session: Session) -> Session:
    """Return `session` without where it lies, for comparison."""
    return replace(session, path="")


def test_what_was_read_before_is_not_read_again(tmp_path: Path) -> None:
    rows = Rows()
    for number in range(100):
        rows.user(f"Paint shelf {number} red.")
    path = rows.write(tmp_path)
    reader = Reader()
    before = reader.read(path)
    rows.user("Done?")
    # Far from both ends of what was read, this shows only to who reads all of it again.
    path.write_bytes(rows.data().replace(b"shelf 50 red", b"shelf 50 tan"))
    after = reader.read(path)
    assert after.events[:-1] == before.events
    assert after.events[-1].text == "Done?"
    assert "Paint shelf 50 tan." in requests(read_session(path))


def test_a_torn_last_line_waits_for_its_rest(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    whole = _conversation().data()
    cut = len(whole) - 30
    path.write_bytes(whole[:cut])
    reader = Reader()
    before = reader.read(path)
    assert before.lines.truncated
    with path.open("ab") as stream:
        stream.write(whole[cut:])
    after = reader.read(path)
    assert not after.lines.truncated
    assert after == read_session(path)
    assert len(after.events) > len(before.events)


@pytest.mark.parametrize("rest", [b"\n", b'{"type":"summary","summary":"Glued","leafUuid":"x"}\n'])
def test_a_record_whose_line_had_no_end_yet_is_told_once(tmp_path: Path, rest: bytes) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(_conversation().data().removesuffix(b"\n"))
    reader = Reader()
    reader.read(path)
    with path.open("ab") as stream:
        stream.write(rest)
    assert reader.read(path) == read_session(path)


def _replaced(path: Path, data: bytes) -> None:
    other = path.with_name("other")
    other.write_bytes(data)
    other.rename(path)


def _truncated(path: Path, data: bytes) -> None:
    os.truncate(path, len(data))
    assert path.read_bytes() == data


def _rewritten(path: Path, data: bytes) -> None:
    path.write_bytes(data)


@pytest.mark.parametrize("change", [_replaced, _rewritten])
@pytest.mark.parametrize("more", [0, 1], ids=["of the same size", "longer"])
def test_another_content_under_the_same_name_is_read_from_its_start(
    tmp_path: Path, change: Callable[[Path, bytes], None], more: int
) -> None:
    first, second = Rows(), Rows()
    first.user("Mend the till.")
    second.user("Bend the till.")
    for _ in range(more):
        second.say("Bent.")
    path = first.write(tmp_path)
    reader = Reader()
    assert requests(reader.read(path)) == ["Mend the till."]
    change(path, second.data())
    assert requests(reader.read(path)) == ["Bend the till."]
    assert reader.read(path) == read_session(path)


def test_a_line_cut_off_in_place_is_noticed(tmp_path: Path) -> None:
    rows = _conversation()
    path = rows.write(tmp_path)
    reader = Reader()
    whole = reader.read(path)
    rows.rows.pop()
    _truncated(path, rows.data())
    assert reader.read(path) == read_session(path)
    assert len(reader.read(path).events) < len(whole.events)


def test_a_file_cut_off_and_grown_past_its_old_size_is_noticed(tmp_path: Path) -> None:
    rows = _conversation()
    path = rows.write(tmp_path)
    reader = Reader()
    reader.read(path)
    rows.rows.pop()
    rows.user("Something else, and longer than what stood here before it was cut off. " * 40)
    path.write_bytes(rows.data())
    assert reader.read(path) == read_session(path)


def test_a_file_moved_to_another_project_is_read_there(tmp_path: Path) -> None:
    path = _conversation().write(tmp_path / "one")
    reader = Reader()
    before = reader.read(path)
    there = tmp_path / "two" / path.name
    there.parent.mkdir()
    path.rename(there)
    with pytest.raises(TranscriptMissingError):
        reader.read(path)
    assert told(reader.read(there)) == told(before)


def test_an_agents_file_grows_shrinks_and_goes(tmp_path: Path) -> None:
    path = _conversation().write(tmp_path)
    agent = Rows(isSidechain=True, agentId="a1b2c3d", prefix="agent")
    agent.user("Look at the shelves.")
    agent.say("There are nine.")
    folder = path.with_suffix("") / "subagents"
    reader = Reader()
    assert reader.read(path).subagents == ()
    file = agent.write(folder, "agent-a1b2c3d.jsonl")
    assert reader.read(path) == read_session(path)
    agent.say("And a tenth.")
    agent.write(folder, "agent-a1b2c3d.jsonl")
    assert reader.read(path) == read_session(path)
    agent.rows.pop(0)
    agent.write(folder, "agent-a1b2c3d.jsonl")
    assert reader.read(path) == read_session(path)
    file.unlink()
    assert reader.read(path).subagents == ()


def test_rows_become_another_sessions_once_that_is_known(tmp_path: Path) -> None:
    original = _conversation()
    copy = Rows("11111111-1111-4111-8111-111111111111", start=original.now, prefix="copy")
    copy.rows = [*original.rows]
    copy.user("Go on.")
    path = copy.write(tmp_path)
    reader = Reader()
    assert len(requests(reader.read(path))) > 1
    original.write(tmp_path)
    assert requests(reader.read(path)) == ["Go on."]
    assert reader.read(path) == read_session(path)


def test_a_rewind_is_seen_when_it_comes_later(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Begin.")
    fork = rows.say("Begun.")
    rows.user("Paint it red.")
    rows.say("Red.")
    path = rows.write(tmp_path)
    reader = Reader()
    reader.read(path)
    for colour in ("green", "blue"):
        rows.last_uuid = fork
        rows.user(f"Paint it {colour}.")
        rows.say(f"{colour}.")
        rows.write(tmp_path)
        assert reader.read(path) == read_session(path)
    withdrawn = [event.text for event in reader.read(path).events if event.withdrawn]
    assert withdrawn == ["Paint it red.", "Red.", "Paint it green.", "green."]


def test_what_is_over_the_bound_is_read_whole_and_right(tmp_path: Path) -> None:
    rows = _conversation()
    path = rows.write(tmp_path)
    reader = Reader(kept=0)
    assert reader.read(path) == read_session(path)
    rows.user("More.")
    rows.write(tmp_path)
    assert reader.read(path) == read_session(path)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_read_on_in_any_pieces_it_is_the_session_read_whole(
    tmp_path: Path, data: st.DataObject
) -> None:
    folder = tmp_path / "live"
    shutil.rmtree(folder, ignore_errors=True)
    path = folder / "s.jsonl"
    whole = _eventful().data()
    agent = _agent().data()
    beside = folder / "s" / "subagents" / "agent-a1b2c3d.jsonl"
    cuts = data.draw(st.lists(st.integers(0, len(whole)), max_size=6).map(sorted))
    cuts_beside = data.draw(st.lists(st.integers(0, len(agent)), max_size=6).map(sorted))
    reader = Reader()
    for at, there in _steps(cuts, len(whole), cuts_beside, len(agent)):
        _grow(path, whole[:at])
        _grow(beside, agent[:there])
        assert reader.read(path) == read_session(path)


@pytest.mark.corpus
@pytest.mark.parametrize("seed", range(4))
def test_every_real_transcript_cut_anywhere_reads_as_whole(
    corpus: Path, tmp_path: Path, seed: int
) -> None:
    for project in sorted(folder for folder in corpus.iterdir() if folder.is_dir()):
        grow_as_whole(project, tmp_path / project.name, random.Random(f"{seed} {project.name}"))


def grow_as_whole(project: Path, folder: Path, chance: random.Random) -> None:
    """Let the files of a real project grow in pieces, and hold every reading against a whole one.

    Raises AssertionError with the transcript and where its files were cut.
    """
    files = {
        file.relative_to(project): file.read_bytes()
        for file in sorted(project.rglob("*"))
        if file.is_file()
    }
    sizes = dict.fromkeys(files, 0)
    reader = Reader(UNBOUNDED)
    for left in range(chance.randint(1, 6), -1, -1):
        for name, content in files.items():
            sizes[name] = _next_cut(content, sizes[name], chance) if left else len(content)
            _grow(folder / name, content[: sizes[name]])
        for path in folder.glob("*.jsonl"):
            assert reader.read(path) == read_session(path), (path, sizes)


def _next_cut(content: bytes, start: int, chance: random.Random) -> int:
    """Return where a file is cut next: anywhere, or close to the end of a line."""
    cut = chance.randint(start, len(content))
    if chance.random() < 0.5:
        return cut
    end = content.find(b"\n", cut)
    return cut if end < 0 else min(max(start, end + chance.choice((-1, 0, 1, 2))), len(content))


def _grow(path: Path, data: bytes) -> None:
    """Append what `path` lacks of `data`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = path.stat().st_size if path.exists() else 0
    with path.open("ab") as stream:
        stream.write(data[size:])


def _steps(
    cuts: list[int], end: int, cuts_beside: list[int], end_beside: int
) -> Iterator[tuple[int, int]]:
    longest = max(len(cuts), len(cuts_beside))
    for index in range(longest):
        yield (
            cuts[index] if index < len(cuts) else end,
            cuts_beside[index] if index < len(cuts_beside) else end_beside,
        )
    yield end, end_beside


def _conversation() -> Rows:
    rows = Rows()
    rows.user("Count the shelves.")
    rows.say("Counting.")
    rows.bash("ls shelves", "nine\n")
    rows.say("Nine: \u00fcber, \u2028 and \U0001f4d6.")
    return rows


def _agent() -> Rows:
    rows = Rows(isSidechain=True, agentId="a1b2c3d", prefix="agent")
    rows.user("Look at the shelves.")
    rows.bash("ls -l", "total 9\n")
    rows.say("There are n\u00efne.")
    return rows


def _eventful() -> Rows:
    """Return a session with all that depends on what came before."""
    rows = _conversation()
    rows.queue("enqueue", "And the drawers?")
    rows.queue("remove")
    rows.call("Task", {"prompt": "Look at the shelves.", "subagent_type": "general-purpose"})
    fork = rows.assistant(text_block("Shall"), message_id="msg_snapshot")
    rows.assistant(text_block("Shall I go on?"), message_id="msg_snapshot")
    rows.user("No.")
    rows.rows.append(rows.rows[0])
    rows.last_uuid = fork
    rows.user("Yes.")
    rows.compact("Shelves were counted.")
    rows.add(encode({"type": "custom-title", "customTitle": "Shelves"}).rstrip(b"\n"))
    rows.meta("last-prompt", leafUuid=fork)
    rows.add(b'{"type":"user","message":{"role":"user","content":"cut o\n')
    rows.add(b"\0" * 40 + b"\n")
    rows.user("\U0001f4da and more")
    return rows
