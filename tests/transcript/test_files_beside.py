"""What a session reads out of the files beside its transcript."""

from pathlib import Path

from journald.transcript.session import EventKind
from tests.rows import SESSION_ID, Rows
from tests.transcript.reading import read, texts

OTHER = "bbbbbbbb-0b0a-4009-8008-070605040302"
CUT = (
    "<persisted-output>\nOutput too large (88.1KB). Full output saved to: /elsewhere/b2a.txt\n\n"
    "Preview (first 2KB):\ncollected 900 items\n...\n</persisted-output>"
)


def test_the_end_of_a_large_output_is_read_for_the_session_and_its_agents(
    tmp_path: Path,
) -> None:
    rows = Rows()
    rows.tool("Bash", {"command": "pytest -v"}, CUT)
    agent = Rows(SESSION_ID, prefix="aaa", isSidechain=True, agentId="aaa")
    agent.tool("Bash", {"command": "pytest -v"}, CUT)
    folder = tmp_path / SESSION_ID
    agent.write(folder / "subagents", "agent-aaa.jsonl")
    (folder / "tool-results").mkdir()
    (folder / "tool-results" / "b2a.txt").write_text("collected\n...\n900 passed in 9.1s\n")
    session = read(rows, tmp_path)
    (found,) = session.subagents
    for events in (session.events, found.events):
        (text,) = texts(events, EventKind.TOOL_RESULT)
        assert text.startswith("Output too large")
        assert text.endswith("900 passed in 9.1s")


def test_the_title_in_the_file_beside_is_read_anew_each_time(tmp_path: Path) -> None:
    rows = Rows()
    rows.meta("ai-title", aiTitle="By the machine")
    assert read(rows, tmp_path).title == "By the machine"
    beside = tmp_path / SESSION_ID / "custom-title.json"
    beside.parent.mkdir()
    beside.write_text('{"customTitle":"By hand"}')
    assert read(rows, tmp_path).title == "By hand"
    rows.meta("custom-title", customTitle="By hand, in the rows")
    assert read(rows, tmp_path).title == "By hand, in the rows"


def test_rows_that_name_another_session_are_kept_and_said_so(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("ours")
    rows.user("of whom?", sessionId=OTHER)
    session = read(rows, tmp_path)
    assert texts(session.events) == ["ours", "of whom?"]
    assert session.foreign == {OTHER: 1}
