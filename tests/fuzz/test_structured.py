from datetime import UTC
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.ledger import build_ledger
from journald.transcript.reader import Reader, read_session
from journald.transcript.session import EventKind, Session
from journald.watch.content import content_mark
from tests.fuzz.edits import EDITS, Edit, damaged
from tests.fuzz.mutations import agent_names, chance, damaged_sessions, edits, seed, seed_names
from tests.fuzz.neighbours import Damaged, Folder, faults
from tests.fuzz.seeds import AGENT, OTHER_SESSION, seeds
from tests.fuzz.values import HOSTILE

EXAMPLES = settings().max_examples
# Shares of what the profile says, so that `--hypothesis-profile=fuzz` makes all of them long.
MODEST = settings(deadline=None, max_examples=max(1, EXAMPLES * 4 // 10))
FEW = settings(deadline=None, max_examples=max(1, EXAMPLES // 16))
ZONES = (UTC, ZoneInfo("Pacific/Kiritimati"), ZoneInfo("Pacific/Pago_Pago"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return Folder(tmp_path_factory.mktemp("project"))


def read(folder: Folder, session: Damaged) -> Session:
    folder.write(session)
    return read_session(folder.path)


@pytest.mark.parametrize("name", sorted(seeds()))
def test_an_undamaged_seed_has_no_faults_and_nothing_broken(folder: Folder, name: str) -> None:
    whole = seed(name)
    session = Damaged(main=whole.main, agent=whole.agent, meta=whole.meta)
    found = read(folder, session)
    assert faults(found, session) == []
    assert (found.lines.broken, found.lines.recovered, found.lines.truncated) == (0, 0, False)


def test_the_check_sees_a_lost_neighbour(folder: Folder) -> None:
    session = Damaged(main=b"")
    found = read(folder, session)
    assert faults(found, session) == []
    told = found.events
    for lost in range(len(told)):
        less = Session(
            **{name: getattr(found, name) for name in found.__dataclass_fields__}
            | {"events": told[:lost] + told[lost + 1 :]}
        )
        assert len(faults(less, session)) == 1


@given(session=damaged_sessions())
@MODEST
def test_damage_raises_nothing_and_takes_no_intact_row_with_it(
    folder: Folder, session: Damaged
) -> None:
    assert faults(read(folder, session), session) == []


@given(session=damaged_sessions())
@MODEST
def test_a_damaged_session_reads_the_same_twice(folder: Folder, session: Damaged) -> None:
    first = read(folder, session)
    second = read_session(folder.path)
    assert first == second
    assert content_mark(first) == content_mark(second)


@given(session=damaged_sessions(), cut=st.floats(0, 1))
@MODEST
def test_a_damaged_session_read_while_it_grows_is_the_one_read_whole(
    folder: Folder, session: Damaged, cut: float
) -> None:
    folder.write(session)
    whole = folder.path.read_bytes()
    reader = Reader()
    at = round(cut * len(whole))
    folder.path.write_bytes(whole[:at])
    reader.read(folder.path)
    with folder.path.open("ab") as stream:
        stream.write(whole[at:])
    assert reader.read(folder.path) == read_session(folder.path)


@given(session=damaged_sessions(), zone=st.sampled_from(ZONES))
@MODEST
def test_a_ledger_can_be_made_of_every_damaged_session(
    folder: Folder, session: Damaged, zone: ZoneInfo
) -> None:
    ledger = build_ledger(read(folder, session), zone)
    assert ledger.started is None or ledger.ended is None or ledger.started <= ledger.ended
    assert ledger.wall >= ledger.active


@given(session=damaged_sessions())
@MODEST
def test_every_text_of_a_damaged_session_can_be_written(folder: Folder, session: Damaged) -> None:
    found = read(folder, session)
    agents = [event for agent in found.subagents for event in agent.events]
    for event in (*found.events, *agents):
        f"{event.id}{event.text}{event.uuid}{event.message_id}{event.model}".encode()
        f"{event.call}{event.result}".encode()
    f"{found.title}{found.cwds}{found.branches}{found.tags}{found.project}".encode()
    f"{found.lines}{found.models}{found.pending_calls}{found.subagents}".encode()


@given(name=agent_names(), random=chance(), some=edits())
@MODEST
def test_an_agent_file_of_any_name_is_read(
    tmp_path_factory: pytest.TempPathFactory, name: str, random: Random, some: list[Edit]
) -> None:
    root = tmp_path_factory.mktemp("named")
    folder = Folder(root)
    session = Damaged(main=seed("agents").main)
    folder.write(session)
    own = root / folder.path.stem / "subagents" / f"agent-{name}.jsonl"
    own.write_bytes(seed("agents").agent)
    found = read_session(folder.path)
    assert faults(found, session) == []
    content_mark(found)
    build_ledger(found, UTC)


@given(session=damaged_sessions(), random=chance(), some=edits())
@MODEST
def test_a_damaged_copy_beside_it_takes_no_intact_row_of_its_own(
    tmp_path_factory: pytest.TempPathFactory, session: Damaged, random: Random, some: list[Edit]
) -> None:
    folder = Folder(tmp_path_factory.mktemp("family"))
    folder.write(session)
    copy = folder.path.with_name(f"{OTHER_SESSION}.jsonl")
    copy.write_bytes(damaged(random, session.main, some))
    found = read_session(folder.path)
    assert faults(found, session) == []
    build_ledger(found, UTC)
    build_ledger(read_session(copy), UTC)


@given(title=st.sampled_from(HOSTILE) | st.binary(max_size=20))
@MODEST
def test_a_damaged_title_beside_a_session_is_no_title_or_one_that_can_be_written(
    folder: Folder, title: bytes
) -> None:
    session = Damaged(main=b"")
    folder.write(session)
    beside = folder.path.with_suffix("") / "custom-title.json"
    for data in (title, b'{"customTitle":' + title + b"}", b'{"title":' + title + b"}"):
        beside.write_bytes(data)
        found = read_session(folder.path)
        (found.title or "").encode()
        assert faults(found, session) == []
    beside.unlink()


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@given(name=seed_names(), random=chance())
@FEW
def test_each_kind_of_damage_alone_takes_no_intact_row_with_it(
    folder: Folder, edit: Edit, name: str, random: Random
) -> None:
    session = Damaged(main=damaged(random, seed(name).main, [edit]))
    found = read(folder, session)
    assert faults(found, session) == []
    build_ledger(found, ZONES[1])


def test_an_agent_without_an_intact_first_row_is_still_the_agent(folder: Folder) -> None:
    session = Damaged(main=seed("agents").main, agent=b"\0\0\0\n{", meta=b"\xff")
    found = read(folder, session)
    assert faults(found, session) == []
    (own,) = [agent for agent in found.subagents if agent.agent_id == AGENT]
    assert [event.kind for event in own.events] == [EventKind.NOTICE, EventKind.ASSISTANT]
