"""Programs that change files, and how their words tell it."""

from __future__ import annotations

import re

from journald.ledger.words import Words, operands

# All that they name changes.
MOVERS = frozenset(
    {"mv", "rm", "ln", "touch", "truncate", "shred", "unlink", "trash", "rename", "patch", "ed",
     "dos2unix", "unix2dos", "gunzip", "bunzip2", "unxz"}
)  # fmt: skip
# The last thing that they name changes.
COPIERS = frozenset({"cp", "install", "rsync", "scp", "ditto"})
# Of PowerShell and cmd; all names in small letters.
WINDOWS = frozenset(
    {"add-content", "ac", "clear-content", "copy-item", "cpi", "copy", "del", "erase",
     "expand-archive", "export-csv", "move-item", "mi", "move", "new-item", "ni", "out-file",
     "remove-item", "ri", "rename-item", "ren", "rni", "robocopy", "set-content", "sc",
     "tee-object", "xcopy"}
)  # fmt: skip
_IN_PLACE = {
    "sed": re.compile(r"-[nErsuz]*i.*|--in-place.*"),
    "gsed": re.compile(r"-[nErsuz]*i.*|--in-place.*"),
    "perl": re.compile(r"-[0-9pnalwsE]*i.*"),
    "ruby": re.compile(r"-[0-9pnalwsE]*i.*"),
}
# Formatters and fixers that write only when they are told to.
_WRITE_FLAGS = {
    "autoflake": {"-i", "--in-place"},
    "autopep8": {"-i", "--in-place"},
    "biome": {"--write", "--apply", "--apply-unsafe", "--fix"},
    "buf": {"-w", "--write"},
    "clang-format": {"-i"},
    "djlint": {"--reformat"},
    "eslint": {"--fix"},
    "gofmt": {"-w"},
    "gofumpt": {"-w"},
    "goimports": {"-w"},
    "golangci-lint": {"--fix"},
    "jest": {"-u", "--updateSnapshot"},
    "ktlint": {"-F", "--format"},
    "markdownlint": {"--fix", "-f"},
    "markdownlint-cli2": {"--fix"},
    "oxlint": {"--fix"},
    "playwright": {"-u", "--update-snapshots"},
    "prettier": {"--write", "-w"},
    "pytest": {"--snapshot-update", "--inline-snapshot=fix", "--inline-snapshot=create"},
    "rubocop": {"-a", "-A", "--autocorrect", "--autocorrect-all", "--auto-correct", "-x"},
    "ruff": {"--fix", "--fix-only"},
    "shfmt": {"-w"},
    "standard": {"--fix"},
    "standardrb": {"--fix"},
    "stylelint": {"--fix"},
    "swift-format": {"-i", "--in-place"},
    "vitest": {"-u", "--update"},
    "xo": {"--fix"},
    "yapf": {"-i", "--in-place"},
}
# Those that write unless they are told not to.
_CHECK_FLAGS = {
    "black": {"--check", "--diff"},
    "isort": {"--check", "--check-only", "-c", "--diff"},
    "pint": {"--test"},
    "rustfmt": {"--check"},
    "swiftformat": {"--lint"},
    "tar": {"-t", "--list"},
    "unzip": {"-l", "-t", "-p", "-Z"},
}
_NOT_WRITING = frozenset(
    {"--check", "--check-formatted", "--diff", "--dry-run", "-check", "--verify-no-changes",
     "--help", "--version"}
)  # fmt: skip
_INSTALLING = frozenset(
    {"install", "i", "ci", "add", "remove", "rm", "uninstall", "un", "update", "up", "upgrade",
     "dedupe", "version", "init", "create", "link"}
)  # fmt: skip
# Subcommands that write: formatters, generators, and what keeps manifests and lock files.
_SUBCOMMANDS = {
    "alembic": {"revision"},
    "buf": {"generate"},
    "bun": _INSTALLING,
    "bundle": {"install", "update", "add", "remove", "lock"},
    "cargo": {"add", "remove", "update", "fmt", "fix", "new", "init", "generate-lockfile"},
    "composer": {"install", "update", "require", "remove"},
    "dart": {"format", "fix", "create"},
    "deno": {"fmt", "add", "install"},
    "dotnet": {"format", "new", "add", "remove"},
    "dprint": {"fmt"},
    "flutter": {"create"},
    "go": {"fmt", "generate", "get", "fix"},
    "helm": {"create"},
    "mix": {"format", "deps.get", "deps.update", "new", "phx.new", "ecto.gen.migration"},
    "npm": _INSTALLING,
    "php-cs-fixer": {"fix"},
    "pnpm": _INSTALLING,
    "pod": {"install", "update"},
    "poetry": {"add", "remove", "lock", "update", "install", "new", "init"},
    "pre-commit": {"run"},
    "prisma": {"generate", "migrate", "format", "db"},
    "rails": {"generate", "g", "new", "destroy", "db:migrate"},
    "ruff": {"format"},
    "sqlc": {"generate"},
    "sqlfluff": {"fix", "format"},
    "swift": {"format"},
    "taplo": {"fmt", "format"},
    "terraform": {"fmt", "init"},
    "uv": {"add", "remove", "lock", "sync", "init"},
    "yarn": _INSTALLING,
    "zig": {"fmt"},
}
_ALONE = frozenset(
    {"yarn", "lint-staged", "graphql-codegen", "orval", "protoc", "openapi-generator",
     "openapi-generator-cli", "cookiecutter", "degit", "pip-compile", "zip", "7z"}
)  # fmt: skip
# Programs whose next words name a task of the project.
_TASKS = {
    "bun": {"run"}, "composer": {"run", "run-script"}, "deno": {"task"}, "gmake": set(),
    "gradle": set(), "gradlew": set(), "just": set(), "make": set(), "mise": {"run", "r"},
    "npm": {"run", "run-script"}, "nx": {"run"}, "pdm": {"run"}, "pnpm": {"run"}, "poe": set(),
    "rake": set(), "task": set(), "turbo": {"run"}, "yarn": {"run"},
}  # fmt: skip
_WRITING_TASK = re.compile(
    r"(?:.*[:_./-])?(?:fmt|format|fix|autofix|prettify|reformat|codegen|generate|gen)"
    r"(?:[:_./-](?!check).*)?|spotlessApply|\w*Format",
)
_GO_MODULES = frozenset({"tidy", "vendor", "init", "edit"})
# What is written there is scratch, and nobody's work.
_SCRATCH = re.compile(
    r"/dev/|(?:/private)?/tmp(?:/|$)|/var/folders/|\$\{?(?:TMPDIR|TEMP|TMP)\b|%TEMP%|\$env:TEMP|nul$"
    r"|.*[/\\]AppData[/\\]Local[/\\]Temp[/\\]",
    re.IGNORECASE,
)


def is_scratch(path: str) -> bool:
    """Tell whether a file that a command names is a device, or a scratch file of the system."""
    return _SCRATCH.match(path) is not None


def writes(program: str, words: Words) -> str | None:
    """Return the sign by which a program changes files; None where its words tell of none."""
    flags = {word for word in words[1:] if word.startswith("-")}
    named = operands(words)
    if program in MOVERS:
        return None if named and all(map(is_scratch, named)) else program
    if program in COPIERS:
        return None if named and is_scratch(named[-1]) else program
    if program.lower() in WINDOWS:
        return None if "directory" in {word.lower() for word in words} else program
    if program in _IN_PLACE:
        pattern = _IN_PLACE[program]
        return f"{program} -i" if any(map(pattern.fullmatch, flags)) else None
    return _told(program, words, flags) or _task(program, words)


def _told(program: str, words: Words, flags: set[str]) -> str | None:
    written = _WRITE_FLAGS.get(program, set()) & flags
    if written:
        return f"{program} {min(written)}"
    if program in _CHECK_FLAGS:
        return None if _CHECK_FLAGS[program] & flags or _lists(program, words) else program
    return None if flags & _NOT_WRITING else _by_word(program, words)


def _by_word(program: str, words: Words) -> str | None:
    word = "".join(operands(words)[:1])
    if word in _SUBCOMMANDS.get(program, ()):
        return f"{program} {word}"
    if program == "go" and word == "mod":
        return "go mod" if _GO_MODULES & set(words) else None
    if program == "npm" and word == "audit":
        return "npm audit fix" if "fix" in words else None
    # `yarn` alone installs; with a word it may do anything.
    return program if program in _ALONE and not (program == "yarn" and word) else None


def _lists(program: str, words: Words) -> bool:
    """Tell whether `tar` is only to list an archive, or writes one to a scratch file."""
    if program != "tar" or len(words) < 2:  # noqa: PLR2004 - `tar tf` has two words
        return False
    mode = words[1].lstrip("-")
    return "t" in mode and not {"c", "x"} & set(mode)


def _task(program: str, words: Words) -> str | None:
    if program not in _TASKS:
        return None
    names = list(operands(words))
    if names and names[0] in _TASKS[program]:
        names = names[1:]
    written = next((name for name in names if _WRITING_TASK.fullmatch(name)), None)
    return f"{program} {written}" if written else None
