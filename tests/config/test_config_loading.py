"""What a configuration file may say, and what is said about one that is wrong."""

from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from journald import config
from journald.config.file import load, write_example
from journald.config.text import read_settings
from journald.errors import ConfigError, ExitCode

ENVIRONMENT = {"HOME": "/home/ada"}


def read(text: str) -> config.Settings:
    return read_settings(text, "/etc/journald.yaml", ENVIRONMENT)


def outcome(text: str) -> object:
    try:
        return read(text)
    except ConfigError as error:
        return error.problems


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        read(text)
    return caught.value.problems


@pytest.mark.parametrize(
    "text", ["", "\n", "# nothing\n", "---\n", "null", "idle:\nengine:\n  vllm:\n"]
)
def test_a_file_that_sets_nothing_leaves_the_defaults(text: str) -> None:
    assert read(text) == config.defaults(ENVIRONMENT)


def test_every_kind_of_value_is_read() -> None:
    found = read(
        """
        projects: [~/.claude/projects, /srv/claude/projects]
        notes_dir: ~/notes/journal
        backlog: 1d12h
        idle: {after: 90s}
        engine:
          name: vllm
          vllm: {temperature: 0, enforce_eager: true, args: {seed_everything: [1, {a: b}]}}
        journal: {tags: [claude, "2026"]}
        redact: {patterns: {ticket: "T-[0-9]{6}"}}
        """
    )
    assert found.projects == (Path("/home/ada/.claude/projects"), Path("/srv/claude/projects"))
    assert found.notes_dir == Path("/home/ada/notes/journal")
    assert found.backlog == timedelta(days=1, hours=12)
    assert found.idle == config.Idle(after=timedelta(seconds=90))
    assert found.engine.name == "vllm"
    assert found.engine.vllm.temperature == 0
    assert found.engine.vllm.enforce_eager
    assert found.engine.vllm.args == {"seed_everything": [1, {"a": "b"}]}
    assert found.engine.vllm.model == config.Vllm().model
    assert found.journal.tags == ("claude", "2026")
    assert found.redact.patterns == {"ticket": "T-[0-9]{6}"}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "engine:\n  vllm:\n    modle: x\n",
            "engine.vllm.modle (line 3): unknown setting; did you mean `engine.vllm.model`?",
        ),
        ("after: 5m", "after (line 1): unknown setting; did you mean `idle.after`?"),
        (
            "\nidle: {after: 15m, xyzzy: 1}",
            "idle.xyzzy (line 2): unknown setting; idle may hold after, pending_after, scan_every",
        ),
        ("wait: 3s", "wait (line 1): unknown setting; did you mean `engine.retry.wait` or `queue.wait`?"),
        ("engine: auto", "engine (line 1): must be a table, not auto; write `engine: {name: auto}`"),
        ("idle: 15m", "idle (line 1): must be a table, not 15m; write `idle: {after: 15m}`"),
        ("idle: [15m]", "idle (line 1): must be a table, not a list; write `idle: {after: 15m}`"),
        ("idle: {after: 900}", "idle.after (line 1): 900: has no unit; write 900s"),
        (
            "idle: {after: soon}",
            "idle.after (line 1): soon: a duration is wanted, such as 90s, 15m, 2h or 7d",
        ),
        ("idle: {after: 99999d}", "idle.after (line 1): 99999d: a duration is at most 3650d"),
        ("idle: {after: 0s}", "idle.after (line 1): must be at least 1s"),
        ("engine: {name: vlm}", "engine.name (line 1): must be one of auto, vllm, extractive, not vlm; did you mean `vllm`?"),
        ("log: {level: 3}", "log.level (line 1): must be one of debug, info, warning, error, not 3"),
        ("journal: {shortest: 1.5}", "journal.shortest (line 1): must be a whole number, at least 0, not 1.5"),
        ("journal: {shortest: true}", "journal.shortest (line 1): must be a whole number, at least 0, not true"),
        ("plan: {overlap: 0.6}", "plan.overlap (line 1): must be a number, at least 0, at most 0.5, not 0.6"),
        ("engine: {vllm: {top_p: .nan}}", "engine.vllm.top_p (line 1): must be a number, more than 0, at most 1, not .nan"),
        ("engine: {vllm: {temperature: .inf}}", "engine.vllm.temperature (line 1): must be a finite number"),
        ("grounding: {ask_again: 'yes'}", "grounding.ask_again (line 1): must be true or false, not yes"),
        ("engine: {vllm: {dtype: 16}}", 'engine.vllm.dtype (line 1): must be a text, not 16; write "16"'),
        ("engine: {vllm: {dtype: no}}", 'engine.vllm.dtype (line 1): must be a text, not no; write "no"'),
        ("journal: {folders: }", "journal.folders (line 1): has no value; give one or remove the line"),
        ("journal: {tags: x}", "journal.tags (line 1): must be a list, each item a text, not x"),
        ("redact: {patterns: {pin: 1234}}", "redact.patterns (line 1): must be a table with a text for each name; look at pin"),
        ("redact: {patterns: {pin: '('}}", "redact.patterns.pin (line 1): not a regular expression: missing ), unterminated subpattern at position 0"),
        ("redact: {patterns: {pin: 'x*'}}", "redact.patterns.pin (line 1): matches where there is nothing, so it would match everywhere"),
        ("projects: ~/x", "projects (line 1): must be a list; write [~/x]"),
        ("projects: []", "projects (line 1): names no folder: nothing would be journaled"),
        ("notes_dir: journal", "notes_dir (line 1): journal depends on where journald is started; begin it with / or ~/"),
        ("notes_dir: 7", "notes_dir (line 1): must be a folder, not 7"),
        ("notes_dir: $HOME/x", "notes_dir (line 1): $HOME/x depends on where journald is started; begin it with / or ~/"),
        ("idle: {after: 1m}\nidle: {}\n", "idle (line 2): stands twice, first on line 1"),
        ("engine: {vllm: {args: {a: 1, a: 2}}}", "engine.vllm.args (line 1): a stands twice"),
        ("engine: {vllm: {args: {model: x}}}", "engine.vllm.args (line 1): model has a setting of its own, engine.vllm.model"),
        ("engine: {vllm: {model: !!python/name:os.system x}}", "engine.vllm.model (line 1): x is no value that YAML knows"),
        ("engine: {vllm: {model: 2026-13-45}}", "engine.vllm.model (line 1): 2026-13-45 is no value that YAML knows"),
        ("idle: {after: 3h}", "idle.after (line 1): 3h is longer than pending_after (2h)"),
        ("queue: {wait: 2h}", "queue.wait (line 1): 2h is longer than wait_at_most (1h)"),
        ("engine: {retry: {wait: 1m}}", "engine.retry.wait (line 1): 1m is longer than wait_at_most (30s)"),
        ("plan: {chunk_tokens: 9000}", "plan.chunk_tokens_least (line 1): 25000 is more than chunk_tokens (9000)"),
        ("notes_dir: ~/.claude/projects/notes", "notes_dir (line 1): /home/ada/.claude/projects/notes lies in projects (/home/ada/.claude/projects)"),
        ("notes_dir: ~/.claude", "projects: /home/ada/.claude/projects lies in notes_dir (/home/ada/.claude)"),
        ("state_dir: ~/journal/../journal/state", "state_dir (line 1): /home/ada/journal/../journal/state lies in notes_dir (/home/ada/journal)"),
        ("notes_dir: ~/.local/state/journald/notes", "notes_dir (line 1): /home/ada/.local/state/journald/notes lies in state_dir (/home/ada/.local/state/journald)"),
        ("[1, 2]", "line 1: the file has to be a table of settings"),
        ("idle: {after: 15m", "line 1, column 18: not valid YAML: expected ',' or '}', but got '<stream end>'"),
        ("idle:\n\tafter: 15m", "line 2, column 1: not valid YAML: found character '\\t' that cannot start any token"),
        ("a: 1\n---\nb: 2", "line 2, column 1: not valid YAML: but found another document"),
        ("a: \x07", "not valid YAML: unacceptable character #x0007: special characters are not allowed"),
        ("[" * 5000, "not valid YAML: nested too deeply"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_path_its_line_and_what_to_write(text: str, problem: str) -> None:
    assert problems(text) == (problem,)


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        read("engin: 1\nidle: {after: 10}\nplan: {chunk_tokens: 9000, overlap: 9}\n")
    error = caught.value
    assert [problem.partition(" ")[0] for problem in error.problems] == [
        "engin",
        "idle.after",
        "plan.overlap",
        "plan.chunk_tokens_least",
    ]
    assert str(error).startswith("The configuration file /etc/journald.yaml has 4 faults:\n  engin")
    assert error.hint
    assert "journald config validate" in error.hint
    assert error.exit_code is ExitCode.CONFIG_INVALID


def test_no_rule_is_told_about_a_setting_that_is_faulty_by_itself() -> None:
    assert len(problems("idle: {after: 3h, pending_after: soon}")) == 1


def test_a_value_that_is_long_is_shown_cut() -> None:
    assert "x" * 40 + "…" in problems(f"engine: {{name: {'x' * 500}}}")[0]


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["90s", "~/x", "auto", "/", "~"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(
        ["idle", "after", "engine", "vllm", "args", "model", "projects", "redact", "patterns",
         "plan", "overlap", "journal", "tags", "x", "notes_dir"]) | st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
))  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_any_yaml_is_settings_or_a_config_error(value: object) -> None:
    assert outcome(yaml.safe_dump(value))


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None)
def test_any_text_is_settings_or_a_config_error(text: str) -> None:
    assert outcome(text)


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path)}
    loaded = load(environment)
    assert loaded.settings == config.defaults(environment)
    assert loaded.path == tmp_path / ".config/journald/config.yaml"
    assert not loaded.found


def test_the_file_in_its_place_is_read(tmp_path: Path) -> None:
    file = tmp_path / ".config/journald/config.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("\ufeffbacklog: 1d\n", encoding="utf-8")
    loaded = load({"HOME": str(tmp_path)})
    assert loaded.found
    assert loaded.settings.backlog == timedelta(days=1)


def test_a_named_file_wins_over_the_variable_and_that_over_the_usual_place(tmp_path: Path) -> None:
    usual = tmp_path / ".config/journald/config.yaml"
    usual.parent.mkdir(parents=True)
    for number, file in enumerate((usual, tmp_path / "variable.yaml", tmp_path / "named.yaml"), 1):
        file.write_text(f"backlog: {number}d\n")
    environment = {"HOME": str(tmp_path)}
    assert load(environment).settings.backlog.days == 1
    environment["JOURNALD_CONFIG"] = "~/variable.yaml"
    assert load(environment).settings.backlog.days == 2
    assert load(environment, Path("~/named.yaml")).settings.backlog.days == 3


def test_a_named_file_that_is_missing_is_an_error(tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"
    with pytest.raises(ConfigError, match=r"no configuration file .*missing\.yaml") as by_option:
        load({"HOME": str(tmp_path)}, missing)
    assert "--config" in str(by_option.value.hint)
    with pytest.raises(ConfigError, match=r"missing\.yaml") as by_variable:
        load({"HOME": str(tmp_path), "JOURNALD_CONFIG": str(missing)})
    assert "$JOURNALD_CONFIG" in str(by_variable.value.hint)


def test_a_link_to_nothing_in_the_usual_place_is_an_error(tmp_path: Path) -> None:
    usual = tmp_path / ".config/journald/config.yaml"
    usual.parent.mkdir(parents=True)
    usual.symlink_to(tmp_path / "dotfiles/gone.yaml")
    with pytest.raises(ConfigError, match="a link to nothing"):
        load({"HOME": str(tmp_path)})


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: Is a directory"):
        load({"HOME": str(tmp_path)}, tmp_path)


def test_bytes_that_are_no_text_are_an_error_with_their_line(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_bytes(b"backlog: 1d\nnotes_dir: /caf\xe9\n")
    with pytest.raises(ConfigError, match="line 2: not UTF-8"):
        load({"HOME": str(tmp_path)}, file)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "c.yaml"
    file.write_bytes(b"#" * (1 << 20) + b"\n")
    with pytest.raises(ConfigError, match="larger than"):
        load({"HOME": str(tmp_path)}, file)


def test_the_first_file_is_private_and_loads(tmp_path: Path) -> None:
    path = tmp_path / "new/folder/config.yaml"
    write_example(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    environment = {"HOME": str(tmp_path)}
    assert load(environment, path).settings == config.defaults(environment)


def test_a_file_that_is_there_is_not_overwritten_unless_asked(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("backlog: 3d\n")
    with pytest.raises(ConfigError, match="is there already") as caught:
        write_example(path)
    assert "--force" in str(caught.value.hint)
    assert path.read_text() == "backlog: 3d\n"
    write_example(path, force=True)
    assert "#backlog: 7d" in path.read_text()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        write_example(tmp_path / "file/config.yaml")
