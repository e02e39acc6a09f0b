"""Transcripts for tests, row by row in Claude Code's own format."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 3, 5, 9, 0, tzinfo=UTC)
SESSION_ID = "0f0e0d0c-0b0a-4009-8008-070605040302"
MODEL = "claude-sonnet-5"


def stamp(moment: datetime) -> str:
    """Return `moment` as Claude Code writes it: UTC, milliseconds, `Z`."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def text_block(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def image_block(data: str = "iVBORw0KGgo=") -> dict[str, Any]:
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": data},
    }


def encode(row: object) -> bytes:
    """Return one line as Claude Code writes it: compact, raw UTF-8, newline at the end."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Rows:
    """Builds the rows of one file; every row comes one second after the one before.

    `rows` may be changed freely before `write`; a `bytes` among them is written as it stands.
    """

    def __init__(
        self,
        session_id: str = SESSION_ID,
        *,
        start: datetime = START,
        prefix: str = "",
        **envelope: Any,
    ) -> None:
        self.session_id = session_id
        self.rows: list[dict[str, Any] | bytes] = []
        self.now = start
        self.last_uuid: str | None = None
        self._prefix = prefix or session_id[:8]
        self._made = 0
        self._envelope: dict[str, Any] = {
            "isSidechain": False,
            "userType": "external",
            "entrypoint": "cli",
            "cwd": "/home/ada/shop",
            "sessionId": session_id,
            "version": "2.1.219",
            "gitBranch": "main",
        } | envelope

    def wait(self, gap: timedelta) -> None:
        """Let time pass before the next row."""
        self.now += gap

    def number(self) -> int:
        """Return a number that no other row of this builder was given."""
        self._made += 1
        return self._made

    def add(self, row: dict[str, Any] | bytes) -> None:
        """Append a row as it is."""
        self.rows.append(row)

    def tree(self, kind: str, **fields: Any) -> str:
        """Append a row of the conversation tree; return its uuid."""
        uuid = f"{self._prefix}-0000-4000-8000-{self.number():012d}"
        row = {
            "parentUuid": self.last_uuid,
            **self._envelope,
            "type": kind,
            "uuid": uuid,
            "timestamp": stamp(self.now),
        } | fields
        self.rows.append(row)
        self.now += timedelta(seconds=1)
        self.last_uuid = str(row["uuid"])
        return self.last_uuid

    def user(self, content: str | Sequence[Any], **fields: Any) -> str:
        """Append a user row; return its uuid."""
        return self.tree("user", message={"role": "user", "content": content}, **fields)

    def assistant(
        self,
        *blocks: Mapping[str, Any],
        message_id: str | None = None,
        model: str = MODEL,
        usage: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> str:
        """Append one row of a message of the model; return its uuid."""
        identity = message_id or f"msg_{self._prefix}{self.number()}"
        spent = {
            "input_tokens": 10,
            "output_tokens": 20,
            "cache_read_input_tokens": 30,
            "cache_creation_input_tokens": 40,
        }
        message = {
            "id": identity,
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [*blocks],
            "stop_reason": None,
            "usage": spent if usage is None else usage,
        }
        return self.tree(
            "assistant", **({"message": message, "requestId": f"req_{identity}"} | fields)
        )

    def say(self, text: str, **fields: Any) -> str:
        """Append text of the model; return the row's uuid."""
        return self.assistant(text_block(text), **fields)

    def call(self, name: str, arguments: Mapping[str, Any], **fields: Any) -> str:
        """Append a tool call; return the call's id."""
        call_id = f"toolu_{self._prefix}{self.number()}"
        block = {"type": "tool_use", "id": call_id, "name": name, "input": arguments}
        self.assistant(block, **fields)
        return call_id

    def result(
        self,
        call_id: str,
        content: str | Sequence[Any],
        details: object = None,
        *,
        is_error: bool = False,
        said: str = "",
        **fields: Any,
    ) -> str:
        """Append the result of a call; `said` is text that the human wrote beside it."""
        block: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": call_id,
            "content": content,
        }
        if is_error:
            block["is_error"] = True
        blocks = [block, text_block(said)] if said else [block]
        more = {} if details is None else {"toolUseResult": details}
        return self.user(blocks, **(more | fields))

    def tool(
        self, name: str, arguments: Mapping[str, Any], content: str, details: object = None
    ) -> str:
        """Append a tool call and its result; return the call's id."""
        call_id = self.call(name, arguments)
        self.result(call_id, content, details)
        return call_id

    def bash(self, command: str, output: str = "", exit_code: int = 0) -> str:
        """Append a shell command and its result; return the call's id."""
        call_id = self.call("Bash", {"command": command})
        if exit_code:
            failure = f"Exit code {exit_code}\n{output}"
            self.result(call_id, failure, f"Error: {failure}", is_error=True)
        else:
            details = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
            self.result(call_id, output, details)
        return call_id

    def system(self, subtype: str, **fields: Any) -> str:
        """Append a system row; return its uuid."""
        return self.tree("system", subtype=subtype, **fields)

    def attachment(self, kind: str, **fields: Any) -> str:
        """Append an attachment row; return its uuid."""
        return self.tree("attachment", attachment={"type": kind, **fields})

    def queue(self, operation: str, content: str | None = None) -> None:
        """Append a queue operation: enqueue, dequeue, remove or popAll."""
        more = {} if content is None else {"content": content}
        self.rows.append(
            {
                "type": "queue-operation",
                "operation": operation,
                "timestamp": stamp(self.now),
                "sessionId": self.session_id,
            }
            | more
        )
        self.now += timedelta(seconds=1)

    def meta(self, kind: str, **fields: Any) -> None:
        """Append a row outside of the tree, such as `custom-title`."""
        self.rows.append({"type": kind, "sessionId": self.session_id, **fields})

    def command(self, name: str, arguments: str = "", output: str | None = None) -> str:
        """Append a built-in slash command and what it printed; return the command's uuid."""
        uuid = self.user(
            f"<command-name>/{name}</command-name>\n"
            f"            <command-message>{name}</command-message>\n"
            f"            <command-args>{arguments}</command-args>"
        )
        if output is not None:
            self.user(f"<local-command-stdout>{output}</local-command-stdout>")
        return uuid

    def compact(self, summary: str, trigger: str = "auto") -> None:
        """Append a compaction: the boundary and the summary."""
        before, self.last_uuid = self.last_uuid, None
        self.system(
            "compact_boundary",
            content="Conversation compacted",
            logicalParentUuid=before,
            compactMetadata={"trigger": trigger, "preTokens": 150000},
        )
        self.user(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def data(self) -> bytes:
        """Return the file's bytes."""
        return b"".join(row if isinstance(row, bytes) else encode(row) for row in self.rows)

    def write(self, folder: Path, name: str | None = None) -> Path:
        """Write `<folder>/<session id>.jsonl`, or `<folder>/<name>`; return the path."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / (name or f"{self.session_id}.jsonl")
        path.write_bytes(self.data())
        return path
