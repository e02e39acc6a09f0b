"""Facts as the reader hands them over, from the rows as Claude Code writes them."""

from datetime import UTC
from pathlib import Path

from journald.ledger.facts import Act, Ledger, Refuser
from journald.ledger.ledger import build_ledger
from tests.rows import Rows
from tests.transcript.reading import read


def ledger(rows: Rows, folder: Path) -> Ledger:
    return build_ledger(read(rows, folder), UTC)


def test_a_recorded_commit_push_and_pull_request_are_told(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Ship it")
    url = "https://github.com/ada/shop/pull/12"
    operation = {
        "commit": {"sha": "1a2b3c4d", "kind": "committed"},
        "push": {"branch": "main"},
        "pr": {"number": 12, "url": url, "action": "created"},
    }
    rows.tool("Bash", {"command": "./ship.sh"}, "", {"stdout": "", "gitOperation": operation})
    told = ledger(rows, tmp_path)
    assert [one.hash for one in told.commits] == ["1a2b3c4d"]
    assert [(one.act, one.name) for one in told.git_acts] == [(Act.PUSHED, "main")]
    assert [(one.number, one.action) for one in told.pull_requests] == [(12, "created")]


def test_an_edit_is_counted_from_its_patch(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Fix it")
    patch = [{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2,
              "lines": [" a", "-b", "+c", "\\ No newline at end of file"]}]  # fmt: skip
    path = "/home/ada/shop/a.py"
    rows.tool(
        "Edit",
        {"file_path": path, "old_string": "b", "new_string": "c"},
        "updated",
        {"filePath": path, "structuredPatch": patch, "userModified": True},
    )
    (file,) = ledger(rows, tmp_path).files
    assert (file.added, file.removed, file.exact, file.by_user) == (1, 1, True, True)


def test_refusals_of_the_human_of_a_rule_and_of_the_auto_mode_are_told_apart(
    tmp_path: Path,
) -> None:
    rows = Rows()
    rows.user("Clean up")
    texts = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        "Permission to use Bash with command rm x has been denied.",
        "claude-x is temporarily unavailable, so auto mode cannot determine the safety of Bash",
    )
    for text in texts:
        call = rows.call("Bash", {"command": "rm x"})
        rows.result(call, text, f"Error: {text}", is_error=True)
    told = ledger(rows, tmp_path)
    assert [one.by for one in told.refused] == [Refuser.HUMAN, Refuser.RULE, Refuser.AUTO_MODE]
    assert (told.refusals, told.commands, told.errors) == (3, (), ())


def test_api_errors_and_a_model_that_refused_are_told(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Look at this")
    rows.system("api_error", error={"status": 529}, retryAttempt=1, maxRetries=10)
    rows.system("model_refusal_fallback", content="Flagged. Switched to another model.")
    rows.assistant(
        {"type": "text", "text": "API Error: overloaded"},
        model="<synthetic>",
        isApiErrorMessage=True,
    )
    told = ledger(rows, tmp_path)
    assert (told.api_retries, told.api_errors) == (1, 1)
    assert [one.text for one in told.model_refusals] == ["Flagged. Switched to another model."]


def test_tokens_of_a_message_on_several_rows_count_once(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Go")
    for text in ("one", "two", "three"):
        rows.say(text, message_id="msg_1")
    told = ledger(rows, tmp_path)
    assert (told.usage.input, told.usage.output) == (10, 20)
    assert sum(told.models.values()) == 1


def test_a_background_command_of_1_0_ends_where_bash_output_says(tmp_path: Path) -> None:
    rows = Rows(version="1.0.98")
    rows.user("Build")
    rows.tool(
        "Bash",
        {"command": "make", "run_in_background": True},
        "Command running in background with ID: bash_1",
        {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "bash_1"},
    )
    rows.tool(
        "BashOutput",
        {"bash_id": "bash_1"},
        "<status>failed</status>\n\n<exit_code>2</exit_code>",
        {"shellId": "bash_1", "command": "make", "status": "failed", "exitCode": 2},
    )
    (command,) = ledger(rows, tmp_path).commands
    assert (command.ok, command.exit_status) == (False, 2)
