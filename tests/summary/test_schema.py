import json

import pytest

from journald.summary.schema import (
    NARRATIVE_SCHEMA,
    NOTES_SCHEMA,
    AnswerError,
    AnswerFault,
    Draft,
    Notes,
    decode,
)

NOTES = {
    "events": [{"what": "Added a cart", "why": "", "outcome": "done", "evidence": ["e3"]}],
    "decisions": [],
    "problems": [],
    "lessons": [],
    "open_threads": [],
}


def keywords(schema: object) -> set[str]:
    if isinstance(schema, dict):
        return {*schema, *(word for inner in schema.values() for word in keywords(inner))}
    return set()


@pytest.mark.parametrize("schema", [NOTES_SCHEMA, NARRATIVE_SCHEMA])
def test_schemas_use_no_keyword_that_breaks_escapes_in_strings(schema: object) -> None:
    assert not keywords(schema) & {"minLength", "maxLength", "pattern", "format"}


@pytest.mark.parametrize(("schema", "shape"), [(NOTES_SCHEMA, Notes), (NARRATIVE_SCHEMA, Draft)])
def test_a_schema_asks_for_exactly_the_fields_that_are_read(
    schema: dict[str, object], shape: type[Notes | Draft]
) -> None:
    assert schema["required"] == [*shape.__struct_fields__]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        "Here are the notes {{as you wished}}:\n{}\nI hope that helps.",
        "<think>First {{I}} look at it.</think>\n{}",
        "First I look at it, with no tag at the start.</think>{}",
    ],
)
def test_what_stands_around_the_json_is_put_aside(around: str) -> None:
    wrapped = around.replace("{{", "\0").replace("}}", "\1").replace("{}", json.dumps(NOTES))
    found = decode(wrapped.replace("\0", "{").replace("\1", "}"), Notes)
    assert [event.what for event in found.events] == ["Added a cart"]


def test_raw_control_characters_in_strings_are_read() -> None:
    answer = '{"title": "A\ttab\nand a line", "summary": [{"text": "x", "evidence": ["e1"]}]}'
    assert decode(answer, Draft).title == "A\ttab\nand a line"


def test_missing_fields_and_evidence_written_as_one_string_are_taken() -> None:
    found = decode('{"summary": [{"text": "Done", "evidence": "e1, e2"}]}', Draft)
    assert found.summary[0].evidence == "e1, e2"
    assert found.story == ()


@pytest.mark.parametrize(
    ("answer", "cut_off", "fault"),
    [
        ("", False, AnswerFault.EMPTY),
        ("<think>only that</think>", False, AnswerFault.EMPTY),
        ("<think>and no end of it", False, AnswerFault.EMPTY),
        ("<think>and no end of it", True, AnswerFault.CUT_OFF),
        ("I cannot do that.", False, AnswerFault.UNPARSABLE),
        ('{"other": 1}', False, AnswerFault.UNPARSABLE),
        ('{"events": "none"}', False, AnswerFault.UNPARSABLE),
        ('{"events": [{"what": "Added', True, AnswerFault.CUT_OFF),
        ('{"events": [{"what": "Added', False, AnswerFault.CUT_OFF),
        ("[" * 100_000, False, AnswerFault.UNPARSABLE),
    ],
)
def test_an_unusable_answer_says_what_is_wrong_with_it(
    answer: str, cut_off: bool, fault: AnswerFault
) -> None:
    with pytest.raises(AnswerError) as caught:
        decode(answer, Notes, cut_off=cut_off)
    assert caught.value.fault is fault


def test_an_answer_that_is_whole_is_taken_even_where_the_engine_stopped_at_its_limit() -> None:
    assert not decode(json.dumps(NOTES), Notes, cut_off=True).empty
