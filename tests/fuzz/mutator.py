"""How an input of the coverage-guided run becomes the next one."""

from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz.edits import EDITS, damaged, lost_row
from tests.fuzz.seeds import Seed, seeds

APART = b"\x1e"
"""Stands between the files of a session; no JSON holds it."""
# Shares of the changes: by rows, to another kind of input, with another sub-agent beside.
_BY_ROWS = 0.7
_OTHER_KIND = 0.02
_NEW_AGENT = 0.02
# Large inputs reach more code, and take the time of many small ones.
_LARGE = 1500
_SHRUNK = 0.6
# Bytes of most inputs of one text and of a session; a share is free to grow to the full length.
_USUAL = 600
_USUAL_ROWS = 3000
_FREE = 0.1
_OF_ROWS = frozenset({b"s", b"t"})
_SEEDS: Sequence[Seed] = tuple(seeds().values())


class Mutator:
    """Changes an input by its bytes or by its rows.

    `by_bytes` changes bytes as libFuzzer does: (data, most) → bytes.
    """

    def __init__(self, kinds: str, by_bytes: Callable[[bytes, int], bytes]) -> None:
        self._kinds = [kind.encode() for kind in kinds]
        self._by_bytes = by_bytes

    def mutate(self, data: bytes, most: int, seed: int) -> bytes:
        """Return `data` changed, `most` bytes at most; the same for the same `seed`."""
        random = Random(seed)
        kind, body = data[:1], data[1:]
        if kind not in self._kinds or random.random() < _OTHER_KIND:
            kind = random.choice(self._kinds)
        rows = kind in _OF_ROWS
        if random.random() > _FREE:
            most = min(most, _USUAL_ROWS if rows else _USUAL)
        if rows and random.random() < _BY_ROWS:
            body = _by_rows(body, random)
        else:
            body = self._by_bytes(body, most - 1)
        return (kind + body)[:most]


def _by_rows(body: bytes, random: Random) -> bytes:
    parts = body.split(APART, 2)
    if random.random() < _NEW_AGENT:
        seed = random.choice(_SEEDS)
        parts = [parts[0], seed.agent, seed.meta]
    index = random.randrange(len(parts))
    edits = random.choices(EDITS, k=random.randint(1, 3))
    if len(parts[index]) > _LARGE and random.random() < _SHRUNK:
        edits.insert(0, lost_row)
    parts[index] = damaged(random, parts[index], edits)
    return APART.join(parts)
