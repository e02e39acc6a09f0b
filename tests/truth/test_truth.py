import json
from pathlib import Path
from typing import Any

import pytest

from tests.rows import Rows
from tests.truth.labels import Kind, LabelError, read_labels, words_hash
from tests.truth.table import PROMISED, Comparison, compare, main, total


@pytest.fixture(scope="module")
def comparisons(corpus: Path) -> list[Comparison]:
    return [compare(label, corpus) for label in read_labels(corpus)]


@pytest.mark.corpus
@pytest.mark.parametrize("kind", list(Kind))
def test_what_is_told_of_real_sessions_is_what_happened(
    kind: Kind, comparisons: list[Comparison]
) -> None:
    score = total(comparisons)[kind]
    misses = [miss for one in comparisons for miss in one.misses if f" {kind} " in miss]
    assert score.labelled > 0
    assert score.keeps(PROMISED[kind]), "\n".join(misses)


@pytest.mark.corpus
def test_labels_cover_at_least_eight_versions(comparisons: list[Comparison]) -> None:
    assert len(comparisons) >= 8
    assert len({version for one in comparisons for version in one.label.versions}) >= 8


def a_session(folder: Path) -> Path:
    rows = Rows()
    rows.user("Tidy up the harbour.")
    call_id = rows.call("Bash", {"command": "ls"})
    rows.result(call_id, "boats")
    return rows.write(folder)


def a_label(path: Path, **changes: Any) -> dict[str, Any]:
    call_id = next(
        block["id"]
        for line in path.read_bytes().splitlines()
        for block in json.loads(line)["message"]["content"]
        if isinstance(block, dict) and block["type"] == "tool_use"
    )
    return {
        "transcript": path.name,
        "bytes": path.stat().st_size,
        "versions": ["2.1.219"],
        "requests": [{"line": 1, "words": words_hash("Tidy up  the harbour. ")}],
        "commands": [{"call": call_id, "exit": 0}],
        "tests": [],
        "files": [],
        "commits": [],
        "subagents": [],
    } | changes


def hold(path: Path, folder: Path, **changes: Any) -> Comparison:
    folder.mkdir()
    (folder / "one.json").write_text(json.dumps(a_label(path, **changes)))
    (label,) = read_labels(path.parent, folder)
    return compare(label, path.parent)


def test_a_label_that_says_the_same_scores_whole(tmp_path: Path) -> None:
    comparison = hold(a_session(tmp_path), tmp_path / "labels")
    assert comparison.misses == ()
    assert all(score.keeps(PROMISED[kind]) for kind, score in comparison.scores.items())
    assert comparison.scores[Kind.REQUESTS].labelled == 1


@pytest.mark.parametrize(
    ("changes", "kind", "precision", "recall"),
    [
        ({"requests": [{"line": 1, "words": words_hash("Tidy up.")}]}, Kind.REQUESTS, 0, 0),
        ({"requests": []}, Kind.REQUESTS, 0, 1),
        ({"commands": [{"line": 2, "exit": 0}]}, Kind.COMMANDS, 0, 0),
        ({"commits": [{"call": "toolu_x", "hash": "0123456789"}]}, Kind.COMMITS, 1, 0),
        ({"subagents": [{"agent": "a1"}]}, Kind.SUBAGENTS, 1, 0),
    ],
)
def test_a_label_that_says_otherwise_costs_precision_and_recall(
    tmp_path: Path, changes: dict[str, Any], kind: Kind, precision: int, recall: int
) -> None:
    comparison = hold(a_session(tmp_path), tmp_path / "labels", **changes)
    score = comparison.scores[kind]
    assert score.precision == precision
    assert score.recall == recall
    assert all(kind in miss for miss in comparison.misses)
    assert comparison.misses


def test_one_command_of_two_equal_ones_is_half_of_the_truth(tmp_path: Path) -> None:
    path = a_session(tmp_path)
    (command,) = a_label(path)["commands"]
    comparison = hold(path, tmp_path / "labels", commands=[command, command])
    assert comparison.scores[Kind.COMMANDS].recall == 0.5
    assert comparison.scores[Kind.COMMANDS].precision == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bytes": 7}, "one.json is of 7 bytes"),
        ({"transcript": "other.jsonl"}, "which is not in"),
        ({"commands": [{"call": "toolu_x"}]}, "one.json is no label: KeyError 'exit'"),
    ],
)
def test_a_label_that_does_not_fit_is_refused_by_name(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(LabelError, match=message):
        hold(a_session(tmp_path), tmp_path / "labels", **changes)


def test_the_command_ends_with_1_where_less_is_told_than_is_promised(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = a_session(tmp_path)
    given = ["--corpus", str(tmp_path), "--labels", str(tmp_path / "labels")]
    hold(path, tmp_path / "labels")
    assert main(given) == 0
    (tmp_path / "labels" / "one.json").write_text(json.dumps(a_label(path, commands=[])))
    capsys.readouterr()
    assert main([*given, "--misses"]) == 1
    told = capsys.readouterr()
    assert "under what is promised" in told.out
    assert "line 2" in told.err
    capsys.readouterr()
    assert main([*given, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["total"]["commands"]["precision"] == 0
