from hypothesis import given, settings
from hypothesis import strategies as st

from journald.summary.merge import Note, Weight, flat, folded, groups, text, within
from journald.summary.schema import Choice, Claim, Happening, Notes, Trouble
from tests.engines import words


def note(said: str, weight: Weight = Weight.EVENT, *evidence: str) -> Note:
    return Note(text=said, evidence=evidence or ("e1",), weight=weight)


notes = st.lists(
    st.builds(
        note,
        st.integers(0, 99).map(lambda n: f"note {n} " + "x " * (n % 7)),
        st.sampled_from(Weight),
    ),
    max_size=30,
)


def test_notes_become_lines_that_name_what_they_are_and_the_events_they_rest_on() -> None:
    made = flat(
        Notes(
            events=(
                Happening(what="Read it.", why="to see", outcome="done", evidence=("[e1]",)),
                Happening(what="  ", why="lost"),
            ),
            decisions=(Choice(decision="Use SQLite", reason="small", evidence="e2, e3"),),
            problems=(Trouble(symptom="It broke", fix="a brace", solved="yes", evidence=("e4",)),),
            lessons=(Claim(text="Braces matter", evidence=("e5",)),),
            open_threads=(Claim(text="The docs", evidence=("e6",)),),
        ),
        frozenset({"e1"}),
    )
    assert text(made).splitlines() == [
        "- Read it; why: to see; outcome: done [e1]",
        "- Decided: Use SQLite; reason: small [e2, e3]",
        "- Problem: It broke; fix: a brace; solved: yes [e4]",
        "- Found out: Braces matter [e5]",
        "- Left open: The docs [e6]",
    ]
    assert made[0].weight is Weight.KEY_EVENT


def test_what_the_overlap_had_noted_twice_is_one_note_with_all_its_events() -> None:
    made = folded([note("Read it", Weight.EVENT, "e1"), note("read it", Weight.OPEN, "e1", "e2")])
    assert made == (note("Read it", Weight.OPEN, "e1", "e2"),)


def test_within_a_budget_what_weighs_most_stays_in_its_order() -> None:
    made = [
        note("an event of little weight"),
        note("a choice", Weight.DECISION),
        note("open", Weight.OPEN),
    ]
    kept = within(made, 7, words)
    assert [one.text for one in kept.notes] == ["a choice", "open"]
    assert kept.left_out == 1
    assert text(kept.notes, kept.left_out).endswith("(1 lesser notes left out)")


def test_among_equals_the_whole_stretch_is_still_told() -> None:
    made = [note(f"event {number}") for number in range(32)]
    kept = within(made, 8 * words(made[0].line), words)
    numbers = [int(one.text.split()[1]) for one in kept.notes]
    assert numbers == [0, 4, 8, 12, 16, 20, 24, 28]


@settings(max_examples=50)
@given(made=notes, room=st.integers(0, 200))
def test_a_budget_is_never_overrun_and_every_note_is_kept_or_counted(
    made: list[Note], room: int
) -> None:
    kept = within(made, room, words)
    assert words(text(kept.notes)) <= room
    assert len(kept.notes) + kept.left_out == len(made)


@settings(max_examples=50)
@given(parts=st.lists(notes.map(tuple), max_size=12), room=st.integers(1, 200))
def test_grouping_keeps_all_parts_in_order_and_at_least_halves_their_number(
    parts: list[tuple[Note, ...]], room: int
) -> None:
    made = groups(parts, room, words)
    assert [part for group in made for part in group] == parts
    assert all(len(group) > 1 for group in made[:-1])
    assert len(made) <= (len(parts) + 1) // 2
