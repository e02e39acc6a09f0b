import os
from pathlib import Path

import pytest

from journald.transcript.persisted import TAIL, Persisted
from tests.rows import SESSION_ID

PREVIEW = "collected 3 items\n..."
ENDING = "3 passed in 0.12s"


def wrapped(path: str, preview: str = PREVIEW) -> str:
    return (
        f"<persisted-output>\nOutput too large (88.1KB). Full output saved to: {path}\n\n"
        f"Preview (first 2KB):\n{preview}\n</persisted-output>"
    )


def results(folder: Path) -> Path:
    made = folder / SESSION_ID / "tool-results"
    made.mkdir(parents=True)
    return made


def reading(folder: Path) -> Persisted:
    return Persisted(folder / f"{SESSION_ID}.jsonl")


@pytest.mark.parametrize(
    "path",
    [
        "/home/ada/.claude/projects/-home-ada-shop/0f0e/tool-results/b2a.txt",
        r"C:\Users\ada\.claude\projects\x\tool-results\b2a.txt",
        "b2a.txt",
    ],
)
def test_the_end_of_a_persisted_output_is_read_wherever_the_session_was_before(
    tmp_path: Path, path: str
) -> None:
    (results(tmp_path) / "b2a.txt").write_text(f"{PREVIEW}\n{ENDING}\n")
    text = reading(tmp_path).unwrap(wrapped(path))
    assert text.startswith("Output too large (88.1KB).")
    assert text.endswith(ENDING)
    assert "persisted-output" not in text


def test_no_more_than_the_last_lines_are_read(tmp_path: Path) -> None:
    lines = "".join(f"\x1b[32mline {number}\x1b[0m\n" for number in range(100_000))
    (results(tmp_path) / "b2a.txt").write_text(lines)
    text = reading(tmp_path).unwrap(wrapped("b2a.txt"))
    assert len(text) < TAIL + 1000
    assert text.endswith("line 99999")
    assert "\x1b" not in text
    first = text.partition("[the end of the whole output:]\n")[2].partition("\n")[0]
    assert first.startswith("line ")


def test_without_the_file_the_preview_stands(tmp_path: Path) -> None:
    for persisted in (reading(tmp_path), Persisted()):
        text = persisted.unwrap(wrapped("b2a.txt"))
        assert text.startswith("Output too large")
        assert text.endswith(PREVIEW)


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "../../secret.txt",
        "tool-results/..",
        "/x/.txt",
        "",
        "x/b2a.txt/",
        "b2a.txt\0.txt",
        "a" * 300 + ".txt",
    ],
)
def test_a_path_leads_nowhere_but_into_the_sessions_own_folder(tmp_path: Path, path: str) -> None:
    results(tmp_path)
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / SESSION_ID / "secret.txt").write_text("secret")
    assert "secret\n" not in reading(tmp_path).unwrap(wrapped(path)) + "\n"


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    folder = results(tmp_path)
    (folder / "b2a.txt").symlink_to(tmp_path / "secret.txt")
    assert "secret" not in reading(tmp_path).unwrap(wrapped("b2a.txt"))
    (folder / "b2a.txt").unlink()
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "b2a.txt").write_text("secret")
    folder.symlink_to(tmp_path / "elsewhere")
    assert "secret" not in reading(tmp_path).unwrap(wrapped("b2a.txt"))


def test_a_pipe_in_the_files_place_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(results(tmp_path) / "b2a.txt")
    assert reading(tmp_path).unwrap(wrapped("b2a.txt")).endswith(PREVIEW)


def test_the_wrapper_goes_after_an_exit_code_and_when_its_end_is_missing() -> None:
    whole = wrapped("/x/b2a.txt")
    assert Persisted().unwrap(f"Exit code 1\n{whole}").startswith("Exit code 1\nOutput too large")
    cut = Persisted().unwrap(whole.removesuffix("</persisted-output>"))
    assert cut.endswith(PREVIEW)
    assert Persisted().unwrap(f"{whole}\nand more").endswith("and more")


def test_a_text_about_persisted_outputs_is_left_alone(tmp_path: Path) -> None:
    (results(tmp_path) / "b2a.txt").write_text("not for here")
    text = f"     1\t{wrapped('b2a.txt')}"
    assert reading(tmp_path).unwrap(text) == text
