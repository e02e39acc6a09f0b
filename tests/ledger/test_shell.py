import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.shell import heredocs, split


def programs(command: str) -> list[str]:
    return [" ".join(step.words) for step in split(command)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ls -la", ["ls -la"]),
        ("cd api && pytest -q; echo done", ["cd api", "pytest -q", "echo done"]),
        ("make 2>&1 | tail -5", ["make", "tail -5"]),
        ("A=1 B='x y' make test > out.txt 2>/dev/null", ["make test"]),
        ("(cd web && npm test) && echo ok", ["cd web", "npm test", "echo ok"]),
        ("echo 'pytest && rm -rf /'", ["echo pytest && rm -rf /"]),
        ('git commit -m "fix; pytest | tail"', ["git commit -m fix; pytest | tail"]),
        ("for f in a b; do pytest $f; done", ["for f in a b", "pytest $f", "done"]),
        ("bash -lc 'cd x && cargo test'", ["cd x", "cargo test"]),
        ("ls # pytest", ["ls"]),
        ("ls \\\n  -la", ["ls -la"]),
        ("pytest\nnpm test\n", ["pytest", "npm test"]),
        ("cat > run.sh <<'EOF'\npytest -q\nEOF\nls", ["cat", "ls"]),
        ("", []),
    ],
)
def test_a_line_is_cut_into_its_simple_commands(command: str, expected: list[str]) -> None:
    assert programs(command) == expected


def test_a_quote_without_an_end_hides_all_that_follows_it() -> None:
    assert not any(step.program == "pytest" for step in split("echo it's open && pytest"))


def test_bodies_of_here_documents_are_kept_apart() -> None:
    command = 'git commit -m "$(cat <<\'EOF\'\nSay "hi", it\'s fine\n\nMore\nEOF\n)" && git push'
    assert heredocs(command) == ('Say "hi", it\'s fine\n\nMore',)
    assert [step.program for step in split(command)] == ["git", "git"]


@pytest.mark.parametrize(
    ("command", "passes", "fails"),
    [
        ("pytest", True, True),
        ("cd api && pytest", True, True),
        ("pytest && npm run build", True, False),
        ("pytest | tail -5", False, False),
        ("set -o pipefail; pytest | tail -5", True, False),
        ("pytest || true", False, False),
        ("pytest; echo done", False, False),
        ("set -e; pytest; echo done", True, True),
        ("pytest &", False, False),
        ("false || pytest", False, False),
        ("bash -c 'pytest' | tail -1", False, False),
    ],
)
def test_the_exit_status_of_a_line_speaks_for_a_command_only_where_it_must(
    command: str, passes: bool, fails: bool
) -> None:
    step = next(step for step in split(command) if step.program == "pytest")
    assert (step.passes, step.fails) == (passes, fails)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab '\"`$(){}<>|&;\\\n#-=EOF", max_size=120))
def test_any_text_is_taken_apart_without_an_error(command: str) -> None:
    for step in split(command):
        assert step.words
        assert step.program is not None


@pytest.mark.parametrize("part", ["$(", "'", '"', "`", "((", "<<A\n", "a=${x} ", "\\", "&&"])
def test_long_nonsense_takes_no_time(part: str) -> None:
    started = time.process_time()
    split(part * 20_000)
    assert time.process_time() - started < 3
