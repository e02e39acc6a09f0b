from pathlib import Path
from typing import Any

import pytest

from journald.transcript.discovery import find_agents, find_transcripts, title_beside
from journald.transcript.kinds import IGNORED
from journald.transcript.metadata import Metadata
from journald.transcript.records import Row, decode_row
from tests.rows import SESSION_ID, Rows, encode
from tests.transcript.reading import read, requests, texts

OTHER = "bbbbbbbb-0b0a-4009-8008-070605040302"
BODIES: dict[str, dict[str, Any]] = {
    "agent-color": {"agentColor": "red"},
    "agent-name": {"agentName": "tester"},
    "agent-setting": {"agentSetting": "x"},
    "artifact-autoreact-ledger": {"ledger": []},
    "artifact-comment-monitor": {"artifacts": {}},
    "atis-latch": {"atis": True},
    "attribution-snapshot": {"fileStates": {}},
    "bridge-session": {"bridgeSessionId": "b", "lastSequenceNum": 7, "ownerAccountUuid": "o"},
    "content-replacement": {
        "replacements": [{"kind": "tool-result", "toolUseId": "t", "replacement": "short"}]
    },
    "continued-in": {"continuedInSessionId": OTHER, "timestamp": "2026-03-05T09:00:00.000Z"},
    "cost-state": {"totalCostUSD": 1.25, "modelUsage": {"m": {"inputTokens": 999}}},
    "ended-by-model": {},
    "file-history-delta": {"messageId": "m", "trackingPath": "/a.py", "backup": {}},
    "file-history-snapshot": {
        "messageId": "m",
        "snapshot": {"messageId": "m", "trackedFileBackups": {"/a.py": {"version": 1}}},
    },
    "fork-context-ref": {"agentId": "a", "parentSessionId": OTHER, "parentLastUuid": "u"},
    "frame-link": {"frameUrl": "https://frames.example/1", "path": "/a.html", "title": "A"},
    "history-suppression": {"cause": "fork_inherit", "ts": 1},
    "isolation-latch": {"side": "x"},
    "marble-origami-commit": {"x": 1},
    "marble-origami-snapshot": {"x": 1},
    "mode": {"mode": "normal"},
    "permission-mode": {"permissionMode": "plan"},
    "teleport-skipped-branch": {"branch": "x"},
    "teleported-from": {"remoteSessionId": "r", "messageCount": 3},
}


@pytest.mark.parametrize("kind", sorted(BODIES))
def test_a_known_row_that_tells_nothing_changes_nothing(tmp_path: Path, kind: str) -> None:
    rows = Rows()
    rows.user("go")
    rows.say("done")
    without = read(rows, tmp_path)
    rows.meta(kind, **BODIES[kind])
    session = read(rows, tmp_path)
    assert (session.events, session.usage, session.title) == (
        without.events,
        without.usage,
        without.title,
    )
    assert session.lines.unknown == 0
    assert session.lines.types[kind] == 1


def test_every_known_row_that_tells_nothing_is_in_the_test_above() -> None:
    assert frozenset(BODIES) | {"rewind-pointer"} == IGNORED


@pytest.mark.parametrize(
    "kind", ["custom-title", "ai-title", "tag", "pr-link", "worktree-state", "relocated", "summary"]
)
def test_a_metadata_row_without_its_body_is_no_fault(tmp_path: Path, kind: str) -> None:
    rows = Rows()
    rows.meta(kind)
    session = read(rows, tmp_path)
    assert (session.title, session.tags, session.pull_requests, session.cwds) == (None, (), (), ())
    assert session.lines.unknown == 0


def test_a_stub_that_a_teleport_left_is_an_empty_session(tmp_path: Path) -> None:
    rows = Rows()
    rows.add(encode({"type": "teleported-from", "remoteSessionId": "r", "messageCount": 0}))
    session = read(rows, tmp_path)
    assert (session.events, session.cwd, session.lines.broken) == ((), None, 0)


def test_the_folder_that_a_session_was_moved_to_is_one_of_its_folders(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    rows.meta("relocated", relocatedCwd="/home/ada/shop-2")
    session = read(rows, tmp_path)
    assert session.cwds == ("/home/ada/shop", "/home/ada/shop-2")
    assert session.project == "shop"


def test_a_tag_that_was_taken_off_is_gone(tmp_path: Path) -> None:
    rows = Rows()
    rows.meta("tag", tag="billing")
    rows.meta("tag", tag="")
    assert read(rows, tmp_path).tags == ()


def test_a_title_that_was_taken_off_leaves_the_one_before(tmp_path: Path) -> None:
    rows = Rows()
    rows.meta("custom-title", customTitle="By hand")
    rows.meta("custom-title", customTitle="")
    assert read(rows, tmp_path).title == "By hand"


def test_summaries_of_this_file_alone_are_titles_and_the_last_one_wins(tmp_path: Path) -> None:
    rows = Rows()
    first = rows.user("a")
    second = rows.say("b")
    for leaf, text in ((first, "One"), ("elsewhere", "Foreign"), (second, "Two")):
        rows.rows.insert(0, {"type": "summary", "summary": text, "leafUuid": leaf})
    assert read(rows, tmp_path).title == "One"


def metadata(*rows: dict[str, Any]) -> Metadata:
    found = Metadata()
    for line, body in enumerate(rows, 1):
        row = decode_row(encode(body))
        assert isinstance(row, Row)
        found.add(line, row)
        found.add_place(row)
    return found


def test_the_title_in_the_file_beside_goes_before_the_machines_title(tmp_path: Path) -> None:
    main = Rows().write(tmp_path)
    (tmp_path / SESSION_ID).mkdir()
    beside = tmp_path / SESSION_ID / "custom-title.json"
    assert title_beside(main) is None
    beside.write_text('{"customTitle":"From the\\nside"}')
    ai = {"type": "ai-title", "aiTitle": "Machine"}
    custom = {"type": "custom-title", "customTitle": "Row"}
    assert metadata(ai).title((), title_beside(main)) == "From the side"
    assert metadata(ai, custom).title((), title_beside(main)) == "Row"
    assert metadata(ai).title((), None) == "Machine"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"customTitle":7}', "\x00"])
def test_a_damaged_title_file_is_no_title(tmp_path: Path, content: str) -> None:
    (tmp_path / SESSION_ID).mkdir()
    (tmp_path / SESSION_ID / "custom-title.json").write_text(content)
    assert title_beside(tmp_path / f"{SESSION_ID}.jsonl") is None


def test_rows_that_name_another_session_are_read_and_counted(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("ours")
    rows.user("of whom?", sessionId=OTHER)
    rows.say("an answer", sessionId=OTHER)
    session = read(rows, tmp_path)
    assert session.session_id == SESSION_ID
    assert requests(session) == ["ours", "of whom?"]
    found = metadata(*(row for row in rows.rows if isinstance(row, dict)))
    assert found.foreign(SESSION_ID) == {OTHER: 2}
    assert found.foreign(OTHER) == {SESSION_ID: 1}


def test_the_same_session_in_two_folders_is_two_files_with_the_same_words(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    first, second = rows.write(tmp_path / "a"), rows.write(tmp_path / "b")
    assert find_transcripts(tmp_path) == (first, second)
    sessions = [read(rows, folder) for folder in (tmp_path / "a", tmp_path / "b")]
    assert sessions[0].session_id == sessions[1].session_id
    assert sessions[0].events == sessions[1].events
    assert (sessions[0].parent, sessions[1].parent) == (None, None)


def test_the_stub_that_a_move_left_and_the_moved_file_have_one_session_id(tmp_path: Path) -> None:
    stub = Rows()
    stub.meta("relocated", relocatedCwd="/home/ada/shop-2")
    rows = Rows()
    rows.user("go")
    left, moved = read(stub, tmp_path / "a"), read(rows, tmp_path / "b")
    assert left.session_id == moved.session_id
    assert (left.events, requests(moved)) == ((), ["go"])


def test_what_stands_beside_transcripts_is_none(tmp_path: Path) -> None:
    project = tmp_path / "-home-ada-shop"
    main = Rows().write(project)
    folder = project / SESSION_ID
    (folder / "tool-results").mkdir(parents=True)
    (folder / "subagents" / "workflows" / "wf_1").mkdir(parents=True)
    (folder / "workflows").mkdir()
    for name in (
        "tool-results/b2a.txt",
        "tool-results/b2a.json",
        "custom-title.json",
        "workflows/wf_1.json",
        "subagents/workflows/wf_1/journal.jsonl",
    ):
        (folder / name).write_text("{}")
    (project / OTHER).mkdir()
    (project / "memory").mkdir()
    for name in (
        "sessions-index.json",
        "memory/notes.md",
        f"{SESSION_ID}.orphaned-1-x.jsonl",
        f"{SESSION_ID}.jsonl.superseded-1",
        f"{SESSION_ID}.jsonl.compact.tmp.0a0b0c0d",
        f"{SESSION_ID}.ccr-tip.json",
        f"{SESSION_ID}.precompact.json",
        f"{SESSION_ID}.cast",
        f"{SESSION_ID}.dir-sync.json",
        ".session-aliases",
    ):
        (project / name).write_text("{}")
    assert find_transcripts(tmp_path) == (main,)
    assert find_agents(main) == ()


def test_agents_of_a_workflow_are_read_and_its_journal_is_not(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("run it")
    flow = tmp_path / SESSION_ID / "subagents" / "workflows" / "wf_1"
    agent = Rows(SESSION_ID, prefix="aaa", isSidechain=True, agentId="aaa")
    agent.user("look")
    agent.say("found")
    agent.write(flow, "agent-aaa.jsonl")
    (flow / "journal.jsonl").write_bytes(b'{"type":"started","key":"v1","agentId":"aaa"}\n')
    session = read(rows, tmp_path)
    (found,) = session.subagents
    assert (found.agent_id, texts(found.events)) == ("wf_1-aaa", ["look", "found"])
    assert session.lines.unknown == 0
