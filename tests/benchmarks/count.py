"""Rows, tool calls, messages and tokens of transcripts, counted twice.

python -m tests.benchmarks.count [--corpus DIR]

Counts every transcript with nothing but `json`, no code of journald, and holds the numbers against
those of `journald inspect --json`. Ends with 1 when they differ anywhere.

Rows are counted as they stand in the files, each of two that were glued together, and those that a
resume copied from another session as well. Calls, messages and tokens are counted once: not again
where a row is repeated, and in the session that had them first, not in a copy.
"""

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TOKENS = {
    "input": "input_tokens",
    "output": "output_tokens",
    "cache_read": "cache_read_input_tokens",
    "cache_creation": "cache_creation_input_tokens",
}


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yield every object in a file, several to a line where lines were glued."""
    decoder = json.JSONDecoder()
    for line in path.read_bytes().split(b"\n"):
        text, at = line.decode(errors="replace").strip("\0 \t\r"), 0
        while at < len(text):
            try:
                record, at = decoder.raw_decode(text, at)
            except ValueError:
                break
            if isinstance(record, dict):
                yield record


def agents(path: Path) -> list[Path]:
    """Return the files of a session's sub-agents, in both layouts."""
    below = path.with_suffix("").glob("subagents/**/agent-*.jsonl")
    beside = [
        file
        for file in path.parent.glob("agent-*.jsonl")
        if any(record.get("sessionId") == path.stem for record in records(file))
    ]
    return [file for file in [*below, *beside] if not file.name.startswith("agent-acompact-")]


def inherited(path: Path) -> set[str]:
    """Return the uuids of rows that another session in the folder had first.

    Whose rows begin first is told by those that the other has not; none at all is earliest.
    """
    files = {path, *path.parent.glob("*-*-*-*-*.jsonl")}
    rows = {
        file: {row["uuid"]: row["timestamp"] for row in records(file) if "uuid" in row}
        for file in files
    }

    def begins(file: Path, without: Path) -> tuple[str, str]:
        alone = rows[file].keys() - rows[without].keys()
        return min((rows[file][uuid] for uuid in alone), default=""), file.name

    first = [file for file in files - {path} if begins(file, path) < begins(path, file)]
    return {uuid for file in first for uuid in rows[file].keys() & rows[path].keys()}


def messages(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the messages of the model: in the files, and in progress rows where no file is."""
    files = agents(path)
    names = {file.stem.removeprefix("agent-") for file in files}
    copied = inherited(path)
    for row in (row for file in (path, *files) for row in records(file)):
        data = row.get("data", {})
        if data.get("type") == "agent_progress" and data["agentId"] not in names:
            message = data["message"]
        else:
            message = row
        if message.get("type") == "assistant" and row["uuid"] not in copied:
            yield message["message"]


def count(path: Path) -> dict[str, Any]:
    """Return the numbers of one session, named as `inspect` names them."""
    types = Counter(row["type"] for file in (path, *agents(path)) for row in records(file))
    tools: dict[str, str] = {}
    spent: dict[str, Counter[str]] = {}
    for message in messages(path):
        blocks = [block for block in message["content"] if block["type"].endswith("tool_use")]
        tools.update((block["id"], block["name"]) for block in blocks)
        if message["model"] != "<synthetic>":
            told = Counter({name: message["usage"].get(key) or 0 for name, key in _TOKENS.items()})
            spent[message["id"]] = spent.get(message["id"], Counter()) | told
    return {
        "types": dict(types),
        "tool_calls": dict(Counter(tools.values())),
        "messages": len(spent),
        "tokens": {name: sum(one[name] for one in spent.values()) for name in _TOKENS},
    }


def inspected(path: Path) -> dict[str, Any]:
    """Return what `journald inspect` says of the same."""
    command = [sys.executable, "-m", "journald", "inspect", "--json", str(path)]
    done = subprocess.run(command, capture_output=True, check=True)
    report = json.loads(done.stdout)
    return {
        "types": report["lines"]["types"],
        "tool_calls": report["tool_calls"],
        "messages": report["messages"],
        "tokens": {name: report["tokens"][name] for name in _TOKENS},
    }


def differences(path: Path) -> dict[str, tuple[Any, Any]]:
    """Return what is counted otherwise than inspected, by name, both numbers of each."""
    ours, theirs = count(path), inspected(path)
    return {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.count")
    parser.add_argument("--corpus", type=Path, default=os.environ.get("JOURNALD_CORPUS"))
    corpus = parser.parse_args().corpus
    if corpus is None:
        parser.error("name a folder of transcripts with --corpus or $JOURNALD_CORPUS")
    good = True
    print(f"{'transcript':60}{'rows':>7}{'calls':>7}{'messages':>10}{'tokens':>12}")
    for path in sorted(corpus.glob("*/*.jsonl")):
        ours, differ = count(path), differences(path)
        print(
            f"{str(path.relative_to(corpus))[:59]:60}{sum(ours['types'].values()):7}"
            f"{sum(ours['tool_calls'].values()):7}{ours['messages']:10}"
            f"{sum(ours['tokens'].values()):12}  {'DIFFERS' if differ else 'agrees'}"
        )
        for name, (counted, told) in differ.items():
            good = False
            print(f"    {name}: counted {counted}, inspect says {told}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
