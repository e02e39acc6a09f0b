from pathlib import Path
from typing import Any

from journald.transcript.session import EventKind, NoticeKind, Origin
from tests.rows import SESSION_ID, Rows
from tests.transcript.reading import read, texts


def agent_rows(agent: str, prompt: str, **envelope: Any) -> Rows:
    rows = Rows(SESSION_ID, prefix=agent, isSidechain=True, agentId=agent, **envelope)
    rows.user(prompt)
    return rows


def start(rows: Rows, prompt: str, **arguments: str) -> str:
    return rows.call("Agent", {"prompt": prompt, "subagent_type": "Explore"} | arguments)


def test_rows_inside_of_the_main_file_become_agents_even_when_they_stand_mixed(
    tmp_path: Path,
) -> None:
    rows = Rows(version="1.0.98")
    rows.user("build it")
    first, second = start(rows, "do A", description="A"), start(rows, "do B", description="B")
    main = rows.last_uuid
    one = rows.user("do A", isSidechain=True, parentUuid=None)
    two = rows.user("do B", isSidechain=True, parentUuid=None)
    rows.say("A works", isSidechain=True, parentUuid=one)
    rows.say("B works", isSidechain=True, parentUuid=two)
    rows.result(first, "A done", parentUuid=main)
    rows.result(second, "B done")
    session = read(rows, tmp_path)
    assert [event.kind for event in session.events] == [
        EventKind.USER,
        EventKind.TOOL_CALL,
        EventKind.TOOL_CALL,
        EventKind.TOOL_RESULT,
        EventKind.TOOL_RESULT,
    ]
    told = [
        (agent.agent_id, agent.description, agent.call_id, texts(agent.events))
        for agent in session.subagents
    ]
    assert told == [
        ("s1", "A", first, ["do A", "A works"]),
        ("s2", "B", second, ["do B", "B works"]),
    ]
    assert [event.id for event in session.subagents[1].events] == ["s2.1", "s2.2"]
    assert session.subagents[0].source == f"{SESSION_ID}.jsonl"


def test_the_prompt_of_an_agent_is_not_the_humans(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("look", isSidechain=True, parentUuid=None)
    (agent,) = read(rows, tmp_path).subagents
    assert [(event.kind, event.notice) for event in agent.events] == [
        (EventKind.NOTICE, NoticeKind.OTHER)
    ]


def test_what_the_human_refused_inside_of_an_agent_is_the_humans(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("look", isSidechain=True, parentUuid=None)
    call = rows.call("Bash", {"command": "rm"}, isSidechain=True)
    refusal = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected. "
        "To tell you how to proceed, the user said:\nnot that"
    )
    rows.result(call, refusal, is_error=True, isSidechain=True)
    (agent,) = read(rows, tmp_path).subagents
    assert [(event.text, event.origin) for event in agent.events if event.origin] == [
        ("not that", Origin.REJECTION)
    ]


def test_agent_files_of_both_layouts_are_joined_to_their_calls(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    named = start(rows, "look here", description="Here")
    rows.result(named, "found", {"status": "completed", "agentId": "aaa", "agentType": "Scout"})
    noted = start(rows, "look there", description="There")
    alike = start(rows, "look up", description="Up")
    below = tmp_path / SESSION_ID / "subagents"
    agent_rows("aaa", "something else").write(below, "agent-aaa.jsonl")
    agent_rows("bbb", "reworded").write(below, "agent-bbb.jsonl")
    (below / "agent-bbb.meta.json").write_text(
        f'{{"toolUseId":"{noted}","agentType":"Plan","description":"Noted"}}'
    )
    agent_rows("ccc", "look up").write(tmp_path, "agent-ccc.jsonl")
    agent_rows("ddd", "nobody called").write(below / "workflows" / "wf_1", "agent-ddd.jsonl")
    agents = {agent.agent_id: agent for agent in read(rows, tmp_path).subagents}
    assert {
        name: (agent.call_id, agent.kind, agent.description) for name, agent in agents.items()
    } == {
        "aaa": (named, "Scout", "Here"),
        "bbb": (noted, "Plan", "Noted"),
        "ccc": (alike, "Explore", "Up"),
        "wf_1-ddd": (None, "", ""),
    }
    assert agents["aaa"].events[0].id == "aaa.1"
    assert agents["ccc"].source == "agent-ccc.jsonl"


def test_two_agents_with_one_prompt_are_joined_to_two_calls(tmp_path: Path) -> None:
    rows = Rows()
    calls = {start(rows, "look"), start(rows, "look")}
    for agent in ("aaa", "bbb"):
        agent_rows(agent, "look").write(tmp_path, f"agent-{agent}.jsonl")
    assert {agent.call_id for agent in read(rows, tmp_path).subagents} == calls


def test_messages_of_agents_are_counted_once_over_all_files(tmp_path: Path) -> None:
    rows = Rows()
    rows.say("main", message_id="m1")
    agent = agent_rows("aaa", "look")
    agent.say("found", message_id="m2", model="small-model")
    agent.say("main", message_id="m1")
    agent.write(tmp_path, "agent-aaa.jsonl")
    session = read(rows, tmp_path)
    assert session.usage.input == 20
    assert session.models == {"claude-sonnet-5": 1, "small-model": 1}
    assert session.lines.total == 4


def test_rows_of_the_main_file_repeated_in_an_agents_file_are_not_told_again(
    tmp_path: Path,
) -> None:
    rows = Rows()
    rows.user("the question")
    agent = Rows(SESSION_ID, prefix="aaa", isSidechain=True)
    agent.meta("fork-context-ref", agentId="aaa", parentSessionId=SESSION_ID)
    agent.rows.extend(rows.rows)
    agent.say("own work")
    agent.write(tmp_path / SESSION_ID / "subagents", "agent-aaa.jsonl")
    (found,) = read(rows, tmp_path).subagents
    assert texts(found.events) == ["own work"]


def test_compaction_agents_and_warm_ups_are_no_work(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("go")
    agent_rows("acompact-1", "everything so far").write(tmp_path, "agent-acompact-1.jsonl")
    agent_rows("aaa", "Warmup").write(tmp_path, "agent-aaa.jsonl")
    assert read(rows, tmp_path).subagents == ()


def test_agents_of_two_workflows_with_one_id_keep_their_events_apart(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Run both.")
    below = tmp_path / SESSION_ID / "subagents" / "workflows"
    agent_rows("aaa", "first").write(below / "wf_1", "agent-aaa.jsonl")
    later = Rows(SESSION_ID, prefix="later", isSidechain=True, agentId="aaa")
    later.user("second")
    later.write(below / "wf_2", "agent-aaa.jsonl")
    first, second = read(rows, tmp_path).subagents
    assert [event.id for event in (*first.events, *second.events)] == ["wf_1-aaa.1", "wf_2-aaa.1"]


def test_notes_on_an_agent_that_cannot_be_read_lose_nothing_of_it(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Look.")
    below = tmp_path / SESSION_ID / "subagents"
    agent_rows("aaa", "look there").write(below, "agent-aaa.jsonl")
    (below / "agent-aaa.meta.json").mkdir()
    (found,) = read(rows, tmp_path).subagents
    assert texts(found.events) == ["look there"]
