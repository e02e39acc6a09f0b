import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.programs import bare_steps


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("sudo -u ada env A=1 rm x", ("rm", "x")),
        ("timeout -k 5 60 make", ("make",)),
        ("npx -y prettier .", ("prettier", ".")),
        ("pnpm exec tsc", ("tsc",)),
        ("pnpm install", ("pnpm", "install")),
        ("uv run --with rich pytest -q", ("pytest", "-q")),
        ("poetry run python -m black .", ("black", ".")),
        ("python3 -c x", ("python3", "-c", "x")),
        ("nohup nice -n 5 make build", ("make", "build")),
        ("A=1 B=2 make", ("make",)),
        ("wsl -d Ubuntu -e make", ("make",)),
        ("wsl -e bash -lc 'make build'", ("make", "build")),
        ("sudo bash -c 'sudo sh -c make'", ("make",)),
    ],
)
def test_a_command_is_told_without_its_wrappers(command: str, words: tuple[str, ...]) -> None:
    assert [step.words for step in bare_steps(command)] == [words]


@pytest.mark.parametrize(
    ("command", "proven"),
    [
        ("a && b", ["a", "b"]),
        ("a; b", ["b"]),
        ("a | b", ["b"]),
        ("a && b | c && d", ["a", "c", "d"]),
        ("a || b", []),
        ("a || b && c", ["c"]),
        ("(a || b) && c", ["c"]),
        ("(a; b) && c", ["b", "c"]),
        ("a && b &", []),
        ("sudo bash -c 'a; b' && c", ["b", "c"]),
        ("sudo", []),
    ],
)
def test_what_had_to_succeed_for_the_line_to_succeed_is_marked(
    command: str, proven: list[str]
) -> None:
    assert [step.words[0] for step in bare_steps(command) if step.passes] == proven


@settings(max_examples=200)
@given(st.text(alphabet="ab ;&|<>()$'\"\\\n-=", max_size=40))
def test_any_line_can_be_taken_apart(command: str) -> None:
    assert all(step.words for step in bare_steps(f"sudo env A=1 bash -c {command}"))
