from hypothesis import given
from hypothesis import strategies as st

from journald.transcript.bulk import Bulk
from journald.transcript.session import ToolCall, ToolResult

ROOM = 100_000
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3000),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def test_texts_are_kept_whole_while_there_is_room() -> None:
    bulk = Bulk(ROOM)
    text = "x" * 50_000
    assert bulk.text(text) is text
    assert bulk.elided == 0


def test_past_the_bound_a_long_text_keeps_its_ends_and_says_what_is_missing() -> None:
    bulk = Bulk(ROOM)
    bulk.text("x" * 99_000)
    cut = bulk.text("START" + "x" * 50_000 + "END")
    assert cut.startswith("START")
    assert cut.endswith("END")
    assert "[elided 49880 chars]" in cut
    assert bulk.elided == 49_880


def test_short_texts_are_kept_whole_however_many_there_were() -> None:
    bulk = Bulk(0)
    assert bulk.text("one passed") == "one passed"
    assert bulk.elided == 0


def test_one_long_text_takes_no_room_from_those_that_fit() -> None:
    bulk = Bulk(ROOM)
    bulk.text("x" * 200_000)
    text = "y" * 50_000
    assert bulk.text(text) is text


def test_a_call_and_a_result_keep_their_small_facts() -> None:
    bulk = Bulk(0)
    call = ToolCall(
        call_id="c", name="Write", input={"file_path": "/a", "content": "x" * 5000, "edits": ["y"]}
    )
    kept = bulk.call(call)
    assert kept.input["file_path"] == "/a"
    assert kept.input["edits"] == ["y"]
    assert len(kept.input["content"]) < 2000
    assert call.input["content"] == "x" * 5000
    result = ToolResult(call_id="c", details={"status": "completed"})
    assert bulk.result(result) is result


@given(value=JSON)
def test_with_room_enough_nothing_is_changed(value: object) -> None:
    bulk = Bulk(1 << 40)
    call = ToolCall(call_id="c", name="n", input={"value": value})
    assert bulk.call(call) is call


@given(values=st.lists(st.text(max_size=5000), max_size=30))
def test_what_is_kept_and_what_is_elided_add_up(values: list[str]) -> None:
    bulk = Bulk(10_000)
    kept = [bulk.text(value) for value in values]
    lost = sum(
        len(value) - 128 for value, other in zip(values, kept, strict=True) if other != value
    )
    assert bulk.elided == lost
