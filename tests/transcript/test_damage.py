import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.errors import TranscriptError, TranscriptMissingError
from journald.transcript import lines
from journald.transcript.reader import read_session
from journald.transcript.session import EventKind
from tests.rows import Rows, encode
from tests.transcript.reading import read, requests, texts


def two_prompts() -> tuple[Rows, bytes, bytes]:
    rows = Rows()
    rows.user("first prompt")
    rows.user("second prompt")
    first, second = (encode(row) for row in rows.rows)
    return rows, first, second


def test_two_records_without_a_newline_between_are_both_read(tmp_path: Path) -> None:
    rows, first, second = two_prompts()
    rows.rows = [first.strip() + second]
    session = read(rows, tmp_path)
    assert requests(session) == ["first prompt", "second prompt"]
    assert (session.lines.recovered, session.lines.broken) == (1, 0)


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_record_after_a_cut_one_is_read(tmp_path: Path, share: float) -> None:
    rows, first, second = two_prompts()
    rows.rows = [first[: int(len(first) * share)] + second]
    session = read(rows, tmp_path)
    assert requests(session) == ["second prompt"]
    assert session.lines.recovered == 1


def test_a_message_inside_of_a_cut_progress_row_is_no_record(tmp_path: Path) -> None:
    rows = Rows()
    inner = {"type": "user", "uuid": "x", "message": {"role": "user", "content": "not said"}}
    rows.tree("progress", data={"type": "agent_progress", "message": inner, "prompt": "p" * 50})
    stub = encode(rows.rows[0])
    stub = stub[: stub.index(b"pppp")]
    rows.rows = []
    rows.user("said")
    rows.rows = [stub + encode(rows.rows[0])]
    session = read(rows, tmp_path)
    assert requests(session) == ["said"]


def test_a_summary_glued_to_a_record_is_read(tmp_path: Path) -> None:
    rows = Rows()
    uuid = rows.user("do it")
    summary = encode({"type": "summary", "summary": "The title", "leafUuid": uuid})
    rows.rows = [encode(rows.rows[0]).strip() + summary]
    assert read(rows, tmp_path).title == "The title"


def test_nul_bytes_are_stripped_and_the_record_kept(tmp_path: Path) -> None:
    rows, first, second = two_prompts()
    rows.rows = [b"\0" * 700 + first, second.strip() + b"\0" * 9000 + b"\n", b"\0" * 5000 + b"\n"]
    session = read(rows, tmp_path)
    assert requests(session) == ["first prompt", "second prompt"]
    assert (session.lines.recovered, session.lines.broken) == (2, 1)


def test_a_partial_last_line_is_held_back(tmp_path: Path) -> None:
    rows, first, second = two_prompts()
    rows.rows = [first, second[:-30]]
    session = read(rows, tmp_path)
    assert requests(session) == ["first prompt"]
    assert session.lines.truncated
    assert session.lines.broken == 0


def test_a_whole_last_line_without_newline_is_read(tmp_path: Path) -> None:
    rows, first, second = two_prompts()
    rows.rows = [first, second.strip()]
    session = read(rows, tmp_path)
    assert requests(session) == ["first prompt", "second prompt"]
    assert not session.lines.truncated


def test_a_line_cut_inside_of_a_character_is_held_back(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("grüße")
    row = encode(rows.rows[0])
    rows.rows = [row[: row.index("ü".encode()) + 1]]
    session = read(rows, tmp_path)
    assert session.events == ()
    assert session.lines.truncated


def test_separators_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("one\u2028two\u2029three\u0085four")
    assert requests(read(rows, tmp_path)) == ["one\u2028two\u2029three\u0085four"]


@pytest.mark.parametrize("escape", [r"\ud83d", r"\udcb2", r"\ud83d\ud83d", r"\uDE00 x"])
def test_a_lone_surrogate_can_be_written_again(tmp_path: Path, escape: str) -> None:
    rows = Rows()
    rows.user("odd MARK end, pair \\ud83d")
    row = encode(rows.rows[0]).replace(b"MARK", escape.encode())
    rows.rows = [row]
    session = read(rows, tmp_path)
    (text,) = requests(session)
    text.encode()
    assert text.startswith("odd \ufffd")
    assert text.endswith(" end, pair \\ud83d")


def test_a_pair_of_surrogate_escapes_is_its_character(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("MARK")
    rows.rows = [encode(rows.rows[0]).replace(b"MARK", rb"\ud83d\ude00 and \udcb2")]
    assert requests(read(rows, tmp_path)) == ["\U0001f600 and \ufffd"]


def test_invalid_utf8_becomes_replacement_characters(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("caf\u00e9")
    rows.rows = [encode(rows.rows[0]).replace("é".encode(), b"\xe9")]
    assert requests(read(rows, tmp_path)) == ["caf\ufffd"]


def test_control_characters_and_terminal_escapes_are_gone(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("a\0b\x07\x1b[1;31mred\x1b[0m\x1b]0;title\x07\r\nnext\tcell")
    rows.tool("Bash", {"command": "printf '\0'"}, "\x1b[32mok\x1b[m\x08")
    session = read(rows, tmp_path)
    assert requests(session) == ["abred\nnext\tcell"]
    assert texts(session.events, EventKind.TOOL_RESULT) == ["ok"]
    assert [event.call.input for event in session.events if event.call] == [
        {"command": "printf ''"}
    ]


def test_raw_control_characters_and_nan_are_recovered(tmp_path: Path) -> None:
    rows, first, second = two_prompts()
    rows.rows = [
        first.replace(b"first prompt", b"first\x01 prompt"),
        second.replace(b'"timestamp":"2026-03-05T09:00:01.000Z"', b'"timestamp":NaN'),
    ]
    session = read(rows, tmp_path)
    assert requests(session) == ["first prompt", "second prompt"]
    assert session.events[1].at is None
    assert session.lines.recovered == 2


def test_lines_that_are_no_records_are_counted_and_named(tmp_path: Path) -> None:
    rows, first, second = two_prompts()
    rows.rows = [
        b"42\n", b"[1]\n", b'"massive error"\n', b'{"silly":"this"}\n', b"// note\n", b"\n", first,
        encode({"type": "user", "uuid": "u1", "message": "error"}),
        encode({"type": "user", "uuid": "u2", "message": {"0": "a", "1": "b"}}),
        encode({"type": "user", "uuid": "u3", "message": {"role": "user", "contenst": "typo"}}),
        encode({"type": "brand-new", "version": "2.9.1"}),
        encode({"type": "system", "subtype": "brand_new", "uuid": "u4", "version": "2.9.1"}),
        second,
    ]  # fmt: skip
    session = read(rows, tmp_path)
    assert requests(session) == ["first prompt", "second prompt"]
    assert session.lines.broken == 1
    assert session.lines.unknown == 9
    assert session.lines.total == 13
    assert dict(session.lines.unknown_kinds) == {
        "?/not-an-object": 3,
        "?/?": 1,
        "2.1.219/user/no-content": 3,
        "2.9.1/brand-new": 1,
        "2.9.1/system/brand_new": 1,
    }


def test_a_field_of_the_wrong_type_loses_nothing_else(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("do it", isMeta="no", version=2, cwd=["x"], origin="human", timestamp={"at": 1})
    rows.assistant(
        {"type": "text", "text": "done"},
        {"type": "text", "text": None},
        {"type": "tool_use", "id": 5, "name": "Bash", "input": "broken"},
        usage={"input_tokens": "many", "output_tokens": 7},
    )
    session = read(rows, tmp_path)
    assert requests(session) == ["do it"]
    assert texts(session.events, EventKind.ASSISTANT) == ["done"]
    assert [event.call.input for event in session.events if event.call] == [{}]
    assert session.usage.output == 7


def test_bare_strings_among_blocks_are_text(tmp_path: Path) -> None:
    rows = Rows()
    rows.user(["bare", {"type": "text", "text": "block"}, 7])
    session = read(rows, tmp_path)
    assert requests(session) == ["bare\nblock"]
    assert session.lines.unknown == 1


def test_a_line_over_the_limit_is_skipped_and_its_bytes_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "LONG", 1000)
    monkeypatch.setattr(lines, "LINE_LIMIT", 2000)
    rows, first, second = two_prompts()
    rows.rows = [first, b'{"type":"user","x":[' + b"1," * 2500 + b"1]}\n", second]
    session = read(rows, tmp_path)
    assert requests(session) == ["first prompt", "second prompt"]
    assert session.lines.skipped_bytes == 5024
    assert session.lines.bytes == rows.write(tmp_path).stat().st_size
    assert session.events[1].line == 3


def test_deeply_nested_lines_do_no_harm(tmp_path: Path) -> None:
    rows, first, second = two_prompts()
    deep = b"[" * 100_000 + b"]" * 100_000
    rows.rows = [first, b'{"type":"user","toolUseResult":' + deep + b"}\n", deep + b"\n", second]
    session = read(rows, tmp_path)
    assert requests(session) == ["first prompt", "second prompt"]
    assert session.lines.broken == 2


def test_a_missing_file_and_a_folder_are_errors_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(TranscriptMissingError) as missing:
        read_session(tmp_path / "none.jsonl")
    assert missing.value.hint
    with pytest.raises(TranscriptError, match=r"is a folder, not a file"):
        read_session(tmp_path)


def test_an_empty_file_is_an_empty_session(tmp_path: Path) -> None:
    session = read(Rows(), tmp_path)
    assert session.events == ()
    assert session.project == "unknown"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "content", "message", "id", "name", "input"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    [
        "uuid",
        "parentUuid",
        "timestamp",
        "message",
        "content",
        "attachment",
        "data",
        "toolUseResult",
        "origin",
        "forkedFrom",
        "isMeta",
        "isSidechain",
        "isCompactSummary",
        "version",
        "cwd",
        "operation",
        "error",
        "worktreeSession",
        "prNumber",
        "summary",
        "leafUuid",
        "customTitle",
        "agentId",
        "subtype",
        "usage",
    ]
)
TYPES = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "attachment",
        "progress",
        "summary",
        "queue-operation",
        "custom-title",
        "pr-link",
        "worktree-state",
        "tag",
        "last-prompt",
        "other",
    ]
)


@given(st.lists(st.tuples(TYPES, st.dictionaries(KEYS, JSON, max_size=5)), max_size=6), st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_stands_in_a_file_the_good_rows_are_read(
    tmp_path_factory: pytest.TempPathFactory,
    wild: list[tuple[str, dict[str, object]]],
    data: st.DataObject,
) -> None:
    rows = Rows()
    rows.user("kept one")
    for kind, body in wild:
        row = json.dumps({"type": kind, **body}).encode()
        cut = data.draw(st.integers(0, len(row)))
        rows.add(row[: cut or len(row)] + b"\n")
    rows.user("kept two")
    session = read(rows, tmp_path_factory.mktemp("wild"))
    said = requests(session)
    assert "kept one" in said
    assert "kept two" in said
    assert session.lines.total == len(wild) + 2
