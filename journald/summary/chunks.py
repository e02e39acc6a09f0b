"""Chunks: where a long digest is cut.

Cuts are prefix-stable: each is decided from the items between the cut before it and the point
where the chunk would be full, so a digest that grew keeps all its earlier cuts. The walk is
greedy. A chunk starts with what it tells again, takes at least `least` tokens of new content,
and among the boundaries from there to where it is full the best one is chosen: before words of
the user, after a pause, where other files come into play; the later one among equals.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath

from journald.digest.evidence import Item, Role

PAUSE = timedelta(minutes=30)
# A word or two ("yes", "go on") go on with the topic; a topic starts with more.
_TOPIC_WORDS = 4
_RECENT_ITEMS = 12
_HINT_WORDS = 9
_TOO_LITTLE = 48
_LABEL = re.compile(r"\A(?:\[[^\]\n]*\]\s*)?(?:\S+ ){0,3}?(?:user|human)[^:\n]*:\s*", re.IGNORECASE)
_ID_LABEL = re.compile(r"\A\[[^\]\n]*\]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Sizes of a chunk in tokens."""

    most: int
    """New content and what is told again, together."""
    least: int
    """New content from which on a cut is looked for."""
    overlap: int
    """What is told again, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A part of the digest that the model reads in one prompt."""

    index: int
    first: str
    """Id of the first event with new content."""
    last: str
    start: int
    """`items[start:stop]` is what the model reads, what is told again first."""
    stop: int
    overlap: int
    """How many items at the front are told again."""
    tokens: int
    """Of all of it, what is told again included."""
    topic: str
    started: datetime | None
    ended: datetime | None

    @property
    def fresh(self) -> int:
        """Index of the first item with new content."""
        return self.start + self.overlap


def cut(items: Sequence[Item], bounds: Bounds) -> tuple[Chunk, ...]:
    """Cut `items` into chunks; each item is new content in exactly one of them."""
    chunks: list[Chunk] = []
    before = fresh = 0
    while fresh < len(items):
        start = _overlap_start(items, before, fresh, bounds)
        room = bounds.most - _tokens(items, start, fresh)
        stop = _stop(items, fresh, room, bounds.least)
        chunks.append(_chunk(items, len(chunks), (start, fresh, stop)))
        before, fresh = fresh, stop
    return tuple(chunks)


def _tokens(items: Sequence[Item], start: int, stop: int) -> int:
    return sum(item.tokens for item in items[start:stop])


def _overlap_start(items: Sequence[Item], before: int, fresh: int, bounds: Bounds) -> int:
    """Return the index from which on items of the chunk before are told again.

    A large item that comes next takes the room it needs.
    """
    room = min(bounds.overlap, bounds.most - items[fresh].tokens)
    start = fresh
    while start > before and items[start - 1].tokens <= room:
        start -= 1
        room -= items[start].tokens
    return start


def _stop(items: Sequence[Item], fresh: int, room: int, least: int) -> int:
    size = 0
    best: tuple[int, int] | None = None
    for index in range(fresh, len(items)):
        if index > fresh and size >= least:
            best = max(best or (-1, 0), (_worth(items, fresh, index), index))
        size += items[index].tokens
        if size > room:
            if best is not None:
                return best[1]
            return max(index, fresh + 1)
    return len(items)


def _worth(items: Sequence[Item], fresh: int, index: int) -> int:
    """Rate the boundary before `items[index]` by how much of a new topic starts there."""
    item, previous = items[index], items[index - 1]
    worth = 0
    if item.role is Role.USER:
        worth += 4 if len(item.text.split()) > _TOPIC_WORDS else 3
    if item.at and previous.at and item.at - previous.at >= PAUSE:
        worth += 2
    if _elsewhere(item, items[max(fresh, index - _RECENT_ITEMS) : index]):
        worth += 1
    return worth


def _elsewhere(item: Item, recent: Sequence[Item]) -> bool:
    """Whether an item touches files in folders that the recent ones did not."""
    here = {PurePosixPath(path).parent for path in item.paths}
    there = {PurePosixPath(path).parent for other in recent for path in other.paths}
    return bool(here) and bool(there) and not here & there


def _chunk(items: Sequence[Item], index: int, at: tuple[int, int, int]) -> Chunk:
    start, fresh, stop = at
    times = [item.at for item in items[fresh:stop] if item.at is not None]
    return Chunk(
        index=index,
        first=items[fresh].ids[0] if items[fresh].ids else items[fresh].id,
        last=items[stop - 1].ids[-1] if items[stop - 1].ids else items[stop - 1].id,
        start=start,
        stop=stop,
        overlap=fresh - start,
        tokens=_tokens(items, start, stop),
        topic=topic(items[fresh:stop]),
        started=min(times, default=None),
        ended=max(times, default=None),
    )


def topic(items: Sequence[Item]) -> str:
    """Return a hint of what the items are about: the user's first words, else the files."""
    for item in items:
        if item.role is Role.USER:
            text = _LABEL.sub("", item.text, count=1)
            words = _ID_LABEL.sub("", text).split()
            if len(words) >= _TOPIC_WORDS:
                shown = " ".join(words[:_HINT_WORDS])
                return shown + (" …" if len(words) > _HINT_WORDS else "")
    names = Counter(PurePosixPath(path).name for item in items for path in item.paths)
    return ", ".join(name for name, _ in names.most_common(3))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Items that all fit a chunk."""

    items: tuple[Item, ...]
    split: int
    """Items that were split into parts."""
    cut: int
    """Words of the user too long for any window, of which the middle was left out."""


def fit(items: Sequence[Item], bounds: Bounds, window: int, count: Callable[[str], int]) -> Fitted:
    """Split what is larger than a chunk into parts, each with the item's id.

    Words of the user stay whole as long as they fit `window`, the room for evidence in one
    prompt; beyond that their middle is left out, and the place says so.
    """
    room = bounds.most - bounds.overlap
    fitted: list[Item] = []
    split = cut_short = 0
    for item in items:
        if item.tokens > room and item.splittable:
            parts = _parts(item, max(1, room // 3), count)
            fitted.extend(parts)
            split += len(parts) > 1
        elif item.tokens > window:
            fitted.append(shorten(item, window, count))
            cut_short += 1
        else:
            fitted.append(item)
    return Fitted(items=tuple(fitted), split=split, cut=cut_short)


def _parts(item: Item, limit: int, count: Callable[[str], int]) -> list[Item]:
    label = _ID_LABEL.match(item.text)
    head = label.group(0) if label else ""
    # The label and the words about the part take room of their own.
    room = max(1, limit - count(f"{head}(part 99 of 99) "))
    pieces = _halves(item.text[len(head) :], room, count)
    parts = []
    for number, piece in enumerate(pieces, start=1):
        text = f"{head}(part {number} of {len(pieces)}) {piece}"
        parts.append(replace(item, text=text, tokens=count(text + "\n")))
    return parts


def _halves(text: str, limit: int, count: Callable[[str], int]) -> list[str]:
    """Halve `text`, at a line or a word where there is one, until each piece is in `limit`."""
    done: list[str] = []
    waiting = [text]
    while waiting:
        piece = waiting.pop()
        if count(piece + "\n") <= limit or len(piece) < 2:  # noqa: PLR2004 - one character stays
            done.append(piece)
            continue
        at = _middle(piece)
        waiting += [piece[at:], piece[:at]]
    return done


def _middle(text: str) -> int:
    """Return where to cut `text` in two: after the newline or blank nearest its middle."""
    half, quarter = len(text) // 2, len(text) // 4
    for mark in ("\n", " "):
        before = text.rfind(mark, half - quarter, half)
        after = text.find(mark, half, half + quarter)
        found = [at for at in (before, after) if at >= 0]
        if found:
            return min(found, key=lambda at: abs(at - half)) + 1
    return max(1, half)


def halves(items: Sequence[Item], count: Callable[[str], int]) -> tuple[tuple[Item, ...], ...]:
    """Return `items` in two halves; a single one in parts, or shortened if it must stay whole.

    Empty when there is too little of it to make less.
    """
    size = _tokens(items, 0, len(items))
    if size < _TOO_LITTLE:
        return ()
    if len(items) > 1:
        first, at = items[0].tokens, 1
        while at < len(items) - 1 and first + items[at].tokens <= size / 2:
            first += items[at].tokens
            at += 1
        return tuple(items[:at]), tuple(items[at:])
    if items[0].splittable:
        return tuple((part,) for part in _parts(items[0], size // 2, count))
    return ((shorten(items[0], size // 2, count),),)


def shorten(item: Item, limit: int, count: Callable[[str], int]) -> Item:
    """Leave out the middle of `item` until it takes at most `limit` tokens; the place says so."""
    text, share = item.text, 1.0
    while count(text + "\n") > limit and share > 0:
        share = max(0.0, share * 0.9 - 0.01)
        kept = int(len(item.text) * share)
        head, tail = kept - kept // 3, kept // 3
        left_out = len(item.text) - kept
        text = f"{item.text[:head]}[elided {left_out} chars]{item.text[len(item.text) - tail :]}"
    return replace(item, text=text, tokens=count(text + "\n"))
