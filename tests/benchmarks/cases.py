"""The transcripts whose reading is measured, by name."""

from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.longlines import around_the_limit, long_lines, one_line
from tests.benchmarks.synthetic import Made, Writer, progress, realistic

CASES: dict[str, Callable[[Writer, int], None]] = {
    "realistic": realistic,
    "progress": progress,
    "line-image": one_line("image"),
    "line-tool-result": one_line("tool-result"),
    "line-emoji": one_line("emoji"),
    "line-duplicate": one_line("duplicate"),
    "line-prompt": one_line("prompt"),
    "line-progress": one_line("progress"),
    "line-call": one_line("call"),
    "line-patch": one_line("patch"),
    "line-under-limit": around_the_limit(-1024),
    "line-over-limit": around_the_limit(1024),
    "long-lines": long_lines,
}


def make(case: str, path: Path, size: int) -> Made:
    """Write the transcript of a case; `size` bytes, where the case leaves that open."""
    writer = Writer(path)
    CASES[case](writer, size)
    return writer.close()
