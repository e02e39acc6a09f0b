from datetime import UTC
from typing import Any

import pytest

from journald.ledger.facts import Change
from journald.ledger.ledger import build_ledger
from tests.ledger.agents import subagent
from tests.sessions import Script

HOME = "/home/ada/shop"


def changes(script: Script, **more: Any) -> dict[str, tuple[Change, int, int, bool]]:
    files = build_ledger(script.session(**more), UTC).files
    return {file.path: (file.change, file.added, file.removed, file.exact) for file in files}


def hunk(*lines: str) -> dict[str, Any]:
    return {"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": [*lines]}


def write(script: Script, path: str, content: str, text: str = "", **details: Any) -> str:
    return script.tool(
        "Write",
        {"file_path": path, "content": content},
        text or f"The file {path} has been updated.",
        details=details,
    )


def edit(script: Script, path: str, old: str, new: str, **more: Any) -> str:
    return script.tool(
        "Edit",
        {"file_path": path, "old_string": old, "new_string": new},
        more.pop("text", "The file has been updated."),
        **more,
    )


def test_a_patch_tells_the_lines() -> None:
    script = Script()
    edit(
        script,
        f"{HOME}/a.py",
        "x",
        "y",
        details={"structuredPatch": [hunk(" a", "-x", "+y", "+z"), hunk("-b")]},
    )
    assert changes(script) == {f"{HOME}/a.py": (Change.EDITED, 2, 2, True)}


def test_without_a_patch_the_texts_of_an_edit_are_compared_which_is_inexact() -> None:
    script = Script()
    edit(script, f"{HOME}/a.py", "one\ntwo\nthree", "one\n2\nthree\nfour")
    assert changes(script) == {f"{HOME}/a.py": (Change.EDITED, 2, 1, False)}


def test_replacing_everywhere_without_a_patch_is_counted_once_and_said_to_be_inexact() -> None:
    script = Script()
    script.tool(
        "Edit",
        {"file_path": f"{HOME}/a.py", "old_string": "x", "new_string": "y", "replace_all": True},
        "ok",
    )
    assert changes(script) == {f"{HOME}/a.py": (Change.EDITED, 1, 1, False)}


def test_several_edits_of_one_call_add_up() -> None:
    script = Script()
    edits = [
        {"old_string": "a", "new_string": "b\nc"},
        {"old_string": "d\ne", "new_string": "d"},
    ]
    script.tool("MultiEdit", {"file_path": f"{HOME}/a.py", "edits": edits}, "ok")
    assert changes(script) == {f"{HOME}/a.py": (Change.EDITED, 2, 2, False)}


def test_a_file_that_was_created_and_then_edited_stays_created() -> None:
    script = Script()
    write(script, f"{HOME}/new.py", "a\nb\n", type="create", structuredPatch=[])
    edit(script, f"{HOME}/new.py", "b", "c", details={"structuredPatch": [hunk(" a", "-b", "+c")]})
    assert changes(script) == {f"{HOME}/new.py": (Change.CREATED, 3, 1, True)}


@pytest.mark.parametrize(
    ("text", "details", "change"),
    [
        ("File created successfully at: x", {}, Change.CREATED),
        ("The file x has been updated. Here is the result", {}, Change.EDITED),
        ("anything", {"type": "create"}, Change.CREATED),
        ("anything", {"type": "update"}, Change.EDITED),
    ],
)
def test_creation_is_told_from_overwriting(
    text: str, details: dict[str, Any], change: Change
) -> None:
    script = Script()
    write(script, f"{HOME}/a.py", "one\ntwo", text, **details)
    assert changes(script)[f"{HOME}/a.py"][:2] == (change, 2)


def test_a_file_written_twice_is_compared_with_what_was_written_before() -> None:
    script = Script()
    write(script, f"{HOME}/a.py", "a\nb\nc\n", "File created successfully")
    edit(script, f"{HOME}/a.py", "b", "B")
    write(script, f"{HOME}/a.py", "a\nB\nd\n")
    assert changes(script) == {f"{HOME}/a.py": (Change.CREATED, 5, 2, False)}


def test_lines_that_claude_code_added_to_a_new_file_count() -> None:
    script = Script()
    write(script, f"{HOME}/a.md", "a\n", type="create", structuredPatch=[], contentLines=3)
    assert changes(script) == {f"{HOME}/a.md": (Change.CREATED, 3, 0, True)}


def test_overwriting_what_nobody_saw_is_inexact() -> None:
    script = Script()
    write(script, f"{HOME}/a.py", "a\nb\n")
    assert changes(script) == {f"{HOME}/a.py": (Change.EDITED, 2, 0, False)}


def test_an_edit_that_replaces_nothing_creates_a_file() -> None:
    script = Script()
    edit(script, f"{HOME}/new.txt", "", "one\ntwo\n")
    assert changes(script) == {f"{HOME}/new.txt": (Change.CREATED, 2, 0, True)}


def test_a_cell_of_a_notebook_counts_its_new_source() -> None:
    script = Script()
    script.tool(
        "NotebookEdit",
        {"notebook_path": f"{HOME}/n.ipynb", "new_source": "a\nb", "edit_mode": "insert"},
        "Inserted cell",
    )
    assert changes(script) == {f"{HOME}/n.ipynb": (Change.EDITED, 2, 0, True)}


@pytest.mark.parametrize(
    "more",
    [
        {"is_error": True},
        {"rejected": True, "is_error": True},
        {"cancelled": True, "is_error": True},
    ],
)
def test_a_change_that_failed_is_none(more: dict[str, Any]) -> None:
    script = Script()
    edit(script, f"{HOME}/a.py", "x", "y", **more)
    script.call("Write", {"file_path": f"{HOME}/b.py", "content": "x"})
    assert changes(script) == {}


def test_relative_and_absolute_names_of_a_file_are_one() -> None:
    script = Script()
    edit(script, f"{HOME}/src/a.py", "x", "y")
    edit(script, "src/a.py", "y", "z")
    edit(script, f"{HOME}/src/../src/a.py", "y", "z")
    assert list(changes(script)) == [f"{HOME}/src/a.py"]
    assert len(build_ledger(script.session(), UTC).files[0].ids) == 3


def test_a_relative_name_is_looked_for_in_every_working_directory() -> None:
    script = Script()
    edit(script, f"{HOME}/web/a.ts", "x", "y")
    edit(script, "a.ts", "y", "z")
    assert list(changes(script, cwds=(HOME, f"{HOME}/web"))) == [f"{HOME}/web/a.ts"]


def test_windows_names_are_kept() -> None:
    script = Script()
    edit(script, "C:\\work\\a.py", "x", "y")
    edit(script, "a.py", "y", "z")
    assert list(changes(script, cwds=("C:\\work",))) == ["C:\\work\\a.py"]


def test_changes_of_sub_agents_count() -> None:
    script = Script()
    task = script.tool("Task", {"description": "x"}, "done")
    helper = Script(prefix="a1.")
    call = edit(helper, f"{HOME}/a.py", "x", "y")
    (file,) = build_ledger(script.session(subagent(helper, "a1", task)), UTC).files
    assert file.ids == (call,)


@pytest.mark.parametrize(
    "command",
    [
        f"rm {HOME}/a.py",
        "rm -f a.py",
        "git rm a.py",
        f"cd {HOME} && rm a.py",
        "cd /home/ada && rm shop/a.py && ls",
    ],
)
def test_a_plain_removal_deletes_a_changed_file(command: str) -> None:
    script = Script()
    edit(script, f"{HOME}/a.py", "x", "y")
    removal = script.bash(command)
    (file,) = build_ledger(script.session(), UTC).files
    assert file.change is Change.DELETED
    assert file.ids[-1] == removal


@pytest.mark.parametrize(
    ("command", "exit_code"),
    [
        ("rm a.py", 1),
        ("rm *.py", 0),
        ("rm a.py || true", 0),
        ("rm a.py; ls", 0),
        ("cd $X && rm a.py", 0),
        ("cd sub && rm a.py", 0),
        ("rm b.py", 0),
        ("git rm --cached a.py", 0),
        ("echo rm a.py", 0),
        ("test -f x && rm a.py || ls", 0),
    ],
)
def test_what_is_not_certain_deletes_nothing(command: str, exit_code: int) -> None:
    script = Script()
    edit(script, f"{HOME}/a.py", "x", "y")
    script.bash(command, exit_code=exit_code)
    assert changes(script)[f"{HOME}/a.py"][0] is Change.EDITED


def test_a_file_written_again_after_its_removal_is_there() -> None:
    script = Script()
    write(script, f"{HOME}/a.py", "a\n", type="create")
    script.bash("rm a.py")
    write(script, f"{HOME}/a.py", "b\n", type="create")
    assert changes(script)[f"{HOME}/a.py"] == (Change.CREATED, 2, 0, True)


def moved(script: Script, **more: Any) -> dict[str, tuple[Change, str | None]]:
    files = build_ledger(script.session(**more), UTC).files
    return {file.path: (file.change, file.moved_to) for file in files}


@pytest.mark.parametrize(
    ("command", "target"),
    [
        ("mv a.py b.py", "b.py"),
        ("git mv -f a.py b.py", "b.py"),
        ("git mv a.py src/", "src/a.py"),
        ("mv a.py c.py src", "src/a.py"),
        ("mkdir -p src && mv a.py src/", "src/a.py"),
        ("mv a.py src", "src/a.py"),
        ("cd src && mv ../a.py b.py", "src/b.py"),
        (f"mv {HOME}/a.py {HOME}/b.py && ls | head", "b.py"),
    ],
)
def test_a_plain_move_tells_where_a_file_went(command: str, target: str) -> None:
    script = Script()
    edit(script, f"{HOME}/a.py", "x", "y")
    script.tool("Read", {"file_path": f"{HOME}/src/known.py"}, "text")
    script.bash(command)
    assert moved(script)[f"{HOME}/a.py"] == (Change.EDITED, f"{HOME}/{target}")


@pytest.mark.parametrize(
    ("command", "exit_code"),
    [
        ("mv a.py b.py", 1),
        ("mv a.py b.py || true", 0),
        ("mv a.py $X", 0),
        ("mv *.py src/", 0),
        ("mv -t src a.py", 0),
        ("(cd src && mv a.py b.py)", 0),
        ("cp a.py b.py", 0),
    ],
)
def test_a_move_that_is_not_certain_is_not_told(command: str, exit_code: int) -> None:
    script = Script()
    edit(script, f"{HOME}/a.py", "x", "y")
    script.bash(command, exit_code=exit_code)
    assert moved(script) == {f"{HOME}/a.py": (Change.EDITED, None)}


def test_a_folder_takes_its_files_along() -> None:
    script = Script()
    write(script, f"{HOME}/old/in/a.py", "a\n", type="create")
    write(script, f"{HOME}/older/b.py", "b\n", type="create")
    script.bash("git mv old new")
    script.bash("mv new newer")
    script.bash("rm -r older")
    assert moved(script) == {
        f"{HOME}/old/in/a.py": (Change.CREATED, f"{HOME}/newer/in/a.py"),
        f"{HOME}/older/b.py": (Change.DELETED, None),
    }


def test_a_file_that_was_moved_is_deleted_under_its_new_name() -> None:
    script = Script()
    edit(script, f"{HOME}/a.py", "x", "y")
    script.bash("mv a.py b.py && rm b.py")
    assert moved(script)[f"{HOME}/a.py"][0] is Change.DELETED


def test_a_file_written_again_after_its_move_is_there() -> None:
    script = Script()
    write(script, f"{HOME}/a.py", "a\n", type="create")
    script.bash("mv a.py b.py")
    write(script, f"{HOME}/a.py", "b\n", type="create")
    assert moved(script) == {f"{HOME}/a.py": (Change.CREATED, None)}


@pytest.mark.parametrize("command", ["rm old", "rm -rf old*", "rm -rf $OLD", "rm -rf old; ls"])
def test_a_folder_is_deleted_by_a_certain_and_recursive_removal_alone(command: str) -> None:
    script = Script()
    edit(script, f"{HOME}/old/a.py", "x", "y")
    script.bash(command)
    assert changes(script)[f"{HOME}/old/a.py"][0] is Change.EDITED


def test_what_follows_a_pipe_is_certain_where_the_line_went_on() -> None:
    script = Script()
    edit(script, f"{HOME}/a.py", "x", "y")
    script.bash("rm a.py && git status | head -3 && echo done")
    assert changes(script)[f"{HOME}/a.py"][0] is Change.DELETED


def test_what_the_human_changed_before_it_was_written_is_marked() -> None:
    script = Script()
    write(script, f"{HOME}/a.py", "a\n", type="create", userModified=True)
    edit(
        script,
        f"{HOME}/b.py",
        "x",
        "y",
        details={"userModified": True, "structuredPatch": [hunk("-x", "+z", "+z")]},
    )
    edit(script, f"{HOME}/c.py", "", "y", details={"userModified": False})
    files = build_ledger(script.session(), UTC).files
    assert [(file.added, file.exact, file.by_user) for file in files] == [
        (1, False, True),
        (2, True, True),
        (1, True, False),
    ]


def test_a_patch_that_a_very_long_session_left_out_is_counted_by_its_size() -> None:
    script = Script()
    write(script, "/a", "x\n" * 9, type="update", patchAdded=5, patchRemoved=2)
    assert changes(script) == {"/a": (Change.EDITED, 5, 2, True)}
