import pytest

from journald.summary.words import beginning, opening


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("short", 10, "short"),
        ("two\n lines", 20, "two lines"),
        ("some words here", 12, "some words…"),
        ("unbreakableword", 8, "unbreak…"),
    ],
)
def test_an_opening_is_one_line_cut_at_a_word(text: str, limit: int, shown: str) -> None:
    assert opening(text, limit) == shown
    assert len(shown) <= limit or shown == text


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("One paragraph.\n\nAnother one that is long.", 25, "One paragraph. …"),
        ("One sentence. Another one that is long.", 25, "One sentence. …"),
        ("no end of it in sight here", 16, "no end of it in …"),
        ("Said this.\n\n**Then**\n\nthat and more of it", 24, "Said this. …"),
        ("Said this.\n\nDone so:\n\n- a thing or two", 24, "Said this. …"),
        ("Said it.\n\n| a | b |\n|---|---|\n| long row | x |\n", 32, "Said it. …"),
    ],
)
def test_a_beginning_ends_where_something_ends(text: str, limit: int, shown: str) -> None:
    assert beginning(text, limit) == shown


def test_a_code_block_that_is_cut_is_closed() -> None:
    shown = beginning("See:\n\n```py\n" + "x = 1\n" * 40 + "```\n", 60)
    assert shown.count("```") == 2
    assert shown.endswith("…\n```")
