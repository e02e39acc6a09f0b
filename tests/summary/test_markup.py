import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.summary.markup import harmless, title

parts = st.lists(
    st.sampled_from(
        [
            "<",
            ">",
            "!",
            "[",
            "]",
            "(",
            ")",
            "`",
            "--",
            "# ",
            "\n",
            "a",
            " ",
            "script",
            "http://x",
            "=",
            "~~~",
            "-",
            "<!--",
            "-->",
            "$=",
        ]
    ),
    max_size=25,
).map("".join)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("# A heading\n\n- a list", "A heading - a list"),
        ("<script>alert(1)</script>", r"\<script>alert(1)\</script>"),
        ("The tag `<b>` stays code", "The tag `<b>` stays code"),
        ("x <!-- journald:end --> y", "x journald:end y"),
        ("`<!-- journald:end -->`", "`journald:end`"),
        ("![spy](https://evil.example/x.png)", "spy"),
        ("![[secret note]]", "secret note"),
        ("[click](javascript:alert(1))", "click)"),
        ("[docs](https://a.org/b)", "docs https://a.org/b"),
        ("`= this.file.name` and `$= dv.pages()`", "`this.file.name` and `dv.pages()`"),
        ("a lone ` backtick", "a lone backtick"),
        ("```js\ncode\n```", "`js code`"),
        ("1 < 2 and a <- b", "1 < 2 and a <- b"),
        ("<think>so</think> done", "so done"),
        ("%%hidden", "%hidden"),
        ("<% tp.system %>", r"\<% tp.system %>"),
        ("zero\u200bwidth \u202eright", "zero width right"),
    ],
)
def test_text_that_acts_is_made_inert(said: str, shown: str) -> None:
    assert harmless(said) == shown


@settings(max_examples=200, deadline=None)
@given(parts)
def test_nothing_that_acts_survives_and_a_second_pass_changes_nothing(said: str) -> None:
    shown = harmless(said)
    assert harmless(shown) == shown
    assert "\n" not in shown
    assert "<!--" not in shown
    assert "-->" not in shown
    assert "```" not in shown
    assert not shown.startswith(("#", "> "))


def test_a_title_has_no_markup_at_all() -> None:
    assert title('## **Fix** the `cart` <b>now</b> ["x"](y)') == 'Fix the cart now "x'
