import pytest

from journald.ledger import runners
from journald.ledger.readers import READERS
from journald.ledger.runners import Certainty, find_invocations


@pytest.mark.parametrize(
    ("command", "runner"),
    [
        ("pytest -x tests", "pytest"),
        (".venv/bin/pytest", "pytest"),
        ("python -m pytest -q", "pytest"),
        ("./.venv/bin/python3.12 -W error -m pytest", "pytest"),
        ("PYTHONPATH=. uv run --with hypothesis pytest tests/a.py", "pytest"),
        ("poetry run pytest && echo ok", "pytest"),
        ("timeout 60 pytest 2>&1 | tail -20", "pytest"),
        ("coverage run -m pytest", "pytest"),
        ("cd api && python -m unittest discover -v", "unittest"),
        ("python manage.py test shop", "unittest"),
        ("tox -e py311", "tox"),
        ("uvx nox -s tests", "nox"),
        ("npx jest --ci", "jest"),
        ("CI=1 npx --yes vitest run", "vitest"),
        ("pnpm exec vitest run src", "vitest"),
        ("yarn jest", "jest"),
        ("node_modules/.bin/mocha", "mocha"),
        ("node --test test/", "node --test"),
        ("go test ./... -race", "go test"),
        ("go -C tools test ./...", "go test"),
        ("cargo test --workspace", "cargo test"),
        ("cargo +nightly test", "cargo test"),
        ("cargo nextest run", "cargo nextest"),
        ("./mvnw -q verify", "maven"),
        ("./gradlew :app:test --info", "gradle"),
        ("bundle exec rspec spec/models", "rspec"),
        ("php vendor/bin/phpunit", "phpunit"),
        ("cd build && ctest --output-on-failure", "ctest"),
        ("dotnet test My.sln --no-build", "dotnet test"),
        ("swift test --parallel", "swift test"),
        ("MIX_ENV=test mix test test/a_test.exs:12", "mix test"),
        ("npx playwright test", "playwright"),
        ("bun test", "bun test"),
        ("docker compose exec -T web pytest -q", "pytest"),
        ('docker run --rm img sh -c "cd /app && go test ./..."', "go test"),
        ("bash -c 'source .venv/bin/activate && pytest'", "pytest"),
        ("sudo -u app pytest", "pytest"),
    ],
)
def test_a_runner_is_known_behind_everything_that_people_put_before_it(
    command: str, runner: str
) -> None:
    found = find_invocations(command)
    assert [(one.runner, one.certainty) for one in found] == [(runner, Certainty.RUNNER)]


@pytest.mark.parametrize(
    "command",
    [
        "npm test",
        "npm t",
        "npm --prefix web run test:unit -- --ci",
        "pnpm --filter api test",
        "yarn test",
        "make -C api test",
        "just test",
        "mise run test:ci",
        "composer test",
        "rake test",
        "turbo run test",
    ],
)
def test_a_script_by_the_name_of_test_is_a_test_run(command: str) -> None:
    found = find_invocations(command)
    assert [one.certainty for one in found] == [Certainty.SCRIPT]


@pytest.mark.parametrize(
    "command",
    ["npm run ci", "make", "./scripts/check.sh", "python tools/check.py", "mvn install"],
)
def test_what_may_run_tests_is_left_to_its_output(command: str) -> None:
    assert [one.certainty for one in find_invocations(command)] == [Certainty.PERHAPS]


@pytest.mark.parametrize(
    "command",
    [
        "pip install pytest",
        "uv add --dev pytest",
        "npm install --save-dev jest",
        "pytest --version",
        "pytest --collect-only -q",
        "go test -c ./pkg",
        "cargo test --no-run",
        "npx playwright install",
        "cat pytest.ini",
        "grep -rn pytest .",
        "git commit -m 'run pytest'",
        "echo pytest",
        "which vitest",
        "test -f go.mod && ls",
        "cat <<'EOF' > ci.sh\npytest\nEOF",
    ],
)
def test_naming_a_runner_is_no_test_run(command: str) -> None:
    assert find_invocations(command) == ()


def test_every_runner_has_a_reader() -> None:
    named = {
        *runners._RUNNERS.values(),
        *runners._SUBCOMMANDS.values(),
        *runners._BUILDERS.values(),
    }
    assert named <= set(READERS)
