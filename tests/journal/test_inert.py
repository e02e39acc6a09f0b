import pytest
from hypothesis import given, settings
from markdown_it import MarkdownIt

from journald.journal import inert
from journald.journal.quotation import fenced, quotation, shortened
from tests.journal.entries import HOSTILE

PARSER = MarkdownIt("gfm-like", {"linkify": False})
ACTING = {"html_block", "html_inline", "image", "link_open", "heading_open", "hr"}


def tokens(markdown: str) -> set[str]:
    found: set[str] = set()
    for token in PARSER.parse(markdown):
        found |= {token.type} | {child.type for child in token.children or ()}
    return found


def shown(markdown: str) -> str:
    """Return the text that a reader sees."""
    return "".join(
        child.content
        for token in PARSER.parse(markdown)
        for child in token.children or ()
        if child.type in {"text", "code_inline"}
    )


@pytest.mark.parametrize(
    "text",
    [
        "# no heading", "- no item", "1. no item", "> no quote", "---", "===", "a <b>bold</b> move", "<!-- hidden",
        "![pic](http://x.example/a.png)", "[click](http://x.example)", "[a]: http://x.example", "![[embed]]",
        "costs $5 and $6", "#fff and #bug", "&lt;b&gt;", "C:\\new\\.env", "an unpaired ` tick", "a ~~~ b",
        "__init__.py", "%%hidden%%", "a == b == c", "issue #12", "ends with #",
    ],
)  # fmt: skip
def test_words_of_a_transcript_show_as_they_are(text: str) -> None:
    line = inert.words(text, literal=True)
    assert not tokens(f"before {line}") & ACTING
    assert not tokens(line) & (
        ACTING | {"bullet_list_open", "ordered_list_open", "blockquote_open"}
    )
    assert shown(line) == text


def test_tags_tasks_and_wiki_links_of_a_notes_app_are_escaped() -> None:
    assert (
        inert.words("see #bug [[page]] - [ ] todo %%x%%")
        == r"see \#bug \[\[page]] - \[ ] todo %\%x%\%"
    )
    assert (
        inert.words("issue #12, [REDACTED:api-key], [Image #1]")
        == "issue #12, [REDACTED:api-key], [Image #1]"
    )


def test_code_and_emphasis_stay() -> None:
    assert inert.words("run `a <b> [c]` **now**") == "run `a <b> [c]` **now**"


def test_escapes_that_are_there_already_are_not_doubled() -> None:
    assert inert.words(r"a \<b> c") == r"a \<b> c"


def test_what_cannot_be_seen_is_taken_out() -> None:
    assert inert.plain("a\x00b\x1b[31mred\x1b[0m\u202ec\ufeff\r\nd") == "abredc\nd"
    assert inert.plain("\ud83d") == "\ufffd"
    assert inert.one_line("a\u2028b\n\n c") == "a b c"


@pytest.mark.parametrize("text", ["a", "`", "a`b", "``x`` `", "<!-- -->", "\\", "a | b"])
def test_inline_code_shows_its_text(text: str) -> None:
    assert shown(inert.code(text)) == text


def test_inline_code_that_a_notes_app_would_run_is_no_code() -> None:
    assert "code_inline" not in tokens(inert.code("= this.file"))
    assert "code_inline" not in tokens(inert.words("x `$= dv.pages()` y"))


@settings(max_examples=100, deadline=None)
@given(HOSTILE)
def test_no_line_does_anything(text: str) -> None:
    for line in (inert.words(text), inert.words(text, literal=True), inert.code(text)):
        assert "\n" not in line
        assert not tokens(line) & ACTING
        assert not tokens(f"- {line}") & ACTING
        assert not tokens(f"**x** {line} <sub>y</sub>") - {"html_inline"} & ACTING


@settings(max_examples=100, deadline=None)
@given(HOSTILE)
def test_escaping_twice_is_escaping_once(text: str) -> None:
    once = inert.words(text)
    assert inert.words(once) == once


@settings(max_examples=100, deadline=None)
@given(HOSTILE)
def test_a_quotation_stays_in_its_frame_and_does_nothing(text: str) -> None:
    for literal in (True, False):
        lines = quotation(text, literal=literal)
        assert all(line.startswith(">") and "\n" not in line for line in lines)
        quoted = "\n".join(lines)
        assert not tokens(quoted) & ACTING
        top = [token for token in PARSER.parse(f"{quoted}\n\nafter") if token.level == 0]
        assert [token.type for token in top] == [
            "blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close",
        ]  # fmt: skip


def test_a_block_of_code_is_quoted_as_code_with_a_fence_of_its_own() -> None:
    text = "look:\n```python\nprint('```')\n# no heading\n```\ndone"
    assert quotation(text) == [
        "> look:", "> ````python", "> print('```')", "> # no heading", "> ````", "> done",
    ]  # fmt: skip


def test_a_fence_that_is_never_closed_ends_with_the_quotation() -> None:
    assert quotation("```\nx") == ["> ```", "> x", "> ```"]


def test_a_block_for_a_notes_app_to_run_becomes_plain_code() -> None:
    assert fenced(["dv.pages()"], "dataviewjs") == ["```", "dv.pages()", "```"]
    assert fenced(["x"], "Python") == ["```python", "x", "```"]


def test_indented_text_becomes_code_but_a_nested_list_stays_a_list() -> None:
    assert quotation("log:\n\n    <a>\n\n    b")[-5:] == ["> ```", "> <a>", ">", "> b", "> ```"]
    assert quotation("- a\n    - b") == ["> - a", ">     - b"]


def test_lines_end_where_their_writer_ended_them() -> None:
    assert quotation("one\ntwo\n\n- three") == ["> one  ", "> two", ">", "> - three"]


def test_long_text_keeps_its_start_and_its_end_and_counts_the_rest() -> None:
    text = "start " + "middle " * 1000 + "why does it fail?"
    short = shortened(text, 1500)
    assert short.startswith("start middle")
    assert short.endswith("why does it fail?")
    left_out = int(short.split("[… ")[1].split(" ")[0].replace(",", ""))
    assert left_out == len(text) - len(short.split("\n\n")[0]) - len(short.split("\n\n")[2])
    assert len(short) < 1600
    assert shortened("short", 1500) == "short"
