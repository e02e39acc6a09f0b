import errno
import os
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from journald import files
from journald.config import Journal
from journald.errors import NotebookError
from journald.journal.document import Conflict, front_of, merge
from journald.journal.entry import Entry
from journald.journal.markdown import compose, render
from journald.journal.notebook import Notebook, Outcome, Written
from journald.ledger.facts import Request
from tests.journal.entries import HOSTILE, NOW, entry, request

MINE = "\n## My notes\n\nKeep this.\n"


def as_it_is(text: str) -> str:
    return text


def longer(first: Entry, *requests: str, **more: Any) -> Entry:
    """Return the entry of the same session after it went on."""
    asked: tuple[Request, ...] = tuple(
        request(text, id=f"e{100 + at}") for at, text in enumerate(requests)
    )
    facts = replace(first.ledger, requests=(*first.ledger.requests, *asked))
    later: dict[str, Any] = {
        "fingerprint": "f2",
        "written_at": NOW + timedelta(hours=1),
        "ledger": facts,
    }
    return replace(first, **(later | more))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def notebook(folder: Path) -> Notebook:
    return Notebook(folder, Journal())


def write(notebook: Notebook, one: Entry) -> Written:
    return notebook.write(one, as_it_is)


def edit(path: Path, change: Callable[[str], str]) -> str:
    text = change(path.read_text())
    path.write_text(text)
    return text


def front(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(front_of(path.read_text()) or "")
    return loaded


def entries_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_new_entry_is_named_by_date_project_and_title(notebook: Notebook, folder: Path) -> None:
    written = write(notebook, entry())
    assert written.outcome is Outcome.CREATED
    assert entries_in(folder) == ["2026-03/2026-03-05 shop - add vat rounding.md"]
    assert written.path == folder / "2026-03/2026-03-05 shop - add vat rounding.md"


@pytest.mark.parametrize(
    ("folders", "name"),
    [
        ("flat", "2026-03-05 shop - add vat rounding.md"),
        ("project", "shop/2026-03-05 shop - add vat rounding.md"),
    ],
)
def test_entries_are_filed_as_the_settings_say(folder: Path, folders: Any, name: str) -> None:
    write(Notebook(folder, Journal(folders=folders)), entry())
    assert entries_in(folder) == [name]


def test_a_title_in_another_script_is_named_by_its_session(
    notebook: Notebook, folder: Path
) -> None:
    write(notebook, entry(told={"title": "修复登录"}))
    assert entries_in(folder) == ["2026-03/2026-03-05 shop - 0f0e0d0c.md"]


def test_a_session_without_a_time_is_undated(notebook: Notebook, folder: Path) -> None:
    undated = entry(facts={"started": None, "ended": None})
    write(notebook, undated)
    assert entries_in(folder) == ["undated/undated shop - add vat rounding.md"]
    assert "date" not in front(folder / "undated/undated shop - add vat rounding.md")


@given(HOSTILE)
@settings(max_examples=30, deadline=None)
def test_no_name_leads_out_of_the_folder(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    base = tmp_path_factory.mktemp("base")
    hostile = entry(told={"title": f"../../{text}"}, session={"project": f"../{text}"})
    path = write(Notebook(base / "journal", Journal(folders="project")), hostile).path
    assert [one.name for one in base.iterdir()] == ["journal"]
    assert len(path.relative_to(base / "journal").parts) == 2
    assert re.fullmatch(r"[\w. -]+\.md", path.name, re.ASCII)


def test_files_and_folders_are_private(notebook: Notebook, folder: Path) -> None:
    path = write(notebook, entry()).path
    assert [one.stat().st_mode & 0o777 for one in (folder, path.parent, path)] == [
        0o700,
        0o700,
        0o600,
    ]


def test_every_entry_gets_the_tags_of_the_settings(folder: Path) -> None:
    notebook = Notebook(folder, Journal(tags=("work log",)))
    tagged = entry(session={"tags": ("bug",)})
    assert front(write(notebook, tagged).path)["tags"] == ["work-log", "bug"]
    assert "- work-log\n" in notebook.preview(tagged, as_it_is)


def test_two_sessions_of_the_same_name_get_two_files(notebook: Notebook, folder: Path) -> None:
    write(notebook, entry())
    write(notebook, entry(session_id="another"))
    assert entries_in(folder) == [
        "2026-03/2026-03-05 shop - add vat rounding 2.md",
        "2026-03/2026-03-05 shop - add vat rounding.md",
    ]


def test_writing_the_same_again_touches_nothing(notebook: Notebook) -> None:
    path = write(notebook, entry()).path
    before = (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino)
    again = write(notebook, entry(written_at=NOW + timedelta(days=1)))
    assert again == Written(path=path, outcome=Outcome.UNCHANGED)
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before


def test_a_session_that_went_on_is_refreshed_in_its_place(notebook: Notebook, folder: Path) -> None:
    path = write(notebook, entry()).path
    refreshed = write(notebook, longer(entry(), "and then this", title="Another title"))
    assert refreshed == Written(path=path, outcome=Outcome.REFRESHED)
    assert "and then this" in path.read_text()
    assert path.read_text().count("# Another title\n") == 1
    assert front(path)["journald"]["fingerprint"] == "f2"
    assert len(entries_in(folder)) == 1


def test_an_entry_that_was_moved_and_renamed_is_refreshed_where_it_is(
    notebook: Notebook, folder: Path
) -> None:
    path = write(notebook, entry()).path
    moved = folder / "Projects" / "my name.md"
    moved.parent.mkdir()
    path.rename(moved)
    assert write(notebook, longer(entry(), "more")).path == moved
    assert entries_in(folder) == ["Projects/my name.md"]
    assert Notebook(folder, Journal()).find(entry().session_id) == moved


def test_text_around_the_generated_part_stays(notebook: Notebook) -> None:
    path = write(notebook, entry()).path
    edit(
        path,
        lambda text: text.replace("<!-- journald:begin", "Above.\n\n<!-- journald:begin").replace(
            "\n## My notes\n\n", MINE
        ),
    )
    before = path.read_text()
    assert write(notebook, longer(entry(), "more")).outcome is Outcome.REFRESHED
    after = path.read_text()
    assert after.split("journald:end -->")[1] == before.split("journald:end -->")[1]
    assert "\n---\n\nAbove.\n\n<!-- journald:begin" in after


def test_keys_and_tags_of_the_user_stay(notebook: Notebook) -> None:
    path = write(notebook, entry(tags=("bug",))).path
    edit(
        path,
        lambda text: (
            text.replace("  - claude-code\n", "  - mine\n")
            .replace("project: shop\n", "project: Shop 2 # mine\n")
            .replace("date:", "# a comment\nrating:   5\nrelated: ['[[x]]']\ndate:")
            .replace("active_minutes: 84\n", "")
        ),
    )
    newer = longer(entry(tags=("bug", "vat")), "more", active=timedelta(hours=2), branch="fix")
    assert write(notebook, newer).outcome is Outcome.REFRESHED
    text, read = path.read_text(), front(path)
    assert "# a comment\nrating:   5\nrelated: ['[[x]]']\ndate:" in text
    assert "project: Shop 2 # mine\n" in text
    assert read["tags"] == ["mine", "bug", "vat"]
    assert (read["active"], read["branch"]) == ("2h", "fix")
    assert "active_minutes" not in read
    again = longer(newer, "even more", active=timedelta(hours=3))
    write(notebook, again)
    assert front(path)["tags"] == ["mine", "bug", "vat"]
    assert front(path)["project"] == "Shop 2"
    assert front(path)["active"] == "3h"


def test_a_title_line_that_the_user_changed_stays(notebook: Notebook) -> None:
    path = write(notebook, entry()).path
    edit(path, lambda text: text.replace("# Add VAT rounding\n", "# My title\n"))
    for number in (1, 2):
        result = write(notebook, longer(entry(), *("more",) * number, title=f"Theirs {number}"))
        assert result.outcome is Outcome.REFRESHED
        assert "\n# My title\n" in path.read_text()
        assert "# Theirs" not in path.read_text()


def test_a_front_matter_that_another_program_wrote_anew_is_no_change(notebook: Notebook) -> None:
    path = write(notebook, entry()).path
    as_json = yaml.safe_dump(yaml.safe_load(front_of(path.read_text()) or ""), sort_keys=True)
    edit(path, lambda text: text.replace(front_of(text) or "", as_json))
    assert write(notebook, entry()).outcome is Outcome.UNCHANGED
    assert write(notebook, longer(entry(), "more", branch="fix")).outcome is Outcome.REFRESHED
    assert front(path)["branch"] == "fix"


def test_line_ends_and_spaces_that_an_editor_changed_are_no_edit(notebook: Notebook) -> None:
    path = write(notebook, entry()).path
    windows = re.sub(r"[ \t]+\n", "\n", path.read_text()).replace("\n", "\r\n")
    path.write_bytes(windows.encode())
    assert write(notebook, longer(entry(), "more")).outcome is Outcome.REFRESHED
    refreshed = path.read_bytes()
    assert b"more" in refreshed
    assert refreshed.count(b"\n") == refreshed.count(b"\r\n")


def test_an_edited_generated_part_is_kept_and_the_new_version_goes_beside(
    notebook: Notebook, folder: Path
) -> None:
    path = write(notebook, entry()).path
    mine = edit(path, lambda text: text.replace("half to even", "HALF TO EVEN"))
    beside = write(notebook, longer(entry(), "more"))
    assert beside.outcome is Outcome.BESIDE
    assert beside.reason == "its generated part was edited"
    assert beside.path.name == "2026-03-05 shop - add vat rounding (new version).md"
    assert path.read_text() == mine
    assert "more" in beside.path.read_text()
    assert notebook.find(entry().session_id) == path
    again = write(notebook, longer(entry(), "more", "still more"))
    assert (again.outcome, again.path) == (Outcome.BESIDE, beside.path)
    assert "still more" in beside.path.read_text()
    assert write(notebook, longer(entry(), "more", "still more")).outcome is Outcome.UNCHANGED
    assert len(entries_in(folder)) == 2


def test_an_edited_entry_of_a_session_that_did_not_go_on_is_left_alone(
    notebook: Notebook, folder: Path
) -> None:
    path = write(notebook, entry()).path
    edit(path, lambda text: text.replace("half to even", "HALF TO EVEN"))
    assert write(notebook, entry()) == Written(path=path, outcome=Outcome.UNCHANGED)
    assert len(entries_in(folder)) == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("<!-- journald:end -->", ""),
        lambda text: text + "\n<!-- journald:end -->\n",
        lambda text: re.sub(r"<!-- journald:begin.*?-->", "", text),
        lambda text: re.sub(r"(<!-- journald:begin) .*?-->", r"\1 -->", text),
        lambda text: text.replace("\ntitle:", "\ntitle: [:"),
        lambda text: text.replace("\ntitle:", "\ntitle: one\ntitle:"),
        lambda text: text.replace("\n---\n", "\n", 1),
    ],
)
def test_a_damaged_file_is_kept_and_the_new_version_goes_beside(
    notebook: Notebook, damage: Callable[[str], str]
) -> None:
    path = write(notebook, entry()).path
    mine = edit(path, damage)
    result = write(notebook, longer(entry(), "more"))
    assert result.outcome is Outcome.BESIDE
    assert result.reason
    assert path.read_text() == mine
    assert write(notebook, longer(entry(), "more")).path == result.path


def test_a_file_that_is_no_utf_8_is_kept(notebook: Notebook) -> None:
    path = write(notebook, entry()).path
    mine = path.read_bytes() + b"caf\xe9\n"
    path.write_bytes(mine)
    assert write(notebook, longer(entry(), "more")).outcome is Outcome.BESIDE
    assert path.read_bytes() == mine


def test_a_newer_version_takes_the_place_of_an_entry_that_was_deleted(
    notebook: Notebook, folder: Path
) -> None:
    path = write(notebook, entry()).path
    edit(path, lambda text: text.replace("half to even", "HALF TO EVEN"))
    beside = write(notebook, longer(entry(), "more")).path
    path.unlink()
    assert write(notebook, longer(entry(), "more", "most")) == Written(
        path=beside, outcome=Outcome.REFRESHED
    )
    assert "A newer version of" not in beside.read_text()
    assert "beside" not in front(beside)["journald"]


def test_a_copy_made_by_a_sync_tool_is_not_taken_for_the_entry(notebook: Notebook) -> None:
    path = write(notebook, entry()).path
    copy = path.with_name(f"{path.stem}.sync-conflict-20260305-1.md")
    copy.write_bytes(path.read_bytes())
    assert write(notebook, longer(entry(), "more")).path == path
    assert "more" not in copy.read_text()


def test_entries_tell_what_a_lost_database_has_to_know(notebook: Notebook, folder: Path) -> None:
    path = write(notebook, entry()).path
    write(notebook, entry(session_id="another"))
    (folder / "a note.md").write_text("---\ntags: [x]\n---\nabout journald\n")
    edit(path, lambda text: text.replace("half to even", "HALF TO EVEN"))
    write(notebook, longer(entry(), "more"))
    known = {one.session_id: one for one in Notebook(folder, Journal()).entries()}
    assert {*known} == {entry().session_id, "another"}
    assert known[entry().session_id].path == path
    assert known[entry().session_id].fingerprint == "f2"
    assert known["another"].status == "complete"


def test_a_folder_that_is_not_there_holds_no_entries(notebook: Notebook) -> None:
    assert [*notebook.entries()] == []
    assert notebook.find("x") is None
    assert notebook.remove_temporaries() == 0


def test_what_a_killed_process_left_is_removed(notebook: Notebook, folder: Path) -> None:
    path = write(notebook, entry()).path
    (path.parent / f".abc{files.TEMPORARY_SUFFIX}").write_text("half")
    assert notebook.remove_temporaries() == 1
    assert len(entries_in(folder)) == 1


def test_a_link_out_of_the_folder_is_not_followed(
    notebook: Notebook, folder: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder.mkdir()
    (folder / "2026-03").symlink_to(outside)
    with pytest.raises(NotebookError, match="leads out of the notes folder") as caught:
        write(notebook, entry())
    assert caught.value.hint
    assert [*outside.iterdir()] == []


def test_a_notes_folder_may_itself_be_a_link(folder: Path, tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    folder.symlink_to(real)
    assert write(Notebook(folder, Journal()), entry()).outcome is Outcome.CREATED
    assert len(entries_in(real)) == 1


def test_a_file_in_the_place_of_the_folder_is_told(notebook: Notebook, folder: Path) -> None:
    folder.write_text("")
    with pytest.raises(NotebookError, match=re.escape(str(folder))) as caught:
        write(notebook, entry())
    assert caught.value.hint is not None
    assert "notes_dir" in caught.value.hint
    assert caught.value.retryable


@pytest.mark.parametrize(
    ("code", "hint"), [(errno.ENOSPC, "Make room"), (errno.EROFS, "read-only")]
)
def test_a_full_or_read_only_disk_is_told_and_the_old_entry_stays(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch, code: int, hint: str
) -> None:
    path = write(notebook, entry()).path
    before = path.read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(NotebookError, match=os.strerror(code)) as caught:
        write(notebook, longer(entry(), "more"))
    assert caught.value.hint is not None
    assert hint in caught.value.hint
    assert path.read_bytes() == before
    assert len([*path.parent.iterdir()]) == 1


USER_TEXT = st.lists(
    st.one_of(
        st.sampled_from(["\n", "\r\n", "---\n", "```\n", "# x\n", "> \n", "\ufeff", "\u2028", "  \n", "<!-- x -->\n", "é"]),
        st.text(st.characters(codec="utf-8"), max_size=10),
    ),
    max_size=10,
).map("".join)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(USER_TEXT, USER_TEXT)
def test_any_text_outside_of_the_markers_survives_byte_for_byte(above: str, below: str) -> None:
    first = entry()
    text = render(first, as_it_is)
    at = text.index("<!-- journald:begin")
    end = text.index("<!-- journald:end -->") + len("<!-- journald:end -->")
    # A marker is a line of its own; what stands on its line is damage, told elsewhere.
    user = f"{text[:at]}{above}\n{text[at:end]}\n{below}"
    merged = merge(user, compose(longer(first, "more"), as_it_is))
    assert not isinstance(merged, Conflict)
    head, _, rest = merged.partition("<!-- journald:begin")
    assert head.endswith(f"\n---\n\n{above}\n")
    assert rest.split("<!-- journald:end -->", 1)[1] == f"\n{below}"
    assert "more" in rest


YAML_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Co"]), max_size=12) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.text("abcxyz", min_size=3, max_size=6), YAML_VALUES, max_size=4),
    st.booleans(),
)
def test_any_key_of_the_user_survives_as_it_is_written(keys: dict[str, Any], on_top: bool) -> None:
    first = entry()
    text = render(first, as_it_is)
    theirs = yaml.safe_dump(keys, allow_unicode=True) if keys else ""
    place = "title: " if on_top else "journald:\n"
    user = text.replace(f"\n{place}", f"\n{theirs}{place}", 1)
    merged = merge(user, compose(longer(first, "more"), as_it_is))
    assert not isinstance(merged, Conflict)
    assert theirs in merged
    read = yaml.safe_load(front_of(merged) or "")
    assert {key: read[key] for key in keys} == yaml.safe_load(theirs or "{}")
    assert read["journald"]["fingerprint"] == "f2"
