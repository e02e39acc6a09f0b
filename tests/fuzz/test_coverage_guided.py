import importlib.util
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import coverage_guided
from tests.fuzz.coverage_guided import ATHERIS, write_seeds
from tests.fuzz.edits import BYTE_EDITS, damaged
from tests.fuzz.mutator import Mutator
from tests.fuzz.targets import BrokenPromiseError, Findings, Targets

KINDS = "stcowrl"


def by_bytes(data: bytes, most: int) -> bytes:
    random = Random(data)
    return damaged(random, data, random.choices(BYTE_EDITS, k=3))[:most]


def first_inputs(folder: Path) -> list[bytes]:
    write_seeds(folder)
    return [path.read_bytes() for path in sorted(folder.iterdir())]


@pytest.mark.skipif(importlib.util.find_spec(ATHERIS) is not None, reason="atheris is here")
def test_without_atheris_it_says_how_to_install_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert coverage_guided.main([]) == 2
    assert "pip install atheris" in capsys.readouterr().err


def test_the_first_inputs_are_of_every_kind_and_show_no_fault(tmp_path: Path) -> None:
    inputs = first_inputs(tmp_path / "seeds")
    findings = Findings(tmp_path / "findings")
    targets = Targets(tmp_path / "session", findings)
    for data in inputs:
        targets.run(data)
    assert {chr(data[0]) for data in inputs} == set(KINDS)
    assert findings.counts == {}


def test_inputs_changed_a_few_times_show_no_fault(tmp_path: Path) -> None:
    mutator = Mutator(KINDS, by_bytes)
    findings = Findings(tmp_path / "findings")
    targets = Targets(tmp_path / "session", findings)
    random = Random(5)
    inputs = first_inputs(tmp_path / "seeds")
    for _ in range(800):
        data = random.choice(inputs)
        for _ in range(random.randint(1, 3)):
            data = mutator.mutate(data, 6000, random.getrandbits(32))
        targets.run(data)
    assert findings.counts == {}


def test_a_change_keeps_to_its_bounds_and_can_be_made_again(tmp_path: Path) -> None:
    mutator = Mutator("s", by_bytes)
    for number, data in enumerate(first_inputs(tmp_path / "seeds")):
        changed = mutator.mutate(data, 500, number)
        assert changed == mutator.mutate(data, 500, number)
        assert changed[:1] == b"s"
        assert len(changed) <= 500


def test_a_fault_is_kept_once_with_its_smallest_input(tmp_path: Path) -> None:
    findings = Findings(tmp_path)
    for data in (b"long input", b"short", b"longer than short"):
        findings.add(data, BrokenPromiseError("an event is lost"))
    assert findings.counts == {"BrokenPromiseError-an-event-is-lost": 3}
    assert (tmp_path / "BrokenPromiseError-an-event-is-lost.input").read_bytes() == b"short"
