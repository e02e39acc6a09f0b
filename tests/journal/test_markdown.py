import re
from datetime import date, datetime
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from journald.journal.document import front_of, identify, merge
from journald.journal.frontmatter import dump, load
from journald.journal.markdown import compose, render
from journald.ledger.facts import (
    Change,
    Command,
    Delegation,
    FileChange,
    SlashCommand,
    TestRun,
)
from journald.summary.narrative import Source, Standing, Status
from journald.transcript.session import Origin
from tests.journal.entries import HOSTILE, entry, full, request, stated
from tests.sessions import START

SECTIONS = [
    "Summary", "What was asked", "Story", "Decisions", "Problems and fixes", "Lessons", "Open threads", "Facts",
]  # fmt: skip


def as_it_is(text: str) -> str:
    return text


def front(text: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(front_of(text) or "")
    return loaded


def body(text: str) -> str:
    return re.split(r"^<!-- journald:(?:begin.*|end) -->$", text, flags=re.MULTILINE)[1]


def headings(text: str) -> list[str]:
    parsed = MarkdownIt("commonmark").parse(body(text))
    return [
        parsed[at + 1].content for at, token in enumerate(parsed) if token.type == "heading_open"
    ]


def test_the_front_matter_holds_what_notes_apps_read() -> None:
    read = front(render(entry(tags=("claude-code",)), as_it_is))
    assert read["title"] == "Add VAT rounding"
    assert read["date"] == date(2026, 3, 5)
    assert read["started"] == datetime.fromisoformat("2026-03-05T10:00:00+01:00")
    assert (read["project"], read["branch"], read["active"]) == ("shop", "main", "1h 24m")
    assert (read["active_minutes"], read["models"], read["tokens"]) == (84, ["claude-test"], 100)
    assert read["tags"] == ["claude-code"]
    internal = read["journald"]
    assert internal["session"] == "0f0e0d0c-0b0a-4009-8008-070605040302"
    assert (internal["fingerprint"], internal["status"]) == ("f1", "complete")
    assert internal["generation"] == {
        "engine": "vllm", "model": "m", "prompts": "1", "plan": "single",
    }  # fmt: skip


def test_dates_are_written_as_notes_apps_expect_them() -> None:
    text = render(entry(), as_it_is)
    assert "\ndate: 2026-03-05\n" in text
    assert "\nstarted: 2026-03-05T10:00:00+01:00\n" in text


def test_texts_that_another_reader_takes_for_numbers_are_quoted() -> None:
    assert (
        dump({"a": "12e4", "b": "0o17", "c": "7m", "d": "v1"})
        == 'a: "12e4"\nb: "0o17"\nc: 7m\nd: v1\n'
    )


def test_sections_stand_in_order_and_empty_ones_are_left_out() -> None:
    assert [
        heading for heading in headings(render(full("x"), as_it_is)) if heading in SECTIONS
    ] == SECTIONS
    assert headings(render(entry(), as_it_is)) == [
        "Add VAT rounding", "Summary", "What was asked", "Facts", "Times and tokens",
    ]  # fmt: skip


def test_a_request_stands_with_its_time_and_how_it_came() -> None:
    asked = (request("short"), request("in between", id="e7", origin=Origin.QUEUED, images=2))
    text = body(render(entry(facts={"requests": asked}), as_it_is))
    assert "- **10:00** short <sub>[e1]</sub>" in text
    assert "- **10:00** *(while it worked, with 2 pictures)* in between <sub>[e7]</sub>" in text


def test_a_request_of_several_lines_is_quoted_whole() -> None:
    text = body(render(entry(facts={"requests": (request("one\n\n# two"),)}), as_it_is))
    assert "- **10:00** <sub>[e1]</sub>\n  > one\n  >\n  > \\# two\n" in text


def test_pasted_material_is_shown_by_its_head_and_the_rest_is_counted() -> None:
    text = body(render(entry(facts={"requests": (request("log line\n" * 5000),)}), as_it_is))
    assert re.search(r"\[… 4\d,\d{3} more characters\]", text)
    assert len(text) < 4000


def test_quoted_and_unverified_statements_are_told_from_others() -> None:
    told = {
        "summary": (stated("said so", standing=Standing.QUOTED, about="the question"),),
        "lessons": (stated("perhaps", standing=Standing.UNVERIFIED), stated("surely", "e9")),
        "open_threads": (stated("and now?", standing=Standing.QUOTED),),
    }
    text = body(render(entry(told=told), as_it_is))
    assert "**the question** <sub>[e1]</sub>\n\n> said so\n" in text
    assert "- perhaps *(unverified)* <sub>[e1]</sub>\n- surely <sub>[e9]</sub>\n" in text
    assert "- “and now?” <sub>[e1]</sub>" in text


def test_an_entry_without_a_model_says_so_in_one_line() -> None:
    assert "Written without" not in render(entry(), as_it_is)
    quoted = render(entry(told={"source": Source.EXTRACTIVE}), as_it_is)
    assert quoted.count("*Written without a model: ") == 1
    pending = entry(status=Status.NARRATIVE_PENDING, reason="no GPU")
    assert "*Not yet written by a model (no GPU): " in render(pending, as_it_is)
    assert front(render(pending, as_it_is))["journald"]["reason"] == "no GPU"


def test_of_many_commands_the_failed_ones_are_told_and_the_rest_is_counted() -> None:
    commands = tuple(
        Command(
            id=f"e{n}", at=None, command=f"run {n}", ok=n % 10 != 0, exit_status=int(n % 10 == 0)
        )
        for n in range(1, 301)
    )
    text = body(render(entry(facts={"commands": commands}), as_it_is))
    assert "300 commands ran, 30 of them failed." in text
    assert "- `run 10` exit 1 <sub>[e10]</sub>" in text
    assert "`run 11`" not in text
    assert "- and 15 more commands" in text


def test_files_left_out_are_summed_up() -> None:
    files = tuple(
        FileChange(path=f"/home/ada/shop/f{n}", change=Change.EDITED, added=1, removed=2, ids=())
        for n in range(50)
    )
    text = body(render(entry(facts={"files": files}), as_it_is))
    assert "- `f0` edited +1 \u22122" in text
    assert "- and 10 more files +10 \u221220" in text


def test_of_many_test_runs_the_last_ones_are_told() -> None:
    runs = tuple(
        TestRun(
            id=f"e{n}",
            at=None,
            command=f"pytest {n}",
            runner="pytest",
            passed=n,
            failed=0,
            ok=n > 3,
        )
        for n in range(1, 21)
    )
    text = body(render(entry(facts={"tests": runs}), as_it_is))
    assert "- 8 earlier runs, 3 of them failed" in text
    assert "- `pytest 20`: 20 passed, 0 failed <sub>[e20]</sub>" in text


def test_times_of_later_days_have_their_date() -> None:
    later = request("more", at=START.replace(day=7))
    text = body(render(entry(facts={"requests": (later,)}), as_it_is))
    assert "- **2026-03-07 10:00** more" in text


def test_secrets_are_redacted_everywhere_and_counted() -> None:
    def redact(text: str) -> str:
        return text.replace("hunter2", "[REDACTED:password]")

    text = render(full("pass hunter2 word"), redact)
    assert "hunter2" not in text
    counts = front(text)["journald"]["redactions"]
    assert counts == {"password": body(text).count("[REDACTED:password]")}


def test_a_secret_is_redacted_before_it_is_cut() -> None:
    def redact(text: str) -> str:
        return re.sub("k{40}", "[REDACTED:key]", text)

    told = {"subagents": ()}
    asked = (request("a" * 1180 + " " + "k" * 40 + " b" * 1000),)
    text = render(entry(facts={"requests": asked, **told}), redact)
    assert "kkk" not in text


@settings(max_examples=30, deadline=None)
@given(HOSTILE)
def test_no_text_breaks_the_front_matter_the_markers_or_the_sections(hostile: str) -> None:
    told = full(hostile)
    text = render(told, as_it_is)
    text.encode("utf-8")
    read = front(text)
    assert [*read][-1] == "journald"
    assert read["journald"]["session"] == told.session_id
    assert text.count("<!-- journald:begin") == text.count("<!-- journald:end -->") == 1
    assert merge(text, compose(told, as_it_is)) == text
    assert [heading for heading in headings(text) if heading in SECTIONS] == SECTIONS
    assert "<%" not in text
    parsed = MarkdownIt("gfm-like", {"linkify": False}).parse(body(text))
    inline = [child for token in parsed for child in token.children or ()]
    html = {child.content for child in inline if child.type == "html_inline"}
    assert html <= {"<sub>", "</sub>"}
    assert not [token for token in parsed if token.type == "html_block"]
    assert not [child for child in inline if child.type == "image"]
    links = [child for child in inline if child.type == "link_open"]
    # Addresses of pages and pull requests show where they lead.
    assert all(link.info == "auto" for link in links)


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(
        st.text("abcdef", min_size=1), HOSTILE | st.lists(HOSTILE, max_size=3), max_size=4
    )
)
def test_front_matter_is_read_back_as_it_was_written(mapping: dict[str, Any]) -> None:
    from journald.journal.inert import one_line  # noqa: PLC0415

    clean = {
        key: one_line(value) if isinstance(value, str) else [one_line(one) for one in value]
        for key, value in mapping.items()
    }
    assert load(dump(clean)) == (clean or {})


def test_an_entry_is_known_by_its_front_matter_else_by_its_marker() -> None:
    text = render(entry(), as_it_is)
    known = identify(text)
    assert known is not None
    assert (known.fingerprint, known.status) == ("f1", "complete")
    session = known.session_id
    broken = identify(text.replace("\ntitle:", "\ntitle: [:"))
    assert broken is not None
    assert (broken.session_id, broken.fingerprint) == (session, "")
    bare = identify(text.split("---\n", 2)[2])
    assert bare is not None
    assert bare.session_id == session
    assert identify("# a note about journald\n") is None


def test_a_test_run_whose_successes_were_not_counted_is_told_by_its_result() -> None:
    runs = (
        TestRun(id="e1", at=None, command="a", runner="", passed=None, failed=0, ok=True),
        TestRun(id="e2", at=None, command="b", runner="", passed=None, failed=2, ok=False),
        TestRun(id="e3", at=None, command="c", runner="", passed=None, failed=None, ok=None),
    )
    text = body(render(entry(facts={"tests": runs}), as_it_is))
    told = re.findall(r"^- `[abc]`: (.*?) <sub>", text, re.MULTILINE)
    assert told == ["passed", "2 failed", "no result seen"]


def test_the_arguments_of_a_command_are_told_where_they_were_said() -> None:
    text = render(
        entry(
            facts={
                "requests": (request("first", id="e1"), request("third", id="e12")),
                "slash_commands": (
                    SlashCommand(id="e3", at=START, text="/brainstorm a logo\nin ASCII"),
                    SlashCommand(id="e20", at=START, text="/exit"),
                ),
            }
        ),
        as_it_is,
    )
    asked = text.partition("## What was asked")[2].partition("## ")[0]
    said = ["first", "/brainstorm a logo", "in ASCII", "third", "slash commands: `/exit`"]
    assert sorted(said, key=asked.index) == said
    assert "*(as a command)*" in asked


@pytest.mark.parametrize(
    ("report", "told"),
    [
        ("## Summary\n\nHere is a summary:\n\nTwo bugs were found.", "Two bugs were found."),
        ("Only a heading:", "Only a heading:"),
        ("Two bugs.\n\nMore.", "Two bugs."),
    ],
)
def test_a_sub_agents_report_is_told_by_its_first_words_that_say_something(
    report: str, told: str
) -> None:
    delegation = Delegation(
        id="e5", at=START, kind="Explore", description="look", events=2, outcome=report
    )
    text = render(entry(facts={"subagents": (delegation,)}), as_it_is)
    assert f"“{told}”" in text


def test_a_code_block_that_is_cut_is_closed_before_the_mark() -> None:
    code = "```py\n" + "total += 1\n" * 400 + "```\nWhat is wrong with it?"
    text = render(entry(facts={"requests": (request(code),)}), as_it_is)
    asked = text.partition("## What was asked")[2].partition("## ")[0]
    lines = [line.strip() for line in asked.splitlines()]
    mark = next(number for number, line in enumerate(lines) if "more characters]" in line)
    fences = [number for number, line in enumerate(lines) if line.startswith("> ```")]
    assert len([number for number in fences if number < mark]) % 2 == 0
    assert len(fences) % 2 == 0
    assert "> What is wrong with it?" in lines
