from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journald import config
from journald.digest.evidence import Item, Role
from journald.errors import EngineUnavailableError
from journald.summary.plan import Plan, make_plan
from tests.engines import words
from tests.sessions import START
from tests.summary.evidence import digest, item

WINDOW = 2000
SETTINGS = config.Plan(
    single_pass_tokens=1000,
    chunk_tokens=300,
    chunk_tokens_least=200,
    overlap=0.1,
    note_tokens=64,
    narrative_tokens=128,
)


def plan(items: list[Item], window: int = WINDOW, settings: config.Plan = SETTINGS) -> Plan:
    return make_plan(digest(items), settings, window, prompt_tokens=100, count=words)


def new_items(made: Plan) -> list[list[str]]:
    return [[one.id for one in made.texts(chunk)[1]] for chunk in made.chunks]


sizes = st.integers(2, 150)
roles = st.sampled_from([Role.USER, Role.ASSISTANT, Role.TOOL, Role.NOTICE])
scripts = st.lists(
    st.tuples(sizes, roles, st.sampled_from(["a/x.py", "b/y.py", ""])), min_size=1, max_size=90
)


def items_of(script: list[tuple[int, Role, str]]) -> list[Item]:
    return [
        item(number, role, size=size, paths=(path,) if path else ())
        for number, (size, role, path) in enumerate(script, start=1)
    ]


def test_a_digest_at_the_limit_is_read_in_one_pass() -> None:
    at_limit = 1000 - 100 - 128
    assert plan([item(1, size=at_limit)]).kind == "single"
    assert plan([item(1, size=at_limit + 1)]).kind == "chunks"


def test_a_single_pass_has_one_chunk_with_everything_and_nothing_told_again() -> None:
    made = plan([item(number) for number in range(1, 20)])
    assert [(chunk.first, chunk.last, chunk.overlap) for chunk in made.chunks] == [("e1", "e19", 0)]


def test_an_empty_digest_has_no_chunk() -> None:
    assert plan([]).chunks == ()


def test_a_window_smaller_than_the_settings_rules_the_single_pass_out() -> None:
    items = [item(number) for number in range(1, 81)]
    assert plan(items, window=1200).kind == "chunks"


def test_a_window_without_room_for_evidence_is_refused_with_a_hint() -> None:
    with pytest.raises(EngineUnavailableError) as caught:
        plan([item(1)], window=150)
    assert caught.value.hint is not None


@settings(max_examples=60, deadline=None)
@given(script=scripts)
def test_every_item_is_new_in_exactly_one_chunk_and_sizes_are_in_bounds(
    script: list[tuple[int, Role, str]],
) -> None:
    made = make_plan(
        digest(items_of(script)),
        SETTINGS,
        WINDOW,
        prompt_tokens=100,
        count=words,
        chunks_only=False,
    )
    told = [one for ids in new_items(made) for one in ids]
    assert told == [one.id for one in made.items]
    if made.kind == "single":
        return
    for chunk in made.chunks:
        retold, fresh = made.texts(chunk)
        assert chunk.tokens == sum(one.tokens for one in (*retold, *fresh))
        assert chunk.tokens <= 300
        assert sum(one.tokens for one in retold) <= 30
        assert 100 + chunk.tokens + made.budget.note_tokens <= WINDOW
        later = made.chunks[chunk.index + 1 :]
        if later and sum(one.tokens for one in fresh) < 200:
            following = made.items[chunk.stop]
            assert chunk.tokens + following.tokens > 300


@settings(max_examples=60, deadline=None)
@given(script=scripts, data=st.data())
def test_a_longer_digest_begins_with_the_same_cuts(
    script: list[tuple[int, Role, str]], data: st.DataObject
) -> None:
    items = items_of(script)
    length = data.draw(st.integers(1, len(items)))
    shorter, longer = plan(items[:length]), plan(items)
    if shorter.kind == "chunks":
        assert new_items(longer)[: len(shorter.chunks) - 1] == new_items(shorter)[:-1]
        assert longer.chunks[: len(shorter.chunks) - 1] == shorter.chunks[:-1]


@settings(max_examples=30, deadline=None)
@given(
    script=st.lists(st.tuples(st.integers(2, 900), roles), min_size=1, max_size=25),
    window=st.integers(400, 3000),
)
def test_any_window_holds_prompt_chunk_and_answer(
    script: list[tuple[int, Role]], window: int
) -> None:
    items = [item(number, role, size=size) for number, (size, role) in enumerate(script, start=1)]
    made = plan(items, window=window)
    answer = made.budget.narrative_tokens if made.kind == "single" else made.budget.note_tokens
    assert all(100 + chunk.tokens + answer <= window for chunk in made.chunks)


def test_a_cut_is_made_just_before_the_user_speaks() -> None:
    items = [item(number, Role.TOOL, size=10) for number in range(1, 201)]
    items[22] = item(23, Role.USER, size=10)
    assert plan(items).chunks[1].first == "e23"


def test_without_a_user_a_cut_is_made_where_other_folders_come_into_play() -> None:
    items = [
        item(number, size=10, paths=("shop/a.py" if number < 24 else "docs/b.md",))
        for number in range(1, 201)
    ]
    assert plan(items).chunks[1].first == "e24"


def test_a_long_pause_is_a_better_cut_than_another_folder() -> None:
    items = [
        item(
            number,
            size=10,
            at=START + timedelta(minutes=number, hours=number >= 22),
            paths=("shop/a.py" if number < 24 else "docs/b.md",),
        )
        for number in range(1, 201)
    ]
    assert plan(items).chunks[1].first == "e22"


def test_a_word_of_assent_is_a_worse_cut_than_a_new_request() -> None:
    items = [item(number, size=10) for number in range(1, 201)]
    items[21] = item(22, Role.USER, size=10)
    items[24] = item(25, Role.USER, size=3)
    assert plan(items).chunks[1].first == "e22"


def test_a_large_tool_result_is_split_and_each_part_says_so() -> None:
    items = [item(1, size=900), *(item(number) for number in range(2, 30))]
    made = plan(items)
    parts = [one for one in made.items if one.id == "e1"]
    assert made.split == 1
    assert len(parts) > 1
    assert [one.text.split(") ")[0] for one in parts] == [
        f"[e1] (part {number} of {len(parts)}" for number in range(1, len(parts) + 1)
    ]
    told = " ".join(one.text.split(") ", 1)[1] for one in parts)
    assert told.split() == items[0].text.split()[1:]


def test_words_of_the_user_larger_than_a_chunk_stay_whole_in_a_chunk_of_their_own() -> None:
    items = [item(1), item(2, Role.USER, size=800), *(item(number) for number in range(3, 40))]
    made = plan(items)
    assert made.cut == 0
    assert ["e2"] in new_items(made)
    assert next(one for one in made.items if one.id == "e2") == items[1]


def test_words_of_the_user_larger_than_any_window_are_cut_where_it_shows() -> None:
    items = [item(1), item(2, Role.USER, size=3000), *(item(number) for number in range(3, 40))]
    made = plan(items)
    shortened = next(one for one in made.items if one.id == "e2")
    assert made.cut == 1
    assert "[elided " in shortened.text
    assert shortened.text.startswith("[e2] w2x0")
    assert shortened.text.endswith("w2x2998")
    assert shortened.tokens == words(shortened.text) <= made.budget.note_room


def test_a_chunk_knows_its_first_and_last_new_event_its_times_and_its_topic() -> None:
    items = [item(number, size=10) for number in range(1, 201)]
    request = item(23, Role.USER, size=10)
    items[22] = Item(
        id="e23", ids=("e23",), role=Role.USER, at=request.at, tokens=10, splittable=False,
        text="[e23] user: Make the cart remember what was in it please",
    )  # fmt: skip
    second = plan(items).chunks[1]
    assert (second.first, second.started) == ("e23", items[22].at)
    assert second.last == plan(items).items[second.stop - 1].id
    assert second.topic == "Make the cart remember what was in it please"
    assert second.overlap == 3


def test_without_a_request_the_topic_names_the_files() -> None:
    items = [item(number, size=10, paths=("shop/cart.py",)) for number in range(1, 101)]
    assert plan(items).chunks[0].topic == "cart.py"
