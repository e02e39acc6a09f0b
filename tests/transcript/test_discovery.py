from pathlib import Path

from journald.transcript.discovery import find_agents, find_transcripts
from tests.rows import SESSION_ID, Rows

AGENT = "a1b2c3d"


def agent_rows(agent: str = AGENT) -> Rows:
    rows = Rows(SESSION_ID, prefix=agent, isSidechain=True, agentId=agent)
    rows.user("Look around.")
    return rows


def test_only_session_files_one_level_down_are_transcripts(tmp_path: Path) -> None:
    main = Rows().write(tmp_path / "-home-ada-shop")
    for name in (
        f"agent-{AGENT}.jsonl",
        "notes.jsonl",
        f"{SESSION_ID}.orphaned-1-x.jsonl",
        f"{SESSION_ID}.jsonl.superseded-1",
        f"{SESSION_ID}.txt",
    ):
        (main.parent / name).write_bytes(b"{}\n")
    agent_rows().write(main.parent / SESSION_ID / "subagents", f"{SESSION_ID}.jsonl")
    Rows().write(tmp_path)
    (main.parent / "0f0e0d0c-0b0a-4009-8008-070605040399.jsonl").mkdir()
    assert find_transcripts(tmp_path) == (main,)


def test_transcripts_of_all_projects_are_sorted(tmp_path: Path) -> None:
    second = Rows("bbbbbbbb-0b0a-4009-8008-070605040302").write(tmp_path / "b")
    first = Rows("aaaaaaaa-0b0a-4009-8008-070605040302").write(tmp_path / "b")
    other = Rows("cccccccc-0b0a-4009-8008-070605040302").write(tmp_path / "a")
    assert find_transcripts(tmp_path) == (other, first, second)


def test_a_missing_root_has_no_transcripts(tmp_path: Path) -> None:
    assert find_transcripts(tmp_path / "none") == ()


def test_agents_are_found_below_the_session_at_any_depth(tmp_path: Path) -> None:
    main = Rows().write(tmp_path)
    below = tmp_path / SESSION_ID / "subagents"
    plain = agent_rows().write(below, f"agent-{AGENT}.jsonl")
    deep = agent_rows().write(below / "workflows" / "wf_1", "agent-ffff.jsonl")
    agent_rows().write(below, "agent-acompact-e1f845.jsonl")
    (deep.parent / "journal.jsonl").write_bytes(b'{"type":"started","key":"v1"}\n')
    assert [file.path for file in find_agents(main)] == [plain, deep]


def test_agents_beside_the_session_belong_to_the_one_their_rows_name(tmp_path: Path) -> None:
    main = Rows().write(tmp_path)
    own = agent_rows().write(tmp_path, f"agent-{AGENT}.jsonl")
    foreign = Rows("bbbbbbbb-0b0a-4009-8008-070605040302", isSidechain=True)
    foreign.user("Not ours.")
    foreign.write(tmp_path, "agent-9999999.jsonl")
    assert [(file.path, file.agent_id) for file in find_agents(main)] == [(own, AGENT)]


def test_what_stands_in_an_agents_meta_file_is_known(tmp_path: Path) -> None:
    main = Rows().write(tmp_path)
    below = tmp_path / SESSION_ID / "subagents"
    agent_rows().write(below, f"agent-{AGENT}.jsonl")
    (below / f"agent-{AGENT}.meta.json").write_bytes(
        b'{"agentType":"Explore","description":7,"toolUseId":"toolu_1","spawnDepth":1}'
    )
    (found,) = find_agents(main)
    assert (found.meta.agentType, found.meta.description) == ("Explore", None)
    assert found.meta.toolUseId == "toolu_1"
