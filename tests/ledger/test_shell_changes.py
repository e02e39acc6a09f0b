from datetime import UTC

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.ledger import build_ledger
from tests.sessions import Script


def signs(command: str) -> list[str]:
    script = Script()
    script.bash(command)
    found = build_ledger(script.session(), UTC).shell_changes
    return [sign for change in found for sign in change.signs]


@pytest.mark.parametrize(
    ("command", "sign"),
    [
        ("cat a > b", ">"),
        ("ls >> log.txt", ">>"),
        ("make &> all.log", ">"),
        ("make 2> errors.log", ">"),
        ("cat > a.py <<'EOF'\nx = 1 > 0\nEOF", ">"),
        ("bash -c 'echo a > b'", ">"),
        ("echo a | tee b.txt", "tee"),
        ("sed -i 's/a/b/' f", "sed -i"),
        ("sed -i.bak -e s/a/b/ f", "sed -i"),
        ("sed -Ei '' s/a/b/ f", "sed -i"),
        ("perl -pi -e 's/a/b/' f", "perl -i"),
        ("gawk -i inplace '{print}' f", "awk -i inplace"),
        ("mv a b", "mv"),
        ("cp a b", "cp"),
        ("rm -rf build", "rm"),
        ("touch a", "touch"),
        ("find . -name '*.pyc' -delete", "find -delete"),
        ("find . -name '*.py' -exec sed -i s/a/b/ {} +", "sed -i"),
        ("grep -rl a . | xargs sed -i s/a/b/", "sed -i"),
        ("git checkout -- a.py", "git checkout"),
        ("git -C web checkout main", "git checkout"),
        ("git restore a.py", "git restore"),
        ("git stash", "git stash"),
        ("git stash pop", "git stash"),
        ("git reset --hard", "git reset"),
        ("git apply fix.patch", "git apply"),
        ("git merge main", "git merge"),
        ("git pull", "git pull"),
        ("git rebase main", "git rebase"),
        ("git clean -fd", "git clean"),
        ("git mv a b", "git mv"),
        ("patch -p1 < fix.patch", "patch"),
        ("npx prettier --write .", "prettier --write"),
        ("eslint . --fix", "eslint --fix"),
        ("uv run ruff format", "ruff format"),
        ("ruff check --fix .", "ruff --fix"),
        ("python -m black .", "black"),
        ("gofmt -w .", "gofmt -w"),
        ("cd api && cargo fmt", "cargo fmt"),
        ("mix format", "mix format"),
        ("npm ci", "npm ci"),
        ("pnpm add left-pad", "pnpm add"),
        ("yarn", "yarn"),
        ("npm run format", "npm format"),
        ("mise run fmt", "mise fmt"),
        ("make generate", "make generate"),
        ("pnpm lint:fix", "pnpm lint:fix"),
        ("./gradlew spotlessApply", "gradlew spotlessApply"),
        ("go generate ./...", "go generate"),
        ("go mod tidy", "go mod"),
        ("npx jest -u", "jest -u"),
        ("curl -sSLo a.zip https://a.example/a.zip", "curl"),
        ("wget https://a.example/a.zip", "wget"),
        ("tar xzf a.tgz", "tar"),
        ("unzip -q a.zip", "unzip"),
        ("dd if=a of=b", "dd"),
        ("python3 - <<'EOF'\nopen('a', 'w').write('x')\nEOF", "python3 script"),
        ("python -c \"from pathlib import Path; Path('a').write_text('x')\"", "python script"),
        ("node -e \"require('fs').writeFileSync('a', 'b')\"", "node script"),
        ("Set-Content a.txt hello", "Set-Content"),
        ("Get-ChildItem | Remove-Item", "Remove-Item"),
        ("gh pr checkout 12", "gh pr checkout"),
        ("sudo env A=1 rm a", "rm"),
    ],
)
def test_a_command_whose_words_say_that_it_writes_is_listed(command: str, sign: str) -> None:
    assert signs(command) == [sign]


@pytest.mark.parametrize(
    "command",
    [
        "cat a",
        "make > /dev/null 2>&1",
        "pytest > /tmp/out.log 2>&1",
        "echo hi >&2",
        "echo 'a > b'",
        "awk '$1 > 2' f",
        "test $((3 > 2)) = 1",
        "[[ b > a ]] && ls",
        "diff <(ls a) <(ls b)",
        "cat <<'EOF'\na > b\nrm -rf /\nEOF",
        "sed -n '1,5p' f",
        "perl -ne 'print' f",
        "rm -rf /tmp/scratch",
        "cp a /tmp/b",
        "mkdir -p a/b",
        "find . -name '*.py'",
        "find . -exec grep x {} +",
        "git status",
        "git checkout -b feat/x",
        "git switch -c feat/x",
        "git stash list",
        "git reset HEAD a.py",
        "git restore --staged a.py",
        "git apply --check fix.patch",
        "git rm --cached a.py",
        "git clean -n",
        "git worktree list",
        "git commit -m 'a > b'",
        "prettier --check .",
        "eslint .",
        "black --check .",
        "ruff format --check",
        "gofmt -l .",
        "cargo fmt --check",
        "mix format --check-formatted",
        "npm run build",
        "npm run format:check",
        "npm test",
        "npm audit",
        "yarn --version",
        "make test",
        "go mod download",
        "curl -s https://a.example",
        "curl -s -o /dev/null https://a.example",
        "wget -qO- https://a.example",
        "tar tzf a.tgz",
        "unzip -l a.zip",
        "python3 - <<'EOF'\nprint(open('a').read(), 3 > 2)\nEOF",
        "python -c 'print(1)'",
        "New-Item -ItemType Directory out",
        "gh pr view 12",
        "echo rm -rf build",
    ],
)
def test_a_command_whose_words_say_nothing_of_writing_is_not_listed(command: str) -> None:
    assert signs(command) == []


def test_a_command_that_failed_may_have_changed_files_all_the_same() -> None:
    script = Script()
    script.bash("sed -i s/a/b/ f && pytest", "1 failed", 1)
    assert len(build_ledger(script.session(), UTC).shell_changes) == 1


def test_a_command_that_was_refused_changed_nothing() -> None:
    script = Script()
    script.tool("Bash", {"command": "rm a"}, "no", is_error=True, rejected=True)
    assert build_ledger(script.session(), UTC).shell_changes == ()


def test_what_a_line_does_several_times_is_told_once() -> None:
    assert signs("cat a > b; cat c > d; mv b e && mv d f") == [">", "mv"]


@settings(max_examples=150)
@given(st.text(alphabet="ab ;&|<>()$`'\"\\\n-=/{}EOF", max_size=60))
def test_any_line_is_looked_through_without_an_error(command: str) -> None:
    assert signs(command) == list(dict.fromkeys(signs(command)))
