import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.shell import split
from journald.ledger.wrappers import bare_steps, script_of


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
        ("uv tool run --python 3.12 ruff check", ("ruff", "check")),
        ("uv sync", ("uv", "sync")),
        ("hatch test", ("hatch", "test")),
        ("coverage run --source src -m pytest -q", ("pytest", "-q")),
        ("python -m coverage run -m pytest", ("pytest",)),
        ("dotenv -e .env -- make", ("make",)),
        ("dotenv run make", ("make",)),
        ("cross-env CI=1 xvfb-run -s x jest", ("jest",)),
        ("pnpm --filter web exec tsc -p .", ("tsc", "-p", ".")),
        ("docker compose exec web rm x", ("docker", "compose", "exec", "web", "rm", "x")),
    ],
)
def test_a_command_is_told_without_its_wrappers(command: str, words: tuple[str, ...]) -> None:
    assert [step.words for step in bare_steps(split(command))] == [words]


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
    assert [step.words[0] for step in bare_steps(split(command)) if step.passes] == proven


def test_a_program_that_is_only_looked_for_does_not_run() -> None:
    assert [step.words for step in bare_steps(split("command -v rm && rm x"))] == [("rm", "x")]


@pytest.mark.parametrize(
    ("command", "script"),
    [
        ("pdm run test", ("pdm", "test")),
        ("timeout 60 hatch -e py312 run cov", ("hatch", "cov")),
        ("CI=1 poetry -C api run check", ("poetry", "check")),
        ("poetry install", None),
        ("make run test", None),
    ],
)
def test_a_script_of_the_project_is_known_by_its_tool(
    command: str, script: tuple[str, str] | None
) -> None:
    assert script_of(tuple(command.split())) == script


@settings(max_examples=200)
@given(st.text(alphabet="ab ;&|<>()$'\"\\\n-=", max_size=40))
def test_any_line_can_be_taken_apart(command: str) -> None:
    assert all(step.words for step in bare_steps(split(f"sudo env A=1 bash -c {command}")))
