"""What is not known is counted under its name, what is known and tells nothing is not."""

from pathlib import Path
from typing import Any

import pytest

from journald.transcript.kinds import ATTACHMENT_IGNORED, SYSTEM_IGNORED
from journald.transcript.session import NoticeKind
from tests.rows import Rows, text_block
from tests.transcript.reading import read, requests, texts


def unknown(rows: Rows, folder: Path) -> dict[str, int]:
    return dict(read(rows, folder).lines.unknown_kinds)


@pytest.mark.parametrize(
    "kind",
    [*sorted(ATTACHMENT_IGNORED), "hook_success", "hook_blocking_error", "hook_from_the_future"],
)
def test_attachments_that_tell_nothing_are_known(tmp_path: Path, kind: str) -> None:
    rows = Rows()
    rows.attachment(kind, content="secret@mail.example", files=[])
    session = read(rows, tmp_path)
    assert session.events == ()
    assert session.lines.unknown == 0


@pytest.mark.parametrize("kind", [*sorted(SYSTEM_IGNORED), "hook_from_the_future"])
def test_system_rows_that_tell_nothing_are_known(tmp_path: Path, kind: str) -> None:
    rows = Rows()
    rows.system(kind, content="x", level="info")
    session = read(rows, tmp_path)
    assert session.events == ()
    assert session.lines.unknown == 0


def test_unknown_things_are_counted_by_version_and_name(tmp_path: Path) -> None:
    rows = Rows(version="2.9.1")
    rows.user("go")
    for _ in range(3):
        rows.meta("brand-new", body=1)
    rows.system("brand_new")
    rows.attachment("brand_new")
    rows.tree("attachment")
    rows.queue("shuffle", "x")
    rows.user([text_block("and on"), {"type": "smell"}])
    rows.result("toolu_1", [text_block("ok"), {"type": "taste"}])
    rows.assistant({"type": "hologram"}, text_block("hello"))
    rows.user("older", version="2.0.1")
    rows.meta("brand-new")
    session = read(rows, tmp_path)
    assert session.lines.unknown_kinds == {
        "2.0.1/brand-new": 1,
        "2.9.1/assistant/hologram": 1,
        "2.9.1/attachment/?": 1,
        "2.9.1/attachment/brand_new": 1,
        "2.9.1/brand-new": 3,
        "2.9.1/queue-operation/shuffle": 1,
        "2.9.1/system/brand_new": 1,
        "2.9.1/user/smell": 1,
        "2.9.1/user/tool_result/taste": 1,
    }
    assert requests(session) == ["go", "and on", "older"]
    assert session.lines.types["brand-new"] == 4


def test_the_name_of_an_unknown_thing_is_clean_and_short(tmp_path: Path) -> None:
    rows = Rows()
    rows.meta("\x1b[31m" + "x" * 500)
    (name,) = unknown(rows, tmp_path)
    assert "\x1b" not in name
    assert len(name) <= 80


@pytest.mark.parametrize(
    "row",
    [
        {"type": "user", "message": {"0": "a", "1": "b", "content": []}},
        {"type": "user", "message": {"role": "user", "content": ""}},
        {"type": "user", "message": {"role": "user", "content": None}},
        {"type": "user", "message": {"role": "user", "content": {"type": "text"}}},
        {"type": "user", "message": {"role": "user", "content": [None, 7, [], {}]}},
        {"type": "assistant", "message": {"content": "plain"}},
        {"type": "assistant", "message": None},
        {"type": "assistant"},
        {"type": "system", "subtype": 7},
        {"type": "attachment", "attachment": "x"},
        {"type": "queue-operation"},
        {"type": "progress", "data": []},
        {"type": None},
        {"type": {"a": 1}},
        {},
    ],
)
def test_rows_of_any_shape_are_taken_and_the_others_read(
    tmp_path: Path, row: dict[str, Any]
) -> None:
    rows = Rows()
    rows.user("before")
    rows.add(row | {"uuid": "odd", "sessionId": rows.session_id})
    rows.user("after")
    assert requests(read(rows, tmp_path)) == ["before", "after"]


def test_notices_of_versions_without_subtypes_are_told(tmp_path: Path) -> None:
    rows = Rows(version="1.0.98")
    rows.tree("system", content="Running hook \x1b[1mlint\x1b[0m", level="info", toolUseID="t")
    rows.tree("system", content="Conversation saved", level="warning")
    rows.tree("system", content="")
    session = read(rows, tmp_path)
    assert [(event.notice, event.text) for event in session.events] == [
        (NoticeKind.HOOK, "Running hook lint"),
        (NoticeKind.OTHER, "Conversation saved"),
    ]


@pytest.mark.parametrize("kind", ["model_refusal_fallback", "model_consent_fallback"])
def test_another_model_that_took_over_is_named_when_the_row_has_no_text(
    tmp_path: Path, kind: str
) -> None:
    rows = Rows()
    rows.system(kind, originalModel="first-model", fallbackModel="second-model")
    (event,) = read(rows, tmp_path).events
    assert (event.notice, event.text) == (
        NoticeKind.REFUSAL,
        "first-model gave way to second-model.",
    )


def test_what_the_program_informs_of_is_told(tmp_path: Path) -> None:
    rows = Rows()
    rows.system("informational", content="Remote Control disconnected")
    rows.system("local_command", content="<command-name>/fast</command-name>")
    rows.system("local_command", content="Not enough messages to compact.")
    assert texts(read(rows, tmp_path).events) == [
        "Remote Control disconnected",
        "/fast",
        "Not enough messages to compact.",
    ]
