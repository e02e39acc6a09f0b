import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.digest.names import fit_name
from journald.digest.redact import Redactor
from journald.transcript.tally import Tally, counted

TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
clean = Redactor().clean


@pytest.mark.parametrize(
    "name",
    [
        "2.1.300/new-type",
        "2.1.300-beta.4+build/attachment/hook_error_during_execution",
        "?/not-an-object",
        "2.1.300/assistant/text_editor_code_execution_tool_result",
    ],
)
def test_what_looks_like_a_name_is_repeated(name: str) -> None:
    assert fit_name(name, clean) == name


@pytest.mark.parametrize(
    ("name", "fit"),
    [
        ("2.1.300/the words of a person", "2.1.300/(no name)"),
        ("2.1.300/two\nlines/sub", "2.1.300/(no name)/sub"),
        ("2.1.300//sub", "2.1.300/(no name)/sub"),
        ("2.1.300/naïve", "2.1.300/(no name)"),
        (f"2.1.300/{'x' * 49}", "2.1.300/(no name)"),
        (f"2.1.300/{TOKEN}", "2.1.300/[REDACTED:github-token]"),
        (f"{TOKEN}/user", "[REDACTED:github-token]/user"),
    ],
)
def test_what_does_not_is_replaced_part_by_part(name: str, fit: str) -> None:
    assert fit_name(name, clean) == fit


def test_a_secret_that_the_session_gave_away_is_no_name_either() -> None:
    knowing = Redactor().knowing(["PASSWORD=Mb7-quince-Lantern-40"]).clean
    assert "quince" not in fit_name("2.1.300/Mb7-quince-Lantern-40", knowing)


@pytest.mark.parametrize("filler", range(20, 48))
def test_half_of_a_secret_that_was_cut_is_not_told(filler: int) -> None:
    tally = Tally()
    tally.not_known("2.1.300", "x" * filler, TOKEN)
    (name,) = counted([tally]).unknown_kinds
    assert TOKEN[4:12] not in fit_name(name, clean)


@settings(max_examples=50)
@given(st.text())
def test_nothing_but_names_and_marks_comes_out(name: str) -> None:
    fit = fit_name(name, clean)
    assert re.fullmatch(r"[\w.+?/()\[\]: -]*", fit, re.ASCII)
    assert fit_name(fit, clean).count("/") == fit.count("/")
