import re

from hypothesis import given, settings
from hypothesis import strategies as st

from journald.digest.elide import cut, cut_line


def test_text_within_its_budget_is_left_alone() -> None:
    assert cut("short", 10, 10).text == "short"
    assert cut("short", 10, 10).elided == 0


def test_a_cut_says_how_much_is_gone() -> None:
    made = cut("a" * 500, 50, 50)
    assert made.text == f"{'a' * 50}\n[elided 400 chars]\n{'a' * 50}"
    assert made.elided == 400


def test_a_cut_moves_to_the_border_of_a_line_when_one_is_near() -> None:
    text = "\n".join(f"line {number}" for number in range(100))
    head, _, tail = cut(text, 60, 60).text.partition("\n[elided ")
    assert head.splitlines()[-1] in text.splitlines()
    assert tail.splitlines()[1] in text.splitlines()


def test_a_mark_that_would_not_shorten_the_text_is_not_set() -> None:
    assert cut("a" * 105, 50, 50).text == "a" * 105


def test_a_budget_of_nothing_leaves_only_the_mark() -> None:
    assert cut("a" * 100, 0, 0).text == "[elided 100 chars]"


def test_a_cut_line_stays_one_line() -> None:
    made = cut_line("b" * 300, 90)
    assert "\n" not in made.text
    assert made.elided == 210


@settings(max_examples=60)
@given(st.text(alphabet="ab\n", max_size=400), st.integers(0, 60), st.integers(0, 60))
def test_head_mark_and_tail_account_for_every_character(text: str, head: int, tail: int) -> None:
    made = cut(text, head, tail)
    assert len(made.text) <= len(text)
    if made.elided:
        first, number, last = re.split(r"\n?\[elided (\d+) chars\]\n?", made.text)
        assert text.startswith(first)
        assert int(number) == made.elided
        assert text.removesuffix("\n").endswith(last)
