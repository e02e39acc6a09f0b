import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.shell import handed_over, heredocs, split, substituted


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
        ("set -o pipefail; pytest | tail -5", True, True),
        ("set -o pipefail; pytest | grep FAILED", True, False),
        ("pytest || true", False, False),
        ("pytest; echo done", False, False),
        ("set -e; pytest; echo done", True, True),
        ("pytest &", False, False),
        ("false || pytest", False, False),
        ("bash -c 'pytest' | tail -1", False, False),
        ("pytest && ls | tail", True, False),
        ("cd api && pytest && echo ok | tail", True, True),
        ("(pytest && ls) | tail", False, False),
        ("{ pytest && ls; } | tail", False, False),
        ("(cd api; pytest) && ls", True, False),
        ("{ ls; pytest; } && ls", True, False),
        ("ls || (cd api; pytest)", False, False),
        ("ls || { cd api && pytest; }", False, False),
        ("ls && { echo ok; } || pytest", False, False),
        ("ls || ls | pytest", False, False),
        ("ls || ls && pytest", True, False),
        ("! (ls && pytest)", False, False),
        ("(ls && pytest &) && ls", False, False),
        ("check() { ls && pytest; }", False, False),
        ("diff <(ls) <(pytest)", False, False),
        ("set -e; if ls; then pytest; fi", False, False),
        ("set -e; for a in b; do pytest; done; ls", False, False),
        ("set -e; (ls; pytest); ls", True, False),
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


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("bash", "-c", "cd x && pytest"), "cd x && pytest"),
        (("sh", "-lc", "pytest"), "pytest"),
        (("bash", "-o", "pipefail", "-c", "pytest | tail"), "pytest | tail"),
        (("/bin/zsh", "-f", "-c", "pytest"), "pytest"),
        (("bash", "run.sh", "-c", "x"), None),
        (("bash", "-c"), None),
        (("python", "-c", "pytest"), None),
    ],
)
def test_the_line_that_a_shell_is_given_is_known(words: tuple[str, ...], line: str | None) -> None:
    assert handed_over(words) == line


@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("out=$(pytest -q)", ("pytest -q",)),
        ('echo "$(cd x && pytest)" `npm test`', ("cd x && pytest", "npm test")),
        ("echo '$(pytest)'", ()),
        ('echo "\\$(pytest)"', ()),
        ("cat <<'EOF'\n$(pytest)\nEOF", ()),
        ("pytest", ()),
    ],
)
def test_what_runs_inside_of_other_words_is_known(command: str, lines: tuple[str, ...]) -> None:
    assert substituted(command) == lines


def test_a_negated_command_tells_nothing_by_the_exit_status_of_its_line() -> None:
    (step,) = split("! pytest")
    assert (step.negated, step.passes, step.fails) == (True, False, False)


def test_a_variable_that_keeps_an_exit_status_stands_with_its_command() -> None:
    steps = split("pytest > out; status=$?; tail out")
    assert [step.assigned for step in steps] == ["status=$?", ""]


def test_words_of_the_shell_are_no_variables() -> None:
    steps = split("{ pytest; }; if ls; then\n npm test; fi")
    assert not any(step.assigned for step in steps)


def test_a_line_handed_to_a_shell_stands_in_the_line_around_it() -> None:
    steps = split("bash -c 'ls; pytest' | tail && ls")
    assert [step.joint for step in steps] == [";", "|", "&&", ""]


@pytest.mark.parametrize("opening", ["(", "{ ", "! ("])
def test_groups_without_end_take_no_time(opening: str) -> None:
    started = time.process_time()
    assert not any(step.passes for step in split(f"{opening * 20_000} ls && pytest || ls"))
    assert time.process_time() - started < 3


@pytest.mark.parametrize("word", [".venv\\Scripts\\pytest.exe", "C:\\tools\\jest.cmd"])
def test_paths_of_windows_keep_their_folders(word: str) -> None:
    (step,) = split(f"{word} -q")
    assert step.words[0] == word
    assert step.program in {"pytest", "jest"}
