import ast
import json
from pathlib import Path

import pytest

from tests.benchmarks import count as counting
from tests.benchmarks.count import count, differences
from tests.rows import Rows, encode

ORIGINAL = "5a4b5aa4-b959-4920-a53c-7ae4ff8f0d73"
COPY = "223b2708-5340-4532-879b-05e5d9aa16f1"


def test_the_independent_count_shares_no_code_with_journald() -> None:
    tree = ast.parse(Path(counting.__file__).read_text())
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in [getattr(node, "module", None), *(alias.name for alias in node.names)]
    }
    assert not [name for name in imported if name and name.split(".")[0] in {"journald", "tests"}]


def test_glued_rows_count_each_and_repeated_messages_and_calls_count_once(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("Count me once.")
    spent = {"input_tokens": 5, "output_tokens": 1, "cache_read_input_tokens": 7}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
    rows.assistant(call, message_id="msg_1", usage=spent)
    rows.assistant(call, message_id="msg_1", usage=spent | {"output_tokens": 9})
    rows.add(encode({"type": "mode"})[:-1] + encode({"type": "tag", "tag": "x"}))
    path = rows.write(tmp_path)
    assert count(path) == {
        "types": {"user": 1, "assistant": 2, "mode": 1, "tag": 1},
        "tool_calls": {"Bash": 1},
        "messages": 1,
        "tokens": {"input": 5, "output": 9, "cache_read": 7, "cache_creation": 0},
    }
    assert differences(path) == {}


def test_a_difference_is_told_with_both_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Rows()
    rows.user("Count me twice.")
    path = rows.write(tmp_path)
    monkeypatch.setattr(counting, "inspected", lambda _: count(path) | {"messages": 3})
    assert differences(path) == {"messages": (0, 3)}


@pytest.mark.corpus
def test_an_independent_count_agrees_with_inspect_on_every_transcript(corpus: Path) -> None:
    paths = sorted(corpus.glob("*/*.jsonl"))
    assert len(paths) >= 25
    for path in paths:
        assert differences(path) == {}, path


@pytest.mark.corpus
def test_a_resumed_copy_counts_its_rows_but_not_again_what_the_original_spent(
    corpus: Path,
) -> None:
    (folder,) = corpus.glob("30-*")
    first, second = (count(folder / f"{name}.jsonl") for name in (ORIGINAL, COPY))
    rows = [json.loads(line) for line in (folder / f"{COPY}.jsonl").read_bytes().splitlines()]
    together = {row["message"]["id"] for row in rows if row["type"] == "assistant"}
    assert first["messages"] + second["messages"] == len(together)
    assert sum(second["types"].values()) == len(rows)
