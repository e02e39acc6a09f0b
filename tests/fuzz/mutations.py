"""Strategies for sessions that are damaged row by row, field by field and byte by byte."""

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from tests.fuzz.edits import EDITS, Edit, damaged
from tests.fuzz.neighbours import Damaged
from tests.fuzz.seeds import Seed, seeds

_SEEDS = seeds()
_NAMES = ("a", "a1b2c3d4", "", ".", "ä", "\udcff", "a b", "agent-", "x" * 200)


def edits(most: int = 4) -> st.SearchStrategy[list[Edit]]:
    """Return edits to be made one after another."""
    return st.lists(st.sampled_from(EDITS), min_size=1, max_size=most)


def chance() -> st.SearchStrategy[Random]:
    """Return a source of chance that hypothesis can shrink."""
    return st.randoms(use_true_random=False)


def seed_names() -> st.SearchStrategy[str]:
    """Return names of undamaged sessions."""
    return st.sampled_from(sorted(_SEEDS))


def seed(name: str) -> Seed:
    """Return an undamaged session."""
    return _SEEDS[name]


@st.composite
def damaged_sessions(draw: st.DrawFn) -> Damaged:
    """Return sessions with damage in the main file, the sub-agent's file or what stands beside."""
    whole = seed(draw(seed_names()))
    random = draw(chance())
    main = damaged(random, whole.main, draw(edits()))
    beside = draw(st.sampled_from(("none", "whole", "damaged")))
    if beside == "none":
        return Damaged(main=main, ended=draw(st.booleans()))
    some: Sequence[Edit] = draw(edits()) if beside == "damaged" else ()
    return Damaged(
        main=main,
        agent=damaged(random, whole.agent, some),
        meta=damaged(random, whole.meta, some),
        ended=draw(st.booleans()),
    )


def agent_names() -> st.SearchStrategy[str]:
    """Return names of sub-agents as a file system may hold them, UTF-8 or not."""
    return st.sampled_from(_NAMES)
