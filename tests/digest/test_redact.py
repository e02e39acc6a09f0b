import json
import time
import urllib.parse
from base64 import b64encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.digest.defuse import strip_controls
from journald.digest.redact import Redactor
from journald.errors import ConfigError
from tests.digest.secrets_made_up import CARRIED, LOOK_ALIKES, PASSWORD, SHAPED, URL, run

REDACTOR = Redactor()


@pytest.mark.parametrize(("kind", "secret"), SHAPED.items(), ids=SHAPED.keys())
@pytest.mark.parametrize(
    "around", ["{}", "say {}, please", '"{}"', "x={}", "`{}`", r"\n{}\n", "%3D{}%26", "({})"]
)
def test_a_secret_with_a_shape_of_its_own_is_named_and_taken_out(
    kind: str, secret: str, around: str
) -> None:
    text, counts = REDACTOR.counted(around.format(secret))
    assert text == around.format(f"[REDACTED:{kind}]")
    assert counts == {kind: 1}


@pytest.mark.parametrize(("text", "secret"), CARRIED.values(), ids=CARRIED.keys())
def test_a_secret_that_its_surroundings_tell_is_taken_out(text: str, secret: str) -> None:
    made, counts = REDACTOR.counted(strip_controls(text))
    assert "[REDACTED:" in made
    assert secret not in made.replace("AccountKey=[", "").replace("KEY=[", "")
    assert sum(counts.values()) >= 1


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert REDACTOR.clean(text) == text


def _pem(label: str, line_end: str = "\n", before: str = "") -> str:
    body = [run(URL.replace("-", "+").replace("_", "/"), 64) for _ in range(6)]
    lines = [f"-----BEGIN {label}-----", *body, f"-----END {label}-----"]
    return line_end.join(f"{before}{line}" for line in lines)


@pytest.mark.parametrize(
    "label",
    [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ],
)
@pytest.mark.parametrize(
    ("line_end", "before"), [("\n", ""), ("\\n", ""), ("\n", "    12\u2192"), ("\n", "+")]
)
def test_a_private_key_goes_whole(label: str, line_end: str, before: str) -> None:
    made = REDACTOR.clean(f"start {_pem(label, line_end, before)} stop")
    assert made.removeprefix("start ").removeprefix(before) == "[REDACTED:private-key] stop"


def test_a_private_key_cut_off_at_its_end_goes_too() -> None:
    key = _pem("RSA PRIVATE KEY").rsplit("\n", 2)[0]
    assert REDACTOR.clean(f"{key}\n[elided 900 chars]\nrest") == (
        "[REDACTED:private-key]\n[elided 900 chars]\nrest"
    )


def test_a_private_key_cut_off_at_its_start_goes_too() -> None:
    lines = _pem("RSA PRIVATE KEY").split("\n")
    made = REDACTOR.clean("some words\n" + "\n".join(lines[3:]))
    assert made == "some words\n[REDACTED:private-key]"


def test_a_value_told_once_is_taken_out_wherever_it_stands() -> None:
    made, counts = REDACTOR.counted(f"DB_PASSWORD={PASSWORD}\nlogin failed for {PASSWORD}")
    assert made == "DB_PASSWORD=[REDACTED:password]\nlogin failed for [REDACTED:password]"
    assert counts == {"password": 2}


def test_a_redactor_that_was_told_values_knows_them_in_other_texts() -> None:
    knowing = REDACTOR.knowing([f"export DB_PASSWORD={PASSWORD}"])
    assert knowing.clean(f"it answered {PASSWORD}!") == "it answered [REDACTED:password]!"
    assert REDACTOR.clean(f"it answered {PASSWORD}!") == f"it answered {PASSWORD}!"


def test_known_values_are_found_in_disguise() -> None:
    secret = 'Pa"ss/w0rd&long'
    knowing = REDACTOR.knowing([f"DB_PASSWORD='{secret}'"])
    for disguise in (
        json.dumps(secret)[1:-1],
        urllib.parse.quote(secret, safe=""),
        b64encode(secret.encode()).decode().rstrip("="),
    ):
        assert disguise not in knowing.clean(f"<{disguise}>")


def test_plain_words_are_never_learned() -> None:
    knowing = REDACTOR.knowing(["DB_PASSWORD=postgres", "API_TOKEN=12345678"])
    assert knowing.clean("postgres runs on 12345678") == "postgres runs on 12345678"


def test_kinds_of_the_users_own_are_redacted_and_named() -> None:
    redactor = Redactor({"badge number": r"badge-(\d+)"})
    assert redactor.clean("badge-4711") == "badge-[REDACTED:badge-number]"


def test_an_expression_that_does_not_compile_is_an_error_of_the_configuration() -> None:
    with pytest.raises(ConfigError, match=r"redact\.patterns\.broken"):
        Redactor({"broken": "("})


_PIECES = st.sampled_from(
    [
        *SHAPED.values(),
        *(text for text, _ in CARRIED.values()),
        *LOOK_ALIKES,
        "[REDACTED:password]",
        ": ",
        "=",
        "\n",
        '"',
        "token",
        " ",
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=8).map("".join))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    once = REDACTOR.clean(text)
    assert REDACTOR.clean(once) == once


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.sampled_from(sorted(SHAPED.values())), st.text(max_size=200))
def test_no_surroundings_bring_a_secret_through(before: str, secret: str, after: str) -> None:
    assert secret not in REDACTOR.clean(f"{before} {secret} {after}")


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "0",
        " ",
        "\n",
        "-",
        "_",
        "=",
        '"',
        "'",
        "\\",
        ":",
        "/",
        ".",
        "eyJ",
        "eyJ.",
        "password",
        "key_",
        "://a:",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "AAAA\n",
        "curl ",
    ],
)
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        started = time.process_time()
        REDACTOR.clean(text)
        return time.process_time() - started

    # A quadratic expression would take hours for a text of this size.
    assert seconds(100_000) < 5
