from dataclasses import replace
from datetime import timedelta

from journald.transcript.session import NoticeKind, Subagent
from journald.watch.content import content_mark, last_event, last_subagent_event
from tests.sessions import START, Script


def script() -> Script:
    made = Script()
    made.user("count the words")
    made.assistant("there are seven")
    return made


def subagent(events: int) -> Subagent:
    inner = Script(prefix="a1.")
    for _ in range(events):
        inner.assistant("looking")
    return Subagent(
        agent_id="a1",
        kind="",
        description="",
        call_id=None,
        events=tuple(inner.events),
        source="agent-a1.jsonl",
    )


def test_the_same_content_has_the_same_mark_whatever_its_titles_say() -> None:
    one = script().session(title="Seven words", tags=("x",))
    other = script().session(title=None)
    assert content_mark(one) == content_mark(other)


def test_a_new_event_changes_the_mark() -> None:
    longer = script()
    longer.notice("done", NoticeKind.TASK)
    assert content_mark(longer.session()) != content_mark(script().session())


def test_a_new_event_of_a_subagent_changes_the_mark() -> None:
    assert content_mark(script().session(subagent(1))) != content_mark(
        script().session(subagent(2))
    )


def test_a_rewritten_event_changes_the_mark() -> None:
    session = script().session()
    changed = replace(session.events[1], uuid="another")
    rewritten = replace(session, events=(session.events[0], changed))
    assert content_mark(rewritten) != content_mark(session)


def test_the_mark_does_not_depend_on_the_order_of_subagents() -> None:
    one, two = subagent(1), replace(subagent(2), agent_id="a2")
    assert content_mark(script().session(one, two)) == content_mark(script().session(two, one))


def test_times_are_the_latest_not_the_last_in_the_file() -> None:
    made = script()
    made.wait(timedelta(hours=-5))
    made.assistant("out of order")
    session = made.session(subagent(3))
    assert last_event(session) == START + timedelta(minutes=1)
    assert last_subagent_event(session) == START + timedelta(minutes=2)


def test_an_undated_session_has_no_last_event() -> None:
    session = script().session()
    undated = replace(session, events=tuple(replace(event, at=None) for event in session.events))
    assert last_event(undated) is None
    assert last_subagent_event(undated) is None
