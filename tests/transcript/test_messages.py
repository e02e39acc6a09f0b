from pathlib import Path

import pytest

from journald.transcript.session import EventKind, NoticeKind
from tests.rows import Rows, text_block
from tests.transcript.reading import read, texts

SPENT = {
    "input_tokens": 5,
    "output_tokens": 1,
    "cache_read_input_tokens": 7,
    "cache_creation_input_tokens": 9,
}


def tool_use(call_id: str, command: str = "ls") -> dict[str, object]:
    return {"type": "tool_use", "id": call_id, "name": "Bash", "input": {"command": command}}


def test_one_message_spread_over_rows_is_counted_once(tmp_path: Path) -> None:
    rows = Rows()
    rows.assistant({"type": "thinking", "thinking": "Hm."}, message_id="m1", usage=SPENT)
    rows.assistant(tool_use("t1"), message_id="m1", usage=SPENT)
    rows.result("t1", "a")
    rows.assistant(text_block("Done."), message_id="m1", usage=SPENT | {"output_tokens": 50})
    rows.say("Other.", message_id="m2", model="other-model")
    session = read(rows, tmp_path)
    usage = session.usage
    assert (usage.input, usage.output, usage.cache_read, usage.cache_creation) == (15, 70, 37, 49)
    assert usage.output_reliable
    assert session.models == {"claude-sonnet-5": 1, "other-model": 1}
    assert [event.kind for event in session.events] == [
        EventKind.THINKING,
        EventKind.TOOL_CALL,
        EventKind.TOOL_RESULT,
        EventKind.ASSISTANT,
        EventKind.ASSISTANT,
    ]
    assert {event.message_id for event in session.events} == {"m1", "m2", None}


def test_a_growing_snapshot_keeps_its_event(tmp_path: Path) -> None:
    rows = Rows()
    rows.assistant(text_block("I will"), message_id="m1")
    rows.assistant(text_block("I will look"), message_id="m1")
    rows.assistant(text_block("I will look now."), tool_use("t1"), message_id="m1")
    rows.assistant(text_block("I will look now."), tool_use("t1", "ls -l"), message_id="m1")
    rows.say("next")
    session = read(rows, tmp_path)
    assert [(event.id, event.text) for event in session.events] == [
        ("e1", "I will look now."),
        ("e2", ""),
        ("e3", "next"),
    ]
    assert session.events[1].call is not None
    assert session.events[1].call.input == {"command": "ls -l"}
    assert session.events[0].line == 1


def test_distinct_texts_of_a_message_are_all_kept(tmp_path: Path) -> None:
    rows = Rows()
    rows.assistant(text_block("Done"), message_id="m1")
    rows.assistant(tool_use("t1"), message_id="m1")
    rows.assistant(text_block("Done at last"), message_id="m1")
    rows.assistant(text_block("Bye"), message_id="m1")
    session = read(rows, tmp_path)
    assert texts(session.events, EventKind.ASSISTANT) == ["Done", "Done at last", "Bye"]


def test_blank_blocks_tell_nothing(tmp_path: Path) -> None:
    rows = Rows()
    rows.assistant(
        text_block("(no content)"),
        text_block(" \n"),
        {"type": "thinking", "thinking": "", "signature": "x"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "fallback", "from": {"model": "a"}, "to": {"model": "b"}},
    )
    session = read(rows, tmp_path)
    assert session.events == ()
    assert session.lines.unknown == 0


def test_an_unknown_block_is_counted_and_named(tmp_path: Path) -> None:
    rows = Rows()
    rows.assistant({"type": "hologram"}, text_block("hello"))
    session = read(rows, tmp_path)
    assert texts(session.events) == ["hello"]
    assert session.lines.unknown_kinds == {"2.1.219/assistant/hologram": 1}


def test_history_written_again_with_new_uuids_is_told_once(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("do it")
    rows.bash("make", "ok")
    rows.say("done")
    rows.compact("the story so far")
    again = [
        row | {"uuid": f"again-{number}"}
        for number, row in enumerate(rows.rows)
        if isinstance(row, dict)
    ]
    before = read(rows, tmp_path)
    rows.rows.extend(again)
    rows.user("more")
    after = read(rows, tmp_path)
    assert after.events[:-1] == before.events
    assert after.events[-1].id == f"e{len(before.events) + 1}"
    assert (after.usage, after.models) == (before.usage, before.models)


def test_rows_repeated_with_their_uuid_are_told_once(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("do it")
    rows.system("away_summary", content="Recap. (disable recaps in /config)")
    rows.rows.extend([*rows.rows])
    rows.user("other words", uuid=rows.last_uuid)
    session = read(rows, tmp_path)
    assert texts(session.events) == ["do it", "Recap.", "other words"]


def test_the_same_words_at_another_time_are_said_twice(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("continue")
    rows.user("continue")
    assert texts(read(rows, tmp_path).events) == ["continue", "continue"]


def test_what_the_program_says_in_the_models_name_is_no_answer(tmp_path: Path) -> None:
    rows = Rows()
    rows.say("No response requested.", model="<synthetic>", isApiErrorMessage=False)
    rows.say("Prompt is too long", model="<synthetic>", isApiErrorMessage=True)
    session = read(rows, tmp_path)
    assert [(event.notice, event.text) for event in session.events] == [
        (NoticeKind.API_ERROR, "Prompt is too long")
    ]
    assert session.models == {}
    assert session.usage.input == 0


@pytest.mark.parametrize(
    ("version", "reliable"),
    [("2.1.96", False), ("1.0.98", False), ("2.1.97", True), ("2.2.0-beta", True), ("odd", True)],
)
def test_output_tokens_of_old_versions_are_unreliable(
    tmp_path: Path, version: str, reliable: bool
) -> None:
    rows = Rows(version=version)
    rows.say("hello")
    assert read(rows, tmp_path).usage.output_reliable is reliable


def test_cache_tokens_that_stand_in_the_breakdown_alone_are_counted(tmp_path: Path) -> None:
    rows = Rows()
    usage = {
        "input_tokens": None,
        "cache_creation_input_tokens": 0,
        "cache_creation": {"ephemeral_5m_input_tokens": 3, "ephemeral_1h_input_tokens": 4},
        "iterations": [{"input_tokens": 1000}],
    }
    rows.say("hello", usage=usage)
    spent = read(rows, tmp_path).usage
    assert (spent.input, spent.cache_creation) == (0, 7)


def test_tools_of_the_api_are_calls_with_results(tmp_path: Path) -> None:
    rows = Rows()
    rows.assistant(
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s1",
            "content": [{"type": "web_search_result", "title": "T", "url": "https://t.example"}],
        },
    )
    session = read(rows, tmp_path)
    call, result = session.events
    assert call.call is not None
    assert call.call.name == "web_search"
    assert (result.text, result.result and result.result.call_id) == ("T https://t.example", "s1")
    assert session.pending_calls == ()


def test_notices_of_system_rows(tmp_path: Path) -> None:
    rows = Rows()
    rows.system("away_summary", content="We fixed it. (disable recaps in /config)")
    rows.system("model_refusal_fallback", content="Switched to another model.")
    rows.system(
        "api_error",
        error={"status": 529, "error": {"error": {"message": "Overloaded"}}},
        retryAttempt=2,
        maxRetries=10,
    )
    rows.system("api_error", error={}, cause={"code": "ConnectionRefused"})
    rows.system("stop_hook_summary", preventedContinuation=True, stopReason="Run the tests")
    for silent in ("turn_duration", "bridge_status", "microcompact_boundary", "hook_thing"):
        rows.system(silent, content="x")
    rows.system("stop_hook_summary", preventedContinuation=False, stopReason="")
    rows.attachment("edited_text_file", filename="/home/ada/shop/a.py", snippet="1 x")
    rows.attachment("task_reminder")
    session = read(rows, tmp_path)
    assert [(event.notice, event.text) for event in session.events] == [
        (NoticeKind.RECAP, "We fixed it."),
        (NoticeKind.REFUSAL, "Switched to another model."),
        (NoticeKind.API_ERROR, "API error: Overloaded (retry 2 of 10)"),
        (NoticeKind.API_ERROR, "API error: ConnectionRefused"),
        (NoticeKind.HOOK, "Run the tests"),
        (NoticeKind.FILE_EDITED, "/home/ada/shop/a.py"),
    ]
    assert session.lines.unknown == 0
