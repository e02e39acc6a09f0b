import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journald.transcript import lines
from journald.transcript.reader import Reader, read_session
from journald.transcript.session import EventKind
from journald.transcript.slim import Slimmer
from tests.rows import Rows, image_block, text_block

MEGABYTE = 1024 * 1024
TEXT = st.text(
    st.sampled_from('ab"\\\n\x01\u00e9\u2028\U0001f4d6{}[],:') | st.characters(codec="utf-8")
)
JSON = st.recursive(
    TEXT | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)


def slim(data: bytes, end: int, cuts: list[int]) -> tuple[bytes, int]:
    slimmer = Slimmer(end)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    for start, stop in pairwise(edges):
        slimmer.feed(data[start:stop])
    return slimmer.finish(), slimmer.elided


@given(value=JSON, ascii_=st.booleans(), cuts=st.lists(st.integers(0, 400), max_size=5))
def test_a_line_of_short_strings_comes_out_as_it_went_in(
    value: object, ascii_: bool, cuts: list[int]
) -> None:
    data = json.dumps(value, ensure_ascii=ascii_).encode()
    assert slim(data, 10_000, cuts) == (data, 0)


@given(value=JSON, ascii_=st.booleans(), cuts=st.lists(st.integers(0, 400), max_size=5))
def test_however_strings_are_cut_the_line_stays_json_of_the_same_shape(
    value: object, ascii_: bool, cuts: list[int]
) -> None:
    data = json.dumps({"key": value, "end": 1}, ensure_ascii=ascii_).encode()
    slimmed, elided = slim(data, 8, cuts)
    read = json.loads(slimmed.decode())
    assert read.keys() == {"key", "end"}
    assert type(read["key"]) is type(value)
    assert (elided == 0) == (slimmed == data)


@given(data=st.binary(max_size=600), cuts=st.lists(st.integers(0, 600), max_size=5))
def test_it_does_not_matter_in_which_pieces_a_line_comes(data: bytes, cuts: list[int]) -> None:
    assert slim(data, 16, cuts) == slim(data, 16, [])


def test_of_a_long_string_both_ends_are_kept_and_the_rest_is_counted() -> None:
    slimmed, elided = slim(b'{"a":"' + b"0123456789" * 100 + b'","b":2}', 50, [])
    assert json.loads(slimmed) == {
        "a": "0123456789" * 4 + "012345678[elided 907 bytes]" + "6789" + "0123456789" * 4,
        "b": 2,
    }
    assert elided == 907


@pytest.mark.parametrize("kind", ["image", "result", "duplicate", "prompt", "progress"])
def test_a_line_of_megabytes_is_read_by_its_ends_and_says_so(tmp_path: Path, kind: str) -> None:
    rows = Rows()
    rows.user("Before.")
    body = "START \u00e9 " + "x" * (6 * MEGABYTE) + " END"
    if kind == "image":
        rows.user([image_block(body), text_block("Look.")])
    elif kind == "result":
        rows.tool("Bash", {"command": "cat big"}, body)
    elif kind == "duplicate":
        rows.tool("Bash", {"command": "cat big"}, "short", {"stdout": body})
    elif kind == "prompt":
        rows.user(body)
    else:
        rows.tree("progress", data={"type": "bash_progress", "fullOutput": body})
    rows.say("After.")
    session = read_session(rows.write(tmp_path))
    texts = [event.text for event in session.events]
    assert texts[0] == "Before."
    assert texts[-1] == "After."
    assert session.lines.elided_chars > 4 * MEGABYTE
    assert session.lines.broken == session.lines.skipped_bytes == 0
    if kind in {"result", "prompt"}:
        (long,) = (text for text in texts if text.startswith("START \u00e9"))
        assert long.endswith(" END")
        assert " bytes]" in long


def test_a_long_line_that_is_no_long_string_is_skipped_and_its_place_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LINE_LIMIT", 4 * MEGABYTE)
    rows = Rows()
    rows.user("Before.")
    rows.tree("progress", data={"many": list(range(1_000_000))})
    rows.say("After.")
    path = rows.write(tmp_path)
    session = read_session(path)
    assert [event.text for event in session.events] == ["Before.", "After."]
    assert session.lines.skipped_bytes > 4 * MEGABYTE
    assert session.lines.damaged_at == ((path.name, 2),)


def test_a_long_line_in_writing_is_waited_for(tmp_path: Path) -> None:
    rows = Rows()
    rows.tool("Read", {"file_path": "/a"}, "y" * (9 * MEGABYTE))
    data = rows.data()
    path = tmp_path / "s.jsonl"
    reader = Reader()
    for cut in (5 * MEGABYTE, 6 * MEGABYTE, len(data)):
        with path.open("ab") as stream:
            stream.write(data[path.stat().st_size : cut])
        session = reader.read(path)
        assert session == read_session(path)
        assert session.lines.truncated == (cut < len(data))
    assert [event.kind for event in session.events][-1] is EventKind.TOOL_RESULT
