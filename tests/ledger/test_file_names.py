"""One file under all the names that tools and commands give it."""

from datetime import UTC
from typing import Any

import pytest

from journald.ledger.facts import Change
from journald.ledger.ledger import build_ledger
from tests.sessions import Script

HOME = "/home/ada/shop"


def changes(script: Script, **more: Any) -> dict[str, Change]:
    return {file.path: file.change for file in build_ledger(script.session(**more), UTC).files}


def edit(script: Script, path: str, **more: Any) -> str:
    arguments = {"file_path": path, "old_string": "x", "new_string": "y"}
    return script.tool("Edit", arguments, "updated", **more)


@pytest.mark.parametrize(
    "named",
    [
        "D:/shop/src/a.py",
        "d:\\shop\\src\\A.py",
        "/d/shop/src/a.py",
        "/mnt/d/shop/src/a.py",
        "/cygdrive/d/shop/src/a.py",
        "src\\a.py",
        "src/a.py",
        "D:\\shop\\web\\..\\src\\a.py",
    ],
)
def test_all_names_of_a_file_on_windows_are_one(named: str) -> None:
    script = Script()
    edit(script, "D:\\shop\\src\\a.py")
    edit(script, named)
    assert list(changes(script, cwds=("D:\\shop",))) == ["D:\\shop\\src\\a.py"]


def test_a_command_of_git_bash_deletes_a_file_that_a_tool_named_as_windows_does() -> None:
    script = Script()
    edit(script, "D:\\shop\\a.py")
    script.bash("cd /d/shop && rm a.py")
    assert changes(script, cwds=("D:\\shop",))["D:\\shop\\a.py"] is Change.DELETED


def test_a_folder_of_one_letter_is_no_drive_elsewhere() -> None:
    script = Script()
    edit(script, "/d/a.py")
    edit(script, "/D/a.py")
    assert list(changes(script)) == ["/d/a.py", "/D/a.py"]


def test_the_two_names_of_a_scratch_folder_on_macos_are_one() -> None:
    script = Script()
    edit(script, "/tmp/a.py")  # noqa: S108 - a name in a transcript
    edit(script, "/private/tmp/a.py")
    assert list(changes(script)) == ["/tmp/a.py"]  # noqa: S108 - a name in a transcript


def test_a_file_in_a_worktree_is_another_one() -> None:
    script = Script()
    edit(script, f"{HOME}/a.py")
    edit(script, f"{HOME}/.claude/worktrees/fix/a.py")
    assert len(changes(script)) == 2


def test_the_path_in_the_result_completes_one_from_the_home_folder() -> None:
    script = Script()
    edit(script, "~/a.py", details={"filePath": "/home/ada/a.py"})
    edit(script, "/home/ada/a.py")
    assert list(changes(script)) == ["/home/ada/a.py"]


def test_a_commands_folder_is_the_one_where_the_shell_was_left() -> None:
    script = Script()
    edit(script, f"{HOME}/web/a.ts")
    script.bash("cd web")
    script.bash("rm a.ts")
    cwds = (HOME, f"{HOME}/web")
    assert changes(script, cwds=cwds)[f"{HOME}/web/a.ts"] is Change.DELETED


def test_a_folder_that_was_never_entered_is_not_believed() -> None:
    script = Script()
    edit(script, f"{HOME}/a.ts")
    script.bash("cd elsewhere")
    script.bash("rm ../a.ts")
    cwds = (HOME, f"{HOME}/web")
    assert changes(script, cwds=cwds)[f"{HOME}/a.ts"] is Change.EDITED
