"""Transcripts too large for a repository, written row by row, the same at every run.

The mix of `realistic` follows 23 MB of real transcripts. Share of the bytes there, and here:
`toolUseResult` 31 and 36 %, tool results 16 and 19 %, progress rows 14 and 18 %, thinking with its
signatures 7 and 6 %, tool input 6 and 6 %, text of the model 1 and 1 %, of the human 2 and 1 %;
the rest is what stands around them. Pictures were taken out of the real ones; here they are 4 %.
"""

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.rows import Rows, encode, image_block, text_block

FIRST, LAST = "The first words of the human.", "The last words of the human."
PROGRESS_SESSION_PROMPTS = 14
_POOL = 4 * 1024 * 1024
_SCREENSHOT = 220_000
_FILES = 400
_TEMPLATES = (
    "    {0} = {1}({2}, {3})\n",
    "def {0}_{1}({2}: int, {3}: str) -> None:\n",
    'raise ValueError("{0} of {1} is not {2}: \\"{3}\\"")\n',
    "src/{0}/{1}.py:42: {2} has no attribute {3}\n",
    "  ✓ {0} {1} {2} ({3} ms)\n",
    "{0} {1} {2} {3} and so it goes on, as prose does.\n",
    "https://docs.example.org/{0}/{1}?{2}={3}\n",
    "\t{{'{0}': {1}, '{2}': '{3}'}}\n",
)
# Sizes in characters at these shares of all rows, measured.
_SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99)
_SIZES = {
    "prompt": (5, 25, 54, 130, 362, 1469, 14988),
    "text": (10, 44, 67, 105, 295, 1200, 3887),
    "thinking": (0, 2, 2, 101, 275, 767, 3126),
    "signature": (200, 300, 500, 1000, 2000, 3500, 6000),
    "input": (20, 66, 96, 161, 584, 1685, 8071),
    "result": (10, 35, 110, 268, 1450, 4231, 30600),
    "original": (300, 900, 2500, 6000, 12000, 22000, 60000),
    "agent": (800, 1417, 2367, 4342, 6023, 8694, 33953),
}


@dataclass(slots=True, kw_only=True)
class Made:
    """What was written, to be held against what is read."""

    path: Path
    bytes: int = 0
    prompts: int = 0
    calls: int = 0
    messages: int = 0


class Writer:
    """Writes rows to a file as they are made; holds no more than one turn of them."""

    def __init__(self, path: Path, seed: int = 3) -> None:
        self.rows = Rows()
        self.made = Made(path=path)
        self.random = random.Random(seed)
        self._pool = _pool(self.random)
        self._screenshot = "".join(self.random.choices("ABCDEFGHabcdefgh0123+/", k=_SCREENSHOT))
        self._stream = path.open("wb")

    def text(self, kind: str) -> str:
        """Return text of a size that is usual for `kind`."""
        sizes = _SIZES[kind]
        place = self.random.random()
        step = max(index for index, share in enumerate(_SHARES) if share <= place)
        low, high = sizes[step], sizes[min(step + 1, len(sizes) - 1)]
        return self.slice(self.random.randint(low, high))

    def slice(self, length: int) -> str:
        """Return `length` characters of text."""
        start = self.random.randrange(_POOL - min(length, _POOL - 1))
        return self._pool[start : start + length]

    def prompt(self, content: Any) -> None:
        """Write words of the human."""
        self.rows.user(content)
        self.made.prompts += 1

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Write a tool call; return its id."""
        self.made.calls += 1
        self.made.messages += 1
        return self.rows.call(name, arguments)

    def say(self, *blocks: dict[str, Any]) -> None:
        """Write a message of the model."""
        self.made.messages += 1
        self.rows.assistant(*blocks)

    def picture(self) -> dict[str, Any]:
        """Return a screenshot."""
        return image_block(self._screenshot)

    def flush(self) -> None:
        """Put the rows made so far on the disk, and forget them."""
        for row in self.rows.rows:
            self.made.bytes += self._stream.write(row if isinstance(row, bytes) else encode(row))
        self.rows.rows.clear()

    def close(self) -> Made:
        """End the file."""
        self.flush()
        self._stream.close()
        return self.made


def realistic(writer: Writer, size: int) -> None:
    """Write a session of `size` bytes as real ones are made."""
    writer.prompt(FIRST)
    while writer.made.bytes < size:
        _turn(writer)
        writer.flush()
    writer.prompt(LAST)


def progress(writer: Writer, size: int) -> None:
    """Write a few real messages among `size` bytes of progress rows (anthropics/claude-code#23373)."""
    writer.prompt(FIRST)
    for _ in range(PROGRESS_SESSION_PROMPTS - 2):
        call_id = writer.call("Bash", {"command": "make watch", "description": "Watch"})
        share = size // (PROGRESS_SESSION_PROMPTS - 2)
        goal = writer.made.bytes + share
        while writer.made.bytes < goal:
            _bash_progress(writer, call_id, writer.random.randint(200, 60_000))
            writer.flush()
        writer.rows.result(call_id, "done")
    writer.prompt(LAST)


def _pool(source: random.Random) -> str:
    words = ["".join(source.choices("abcdefghilmnoprstuvwy", k=3 + n % 9)) for n in range(2000)]
    lines: list[str] = []
    length = 0
    while length < _POOL:
        lines.append(source.choice(_TEMPLATES).format(*source.choices(words, k=4)))
        length += len(lines[-1])
    return "".join(lines)


def _turn(writer: Writer) -> None:
    words = text_block(writer.text("prompt"))
    # Whole white space would be no request.
    words["text"] += "."
    writer.prompt([words, writer.picture()] if writer.random.random() < 0.04 else words["text"])
    writer.rows.add(_snapshot(writer))
    for _ in range(writer.random.randint(4, 16)):
        if writer.random.random() < 0.55:
            thinking = {"type": "thinking", "thinking": writer.text("thinking")}
            writer.say({**thinking, "signature": writer.text("signature")})
        if writer.random.random() < 0.4:
            writer.say(text_block(writer.text("text") + "."))
        writer.random.choices(_STEPS, weights=_WEIGHTS)[0](writer)
    writer.say(text_block(writer.text("text") + "."))
    writer.rows.tree("system", subtype="turn_duration", durationMs=81234, isMeta=False)


def _path(writer: Writer) -> str:
    return f"/home/ada/shop/src/part{writer.random.randrange(_FILES)}.py"


def _bash(writer: Writer) -> None:
    command = f"make test-{writer.random.randrange(900)} # {writer.slice(60).split(chr(10))[0]}"
    call_id = writer.call("Bash", {"command": command, "description": "Run it"})
    for _ in range(writer.random.choice((0, 1, 1, 1, 2, 4))):
        _bash_progress(writer, call_id, writer.random.choice((60, 200, 900, 2500)))
    output = writer.text("result")
    details = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
    writer.rows.result(call_id, output, details)


def _read(writer: Writer) -> None:
    path = _path(writer)
    call_id = writer.call("Read", {"file_path": path})
    content = writer.text("original")
    lines = content.count("\n") + 1
    numbered = "\n".join(f"{n:6}→{line}" for n, line in enumerate(content.split("\n"), 1))
    file = {"filePath": path, "content": content, "numLines": lines, "totalLines": lines}
    writer.rows.result(call_id, numbered, {"type": "text", "file": {**file, "startLine": 1}})


def _edit(writer: Writer) -> None:
    path = _path(writer)
    old, new = writer.text("input"), writer.text("input")
    call_id = writer.call("Edit", {"file_path": path, "old_string": old, "new_string": new})
    removed = [f"-{line}" for line in old.split("\n")]
    added = [f"+{line}" for line in new.split("\n")]
    hunk = {"oldStart": 1, "oldLines": len(removed), "newStart": 1, "newLines": len(added)}
    details = {
        "filePath": path,
        "oldString": old,
        "newString": new,
        "originalFile": writer.text("original"),
        "structuredPatch": [{**hunk, "lines": removed + added}],
        "userModified": False,
    }
    writer.rows.result(call_id, f"The file {path} has been updated.", details)


def _write(writer: Writer) -> None:
    path = _path(writer)
    content = writer.text("original")
    call_id = writer.call("Write", {"file_path": path, "content": content})
    details = {"type": "update", "filePath": path, "content": content, "structuredPatch": []}
    details["originalFile"] = writer.text("original")
    writer.rows.result(call_id, f"The file {path} has been updated.", details)


def _grep(writer: Writer) -> None:
    call_id = writer.call("Grep", {"pattern": "claim", "path": "/home/ada/shop"})
    found = writer.text("result")
    details = {"mode": "content", "numFiles": 0, "filenames": [], "content": found, "numLines": 9}
    writer.rows.result(call_id, found, details)


def _agent(writer: Writer) -> None:
    given = {"description": "Look", "prompt": writer.text("prompt"), "subagent_type": "Explore"}
    call_id = writer.call("Task", given)
    agent_id = f"a{writer.random.getrandbits(24):06x}"
    for _ in range(writer.random.randint(5, 15)):
        message = {
            "type": "user",
            "uuid": f"{writer.rows.number():032d}",
            "message": {"role": "user", "content": [text_block(writer.text("agent"))]},
        }
        _progress(writer, call_id, type="agent_progress", agentId=agent_id, message=message)
    report = writer.text("result")
    details = {"status": "completed", "agentId": agent_id, "content": [text_block(report)]}
    writer.rows.result(call_id, [text_block(report)], details)


_STEPS = (_bash, _read, _edit, _write, _grep, _agent)
_WEIGHTS = (48, 15, 15, 5, 15, 2)


def _progress(writer: Writer, call_id: str, **data: Any) -> None:
    writer.rows.tree("progress", data=data, toolUseID=f"{call_id}-0", parentToolUseID=call_id)


def _bash_progress(writer: Writer, call_id: str, length: int) -> None:
    output = writer.slice(length)
    _progress(writer, call_id, type="bash_progress", output=output, fullOutput=output)


def _snapshot(writer: Writer) -> dict[str, Any]:
    message = f"{writer.rows.number():032d}"
    tracked = {_path(writer): {"backupFileName": None, "version": 1} for _ in range(4)}
    snapshot = {"messageId": message, "trackedFileBackups": tracked}
    return {"type": "file-history-snapshot", "messageId": message, "snapshot": snapshot}
