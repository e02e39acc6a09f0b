from pathlib import Path
from typing import Any

from journald.transcript.session import EventKind, NoticeKind, Origin, Subagent
from tests.rows import SESSION_ID, Rows, image_block, text_block
from tests.transcript.reading import read, requests, texts

STEP = "2026-03-05T09:30:00.000Z"


def progress(rows: Rows, kind: str, content: object, step: str, **more: Any) -> None:
    """Append a progress row that holds one message of the sub-agent `aaa`."""
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        usage = {"input_tokens": 100, "output_tokens": 1}
        message |= {"id": f"msg_{step}", "model": "small-model", "usage": usage}
    fields = {"parentToolUseID": "toolu_call"} | more.pop("fields", {})
    inner = {"type": kind, "uuid": step, "timestamp": STEP, "message": message} | more
    body = {"type": "agent_progress", "agentId": "aaa", "prompt": "look", "message": inner}
    rows.tree("progress", data=body, **fields)


def bash(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "Bash", "input": {"command": "make"}}


def result(call_id: str, content: str = "ok") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


def started(version: str = "2.1.29") -> Rows:
    rows = Rows(version=version)
    rows.user("go")
    block = {
        "type": "tool_use",
        "id": "toolu_call",
        "name": "Task",
        "input": {"prompt": "look", "subagent_type": "Explore", "description": "Look"},
    }
    rows.assistant(block)
    return rows


def agent_of(rows: Rows, folder: Path) -> Subagent:
    (agent,) = read(rows, folder).subagents
    return agent


def test_the_steps_of_an_agent_without_a_file_are_read_out_of_progress_rows(
    tmp_path: Path,
) -> None:
    rows = started()
    progress(rows, "user", [text_block("look")], "u1")
    progress(rows, "assistant", [bash("t1")], "u2")
    progress(rows, "user", [result("t1")], "u3", toolUseResult={"stdout": "ok", "exitCode": 0})
    progress(rows, "assistant", [text_block("It builds.")], "u4")
    agent = agent_of(rows, tmp_path)
    assert [(event.id, event.kind, event.line, event.uuid) for event in agent.events] == [
        ("aaa.1", EventKind.NOTICE, 3, "u1"),
        ("aaa.2", EventKind.TOOL_CALL, 4, "u2"),
        ("aaa.3", EventKind.TOOL_RESULT, 5, "u3"),
        ("aaa.4", EventKind.ASSISTANT, 6, "u4"),
    ]
    assert (agent.agent_id, agent.call_id, agent.steps) == ("aaa", "toolu_call", 4)
    assert (agent.kind, agent.description) == ("Explore", "Look")
    assert agent.source == f"{SESSION_ID}.jsonl"
    call, told = agent.events[1].call, agent.events[2].result
    assert call is not None
    assert call.input == {"command": "make"}
    assert told is not None
    assert told.details == {"exitCode": 0}
    assert agent.events[0].at is not None
    assert agent.events[0].at.hour == 9
    assert agent.events[0].at.minute == 30


def test_the_prompt_in_a_progress_row_is_not_the_humans_but_a_refusal_is(tmp_path: Path) -> None:
    rows = started()
    refusal = (
        "Permission for this tool use was denied. The tool use was rejected (eg. if it was a "
        "file edit, the new_string was NOT written to the file). The user said:\nnot that one"
    )
    progress(rows, "user", [text_block("look")], "u1")
    progress(rows, "user", [result("t1", refusal) | {"is_error": True}], "u2")
    session = read(rows, tmp_path)
    (agent,) = session.subagents
    assert requests(session) == ["go"]
    assert agent.events[0].notice is NoticeKind.OTHER
    assert [event.text for event in agent.events if event.origin is Origin.REJECTION] == [
        "not that one"
    ]


def test_a_step_that_comes_again_is_told_and_counted_once(tmp_path: Path) -> None:
    rows = started()
    for step in ("u1", "u2", "u2", "u1"):
        progress(rows, "assistant", [text_block(f"step {step}")], step)
    agent = agent_of(rows, tmp_path)
    assert texts(agent.events) == ["step u1", "step u2"]
    assert agent.steps == 2


def test_tokens_in_progress_rows_count_where_the_agent_has_no_file(tmp_path: Path) -> None:
    rows = started()
    progress(rows, "assistant", [text_block("found")], "u1")
    session = read(rows, tmp_path)
    assert session.usage.input == 110
    assert session.models == {"claude-sonnet-5": 1, "small-model": 1}
    assert not session.usage.output_reliable


def test_an_agent_with_a_file_is_read_from_it_alone(tmp_path: Path) -> None:
    rows = started()
    progress(rows, "user", [text_block("look")], "u1")
    progress(rows, "assistant", [text_block("found")], "u2")
    own = Rows(SESSION_ID, prefix="aaa", isSidechain=True, agentId="aaa")
    own.user("look")
    own.say("found it all", message_id="msg_u2", usage={"input_tokens": 7})
    own.write(tmp_path / SESSION_ID / "subagents", "agent-aaa.jsonl")
    session = read(rows, tmp_path)
    (agent,) = session.subagents
    assert texts(agent.events) == ["look", "found it all"]
    assert (agent.source, agent.steps) == ("agent-aaa.jsonl", 2)
    assert session.usage.input == 17


def test_agents_that_run_at_the_same_time_are_told_apart(tmp_path: Path) -> None:
    rows = started()
    for step, agent in (("u1", "aaa"), ("u2", "bbb"), ("u3", "aaa")):
        inner = {"type": "user", "uuid": step, "message": {"role": "user", "content": step}}
        body = {"type": "agent_progress", "agentId": agent, "message": inner}
        rows.tree("progress", data=body, parentToolUseID=f"toolu_{agent}")
    agents = read(rows, tmp_path).subagents
    assert [(one.agent_id, one.call_id, texts(one.events)) for one in agents] == [
        ("aaa", "toolu_aaa", ["u1", "u3"]),
        ("bbb", "toolu_bbb", ["u2"]),
    ]


def test_steps_of_a_resumed_copy_belong_to_the_session_they_were_copied_from(
    tmp_path: Path,
) -> None:
    rows = started()
    progress(rows, "user", [text_block("look")], "u1")
    rows.say("done")
    rows.write(tmp_path)
    copy = Rows("bbbbbbbb-0b0a-4009-8008-070605040302", start=rows.now, version="2.1.29")
    copy.rows = [row | {"sessionId": copy.session_id} for row in rows.rows if isinstance(row, dict)]
    copy.user("and then?")
    assert read(copy, tmp_path).subagents == ()
    progress(copy, "assistant", [text_block("went on")], "u9")
    agent = agent_of(copy, tmp_path)
    assert [(event.id, event.text) for event in agent.events] == [("aaa.2", "went on")]


def test_the_conversation_of_the_human_is_not_touched_by_progress(tmp_path: Path) -> None:
    rows = started()
    progress(rows, "assistant", [bash("t1")], "u1")
    rows.tree("progress", data={"type": "bash_progress", "output": "agent_progress"})
    for kind in ("hook_progress", "mcp_progress", "query_update", "search_results_received"):
        rows.tree("progress", data={"type": kind})
    rows.say("still here")
    session = read(rows, tmp_path)
    assert texts(session.events) == ["go", "", "still here"]
    assert session.events[-1].id == "e3"
    assert session.pending_calls == ("toolu_call",)
    assert session.lines.unknown == 0


def test_messages_of_an_unknown_shape_in_progress_rows_are_counted(tmp_path: Path) -> None:
    rows = started()
    progress(rows, "hologram", "x", "u1")
    progress(rows, "assistant", [{"type": "smell"}, image_block()], "u2")
    rows.tree("progress", data={"type": "agent_progress", "agentId": "aaa", "message": "x"})
    rows.tree("progress", data={"type": "agent_progress", "agentId": "aaa"})
    rows.tree("progress", data="agent_progress")
    session = read(rows, tmp_path)
    assert session.lines.unknown_kinds == {
        "2.1.29/progress/?": 2,
        "2.1.29/progress/hologram": 1,
        "2.1.29/progress/smell": 1,
    }
    assert texts(session.events) == ["go", ""]
