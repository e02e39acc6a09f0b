"""Transcripts with a very long line in them, between rows that are as always."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from journald.transcript.lines import LINE_LIMIT
from tests.benchmarks.synthetic import FIRST, LAST, Writer
from tests.rows import Rows, encode, image_block, text_block

LONGEST = 64 * 1024 * 1024
"""Bytes of a long line, the newline not counted."""


def one_line(kind: str) -> Callable[[Writer, int], None]:
    """Return a writer of a session in which one line is very long."""

    def write(writer: Writer, _size: int) -> None:
        _neighbours(writer, FIRST)
        _long_line(writer, kind, LONGEST)
        _neighbours(writer, LAST)

    return write


def around_the_limit(bytes_over: int) -> Callable[[Writer, int], None]:
    """Return a writer of a session in which one line of short strings is as long as is read."""

    def write(writer: Writer, _size: int) -> None:
        _neighbours(writer, FIRST)
        _long_line(writer, "patch", LINE_LIMIT + bytes_over)
        _neighbours(writer, LAST)

    return write


def long_lines(writer: Writer, size: int) -> None:
    """Write a session of `size` bytes, all in lines as long as are read."""
    writer.prompt(FIRST)
    for kind in itertools.cycle(("tool-result", "image", "duplicate", "progress", "call")):
        _long_line(writer, kind, LONGEST)
        if writer.made.bytes >= size:
            break
    writer.prompt(LAST)


def _neighbours(writer: Writer, words: str) -> None:
    writer.prompt(words)
    call_id = writer.call("Bash", {"command": "ls", "description": "List"})
    writer.rows.result(call_id, "README.md", {"stdout": "README.md", "stderr": ""})
    writer.say(text_block(f"An answer to: {words}"))


def _filled(size: int, sample: str, row: Callable[[str], dict[str, Any]]) -> bytes:
    """Return the line of `size` bytes that `row` makes around enough of `sample`."""
    one, two = len(encode(row(sample))), len(encode(row(sample * 2)))
    more, rest = divmod(size + 1 - one, two - one)
    return encode(row(sample * (1 + more) + "x" * rest))


def _long_line(writer: Writer, kind: str, size: int) -> None:
    """Write a line of `size` bytes, the newline not counted, and the call that it belongs to."""
    rows, row = writer.rows, _LONG[kind]
    call_id = writer.call(row.tool, {"command": "make everything", "file_path": "/home/ada/all"})
    writer.flush()

    def build(filler: str) -> dict[str, Any]:
        # Made again and again until its length is right: what it begins with must be as long.
        rows.last_uuid = None
        row.add(rows, call_id, filler)
        made = rows.rows.pop()
        assert isinstance(made, dict)
        return made

    rows.add(_filled(size, row.sample, build))
    writer.made.prompts += row.prompts
    writer.made.calls += row.calls
    writer.made.messages += row.calls
    writer.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class _LongRow:
    sample: str
    add: Callable[[Rows, str, str], object]
    """Adds one row, the answer to a call, around a text."""
    tool: str = "Bash"
    prompts: int = 0
    calls: int = 0


_OUTPUT = "  ✓ the tide table of the next week is sent once (12 ms)\n"
_LONG = {
    "image": _LongRow(
        sample="iVBORw0KGgoAAAANSUhEUgAAB4AAAAQ4CAYAAADo08FD",
        add=lambda rows, call_id, text: rows.result(call_id, [image_block(text)]),
    ),
    "tool-result": _LongRow(
        sample=_OUTPUT, add=lambda rows, call_id, text: rows.result(call_id, text)
    ),
    # One character beyond the basic plane makes Python keep four bytes for each of a text.
    "emoji": _LongRow(
        sample="All 12 harbours answered 🙂 and none twice.\n",
        add=lambda rows, call_id, text: rows.result(call_id, text),
    ),
    "duplicate": _LongRow(
        sample=_OUTPUT,
        tool="Edit",
        add=lambda rows, call_id, text: rows.result(
            call_id,
            "The file has been updated.",
            {"filePath": "/home/ada/all", "originalFile": text, "structuredPatch": []},
        ),
    ),
    "prompt": _LongRow(
        sample="Here is the whole log, as I found it: claim, send, claim again.\n",
        add=lambda rows, _, text: rows.user(text),
        prompts=1,
    ),
    "progress": _LongRow(
        sample=_OUTPUT,
        add=lambda rows, call_id, text: rows.tree(
            "progress", data={"type": "bash_progress", "output": text}, parentToolUseID=call_id
        ),
    ),
    # Many short strings, of which none can be left out.
    "patch": _LongRow(
        sample="+one more line of it\n",
        tool="Edit",
        add=lambda rows, call_id, text: rows.result(
            call_id,
            "The file has been updated.",
            {"filePath": "/home/ada/all", "structuredPatch": [{"lines": text.split("\n")}]},
        ),
    ),
    "call": _LongRow(
        sample=_OUTPUT,
        calls=1,
        add=lambda rows, call_id, text: rows.assistant(
            {
                "type": "tool_use",
                "id": f"{call_id}long",
                "name": "Write",
                "input": {"file_path": "/home/ada/all", "content": text},
            },
            message_id=f"{call_id}message",
        ),
    ),
}
