"""The prompts typed while the model works.

Up to 2.1.96 such a prompt stands nowhere but in `queue-operation` rows: `enqueue` with its text,
then `remove` when it is handed into the running turn. Since 2.1.97 a `queued_command`
attachment holds it as well, mostly before the `remove`.
"""

from __future__ import annotations

from dataclasses import dataclass

# A prompt that was delivered and its attachment stand close together.
_NEAR_LINES = 50


@dataclass(slots=True)
class Queued:
    """A prompt in the queue."""

    text: str
    images: int = 0
    delivered: bool = False


class PromptQueue:
    """What waits, and what was told of it already."""

    def __init__(self) -> None:
        self._waiting: list[Queued] = []
        self._handed: dict[str, int] = {}
        self._attached: dict[str, int] = {}

    def enqueue(self, text: str, images: int = 0) -> None:
        """Put a prompt or a machine's notice at the end."""
        self._waiting.append(Queued(text, images))

    def dequeue(self) -> None:
        """Take the first one out: it follows as a row of its own."""
        if self._waiting:
            self._waiting.pop(0)

    def give_back(self, text: str) -> None:
        """Take one out again that the human pulled back into the editor; all without a text."""
        if text:
            self._take(text)
        else:
            self._waiting.clear()

    def remove(self, text: str, line: int) -> Queued | None:
        """Take one out that goes into the running turn; None if it was told already."""
        taken = self._take(text) if text else self._first()
        if taken is None:
            if not text or self._was_attached(text, line):
                return None
            taken = Queued(text)
        if taken.delivered:
            return None
        self._handed[taken.text] = line
        return taken

    def attached(self, text: str, line: int) -> bool:
        """Tell whether a row that holds a queued prompt is the first to tell of it.

        Its `remove` may still follow.
        """
        if self._was_handed(text, line):
            return False
        for waiting in self._waiting:
            if waiting.text == text and not waiting.delivered:
                waiting.delivered = True
                return True
        self._attached[text] = line
        return True

    def typed(self, text: str) -> None:
        """Take out a prompt that came as a row of its own."""
        self._take(text)

    def repeated(self, text: str, line: int) -> bool:
        """Tell whether a command or notice that came as a row of its own was handed out before."""
        self._take(text)
        return self._was_handed(text, line)

    def _was_handed(self, text: str, line: int) -> bool:
        handed = self._handed.pop(text, None)
        return handed is not None and line - handed <= _NEAR_LINES

    def _was_attached(self, text: str, line: int) -> bool:
        attached = self._attached.pop(text, None)
        return attached is not None and line - attached <= _NEAR_LINES

    def _take(self, text: str) -> Queued | None:
        for index, waiting in enumerate(self._waiting):
            if waiting.text == text:
                return self._waiting.pop(index)
        return None

    def _first(self) -> Queued | None:
        if not self._waiting:
            return None
        delivered = (index for index, one in enumerate(self._waiting) if one.delivered)
        return self._waiting.pop(next(delivered, 0))
