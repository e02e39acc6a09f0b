import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger import runners
from journald.ledger.readers import READERS
from journald.ledger.runners import Certainty, find_invocations

RUNS = [
    ("pytest -x tests", "pytest"),
    (".venv/bin/pytest", "pytest"),
    ("python -m pytest -q", "pytest"),
    ("./.venv/bin/python3.12 -W error -m pytest", "pytest"),
    ("python -m coverage run -m pytest", "pytest"),
    ("coverage run -m pytest", "pytest"),
    ("hatch test", "pytest"),
    ("cd api && python -m unittest discover -v", "unittest"),
    ("python -m nose2", "unittest"),
    ("python -m twisted.trial shop", "unittest"),
    ("python manage.py test shop", "unittest"),
    ("./manage.py test", "unittest"),
    ("python -m django test", "unittest"),
    ("coverage run manage.py test", "unittest"),
    ("tox -e py311", "tox"),
    ("python -m tox run -e lint", "tox"),
    ("uvx nox -s tests", "nox"),
    ("npx jest --ci", "jest"),
    ("node node_modules/jest/bin/jest.js", "jest"),
    ("CI=1 npx --yes vitest run", "vitest"),
    ("npx vitest@latest run", "vitest"),
    ("pnpm exec vitest run src", "vitest"),
    ("pnpm --filter api exec vitest", "vitest"),
    ("npm exec vitest run", "vitest"),
    ("bunx vitest", "vitest"),
    ("node ./node_modules/vitest/vitest.mjs run", "vitest"),
    ("yarn jest", "jest"),
    ("yarn workspace api jest", "jest"),
    ("node_modules/.bin/mocha", "mocha"),
    ("node node_modules/mocha/bin/_mocha", "mocha"),
    ("node --test test/", "node --test"),
    ("node --import tsx --test cart.test.ts", "node --test"),
    ("npx tsx --test 'src/**/*.test.ts'", "node --test"),
    ("go test ./... -race", "go test"),
    ("go -C tools test ./...", "go test"),
    ("go test -bench=. ./...", "go test"),
    ("gotestsum -- ./...", "go test"),
    ("cargo test --workspace", "cargo test"),
    ("cargo +nightly test", "cargo test"),
    ("cargo --manifest-path api/Cargo.toml test", "cargo test"),
    ("cargo hack test --each-feature", "cargo test"),
    ("cargo nextest run", "cargo nextest"),
    ("cargo llvm-cov nextest", "cargo nextest"),
    ("./mvnw -q verify", "maven"),
    ("mvn -pl api -am test -Dtest=CartTest", "maven"),
    ("mvn surefire:test", "maven"),
    ("./gradlew :app:test --info", "gradle"),
    ("gradle check --console=plain", "gradle"),
    ("gradle :app:testDebugUnitTest", "gradle"),
    (".\\gradlew.bat test", "gradle"),
    ("bundle exec rspec spec/models", "rspec"),
    ("bin/rspec spec/cart_spec.rb:3", "rspec"),
    ("bin/rails test", "minitest"),
    ("bin/rails test:system", "minitest"),
    ("php vendor/bin/phpunit", "phpunit"),
    ("php phpunit.phar --filter Cart", "phpunit"),
    ("./vendor/bin/pest", "pest"),
    ("cd build && ctest --output-on-failure", "ctest"),
    ("ctest -V", "ctest"),
    ("dotnet test My.sln --no-build", "dotnet test"),
    ("dotnet watch test", "dotnet test"),
    ("swift test --parallel", "swift test"),
    ("MIX_ENV=test mix test test/a_test.exs:12", "mix test"),
    ("mix do deps.get, test", "mix test"),
    ("mix test.watch", "mix test"),
    ("npx playwright test", "playwright"),
    ("bun test", "bun test"),
    ("bun --cwd web test", "bun test"),
    ("deno test -A", "deno test"),
    ("bats test/", "bats"),
    (".venv\\Scripts\\pytest.exe -q", "pytest"),
]
AROUND = [
    "{}",
    "CI=1 A='x y' {}",
    "timeout 60 {}",
    "timeout -k 5 60 {}",
    "time {}",
    "nohup {} > out.log 2>&1 &",
    "sudo -u app {}",
    "env -u HOME {}",
    "cd api && {}",
    "cd api; {}",
    "{} | tail -5",
    "{} 2>&1 | grep -E 'passed|failed' | head -20",
    "{} 2>&1 | tee out.log | tail",
    "{} && echo ok || echo bad",
    "(cd web && {}) && echo ok",
    "{{ {}; }} 2>&1 | tail",
    "bash -c 'source .venv/bin/activate && {}'",
    "bash -o pipefail -c '{} | tail -3'",
    "timeout 60 bash -lc '{}'",
    "for i in 1 2 3; do {}; done",
    "while read f; do {}; done < list.txt",
    "if ! {}; then echo bad; fi",
    'out=$({} 2>&1); echo "$out" | tail -3',
    "docker compose exec -T web {}",
    "docker run --rm --init -v $PWD:/app -w /app shop:1 {}",
    "docker exec web sh -c 'cd /app && {}'",
    "kubectl exec pod -c web -- {}",
    "ssh host 'cd shop && {}'",
    "conda run -n shop {}",
    "nix develop -c {}",
    "mise exec -- {}",
    "uv run --with hypothesis --directory api {}",
    "poetry run {}",
    "pdm run {}",
    "npx {}",
    "watch -n5 {}",
    "xargs -n1 {} < list.txt",
    "git stash && {}\ngit stash pop",
]
SCRIPTS = [
    "npm test",
    "npm t",
    "npm it",
    "npm run test -- --run",
    "npm run test:watch",
    "npm --prefix web run test:unit -- --ci",
    "npm run -w web test",
    "npm test --workspace=web",
    "pnpm -r test",
    "pnpm --filter api test",
    "yarn test",
    "yarn test:unit",
    "yarn workspaces foreach -A run test",
    "bun run test",
    "deno task test",
    "node --run test",
    "make -C api test",
    "make test VERBOSE=1",
    "just test",
    "mise run test:ci",
    "task test",
    "composer test",
    "php artisan test --filter Cart",
    "rake test",
    "bundle exec rake spec",
    "turbo run test --filter=web",
    "npx nx run-many -t test",
    "cargo xtask test",
    "cmake --build build --target test",
    "ninja -C build test",
    "meson test -C build",
    "pdm run test",
    "hatch run py3.11:test",
    "poetry run poe test",
    "pixi run test",
    "docker exec web npm test",
]
PERHAPS = [
    "npm run ci",
    "make",
    "make check",
    "make clean",
    "make test-data",
    "npm run test:types",
    "./scripts/check.sh",
    "bash scripts/run-tests.sh",
    "bin/test",
    "python tools/check.py",
    "ruby -Itest test/cart_test.rb",
    "./build/unit_tests",
    "mvn install",
    "gradle build",
    "docker compose run --rm tests",
    "python -c 'import pytest; pytest.main()'",
]
NONE = [
    "pip install pytest",
    "python -m pip install pytest",
    "uv add --dev pytest",
    "uv sync --extra test",
    "poetry add pytest",
    "pixi add pytest",
    "conda install pytest",
    "npm install --save-dev jest",
    "npm --prefix test install",
    "npm config get test",
    "yarn why jest",
    "composer require --dev phpunit/phpunit",
    "cargo install cargo-nextest",
    "mise install node",
    "nix-shell -p pytest",
    "pytest --version",
    "pytest --collect-only -q",
    "npx jest --listTests",
    "npx vitest list",
    "npx vitest bench",
    "nox -l",
    "tox --listenvs",
    "ctest -N",
    "rspec --dry-run",
    "phpunit --list-tests",
    "make -n test",
    "just --list",
    "go test -c ./pkg",
    "go test -list . ./...",
    "go test -run '^$' -bench=. ./...",
    "go build ./...",
    "go vet ./...",
    "cargo test --no-run",
    "cargo nextest list",
    "cargo build",
    "cargo bench",
    "cargo run -- test",
    "mvn package -DskipTests",
    "gradle build -x test",
    "swift build",
    "dotnet build",
    "npx playwright install",
    "npx playwright show-report",
    "docker build -t pytest .",
    "docker images pytest",
    "docker pull playwright",
    "docker logs test-runner",
    "kubectl get pods tox",
    "cat pytest.ini",
    "cat test.log",
    "/usr/bin/cat test.log",
    "tail -f test.log",
    "ssh host 'cat /var/log/test.log'",
    "grep -rn pytest .",
    "find . -name '*.py' | xargs grep -l pytest",
    "git commit -m 'run npm test'",
    "git checkout -b test",
    "echo 'npm test'",
    "which vitest",
    "command -v pytest",
    "man ctest",
    "history | grep 'npm test'",
    "pkill -f vitest",
    "kill $(pgrep -f jest)",
    "alias t=pytest",
    "vim tests/test_cart.py",
    "ls tests/",
    "touch tests/__init__.py",
    "rm -rf test-results",
    "sed -i s/a/b/ tests/test_cart.py",
    "test -f go.mod && ls",
    "[ -f pytest.ini ]",
    "cat <<'EOF' > ci.sh\npytest\nEOF",
    "echo '$(pytest)'",
    'echo "\\$(pytest)"',
]


def certainties(command: str) -> list[Certainty]:
    return [one.certainty for one in find_invocations(command)]


@pytest.mark.parametrize(("command", "runner"), RUNS)
def test_a_runner_is_known_by_its_name(command: str, runner: str) -> None:
    found = find_invocations(command)
    assert [(one.runner, one.certainty) for one in found] == [(runner, Certainty.RUNNER)]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("command", ["pytest -q", "go test ./...", "vitest run"])
def test_a_runner_is_known_behind_everything_that_people_put_around_it(
    around: str, command: str
) -> None:
    assert Certainty.RUNNER in certainties(around.format(command))


@pytest.mark.parametrize("command", SCRIPTS)
def test_a_script_by_the_name_of_test_is_a_test_run(command: str) -> None:
    assert certainties(command) == [Certainty.SCRIPT]


@pytest.mark.parametrize("command", PERHAPS)
def test_what_may_run_tests_is_left_to_its_output(command: str) -> None:
    assert certainties(command) == [Certainty.PERHAPS]


@pytest.mark.parametrize("command", NONE)
def test_naming_a_runner_is_no_test_run(command: str) -> None:
    assert certainties(command) == []


@pytest.mark.parametrize("around", AROUND)
def test_naming_a_runner_is_no_test_run_behind_anything_either(around: str) -> None:
    assert {*certainties(around.format("grep -rn pytest src"))} <= {Certainty.PERHAPS}


def test_every_runner_has_a_reader() -> None:
    named = {
        *runners._RUNNERS.values(),
        *runners._SUBCOMMANDS.values(),
        *runners._BUILDERS.values(),
    }
    assert named <= set(READERS)


WORDS = st.sampled_from(
    [
        *(
            "docker",
            "run",
            "exec",
            "env",
            "uv",
            "npx",
            "bash",
            "-c",
            "'pytest -q'",
            "pytest",
            "xargs",
        ),
        *(
            "npm",
            "test",
            "yarn",
            "workspace",
            "python",
            "-m",
            "node",
            "--test",
            "cargo",
            "go",
            "-run",
        ),
        *(
            "make",
            "mise",
            "gradle",
            "-x",
            "$(",
            "`",
            ")",
            "(",
            "|",
            "&&",
            ";",
            "!",
            "A=1",
            "$?",
            "\\",
        ),
        *(
            "'",
            '"',
            "a\\b",
            "<<E",
            "\n",
            "{",
            "}",
            "",
            "@",
            "/",
            "-",
            "--",
            "mix",
            "do",
            "cmake",
            "-t",
        ),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.one_of(WORDS, st.text(max_size=5)), max_size=14).map(" ".join))
def test_any_line_is_looked_through_without_an_error(command: str) -> None:
    for one in find_invocations(command):
        assert one.runner
        assert one.position >= -1


@pytest.mark.parametrize(
    "part",
    ["docker ", "docker run ", "env ", "A=1 ", "npx ", "uv run ", "bash -c '", "ssh h '", "$(",
     "`", "yarn workspace ", "python -m ", "make test ", "xargs ", "a\\b ", '"$(a "'],
)  # fmt: skip
def test_a_long_line_is_looked_through_fast(part: str) -> None:
    started = time.process_time()
    find_invocations(part * (60_000 // len(part)))
    assert time.process_time() - started < 3
