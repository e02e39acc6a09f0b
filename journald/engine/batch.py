"""One batch of requests to vLLM, driven step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from journald.engine.base import Completion, Failure, FailureReason, Outcome


class Batch:
    """The requests of one call; none of them outlives it."""

    def __init__(self, llm: Any, ids: Iterator[int]) -> None:
        self._llm = llm
        self._ids = ids
        self._outcomes: list[Outcome | None] = []
        self._places: dict[str, int] = {}
        self.running: dict[str, str] = {}
        """vLLM's own ids of the requests that are not answered yet, by ours."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """One outcome per prompt, in order."""
        lost = Failure(reason=FailureReason.TRANSIENT, message="the engine gave no answer")
        return tuple(outcome or lost for outcome in self._outcomes)

    def settle(self, outcome: Outcome) -> None:
        """Give the next prompt its outcome without asking the engine."""
        self._outcomes.append(outcome)

    def add(self, tokens: list[int], sampling: Any) -> None:
        """Hand the next prompt to the engine; raises what vLLM raises when it will not have it."""
        # No number ever comes twice, so that a late answer can only be to a question of before.
        name = f"journald-{next(self._ids)}"
        (rendered,) = self._llm.renderer.render_cmpl([{"prompt_token_ids": tokens}])
        self.running[name] = self._llm.llm_engine.add_request(name, rendered, sampling)
        self._places[name] = len(self._outcomes)
        self._outcomes.append(None)

    def step(self) -> None:
        """Wait for the engine to move on, and take what is finished."""
        for output in self._llm.llm_engine.step():
            if output.finished and self.running.pop(output.request_id, None) is not None:
                self._outcomes[self._places[output.request_id]] = _outcome(output)

    def abandon(self) -> None:
        """Take back what was not answered."""
        if self.running:
            self._llm.llm_engine.abort_request([*self.running.values()], internal=True)
            self.running.clear()


def _outcome(output: Any) -> Outcome:
    answer = output.outputs[0]
    if answer.finish_reason not in ("stop", "length"):
        return Failure(
            reason=FailureReason.TRANSIENT,
            message=f"the engine ended the answer early ({answer.finish_reason})",
        )
    return Completion(
        text=answer.text,
        prompt_tokens=len(output.prompt_token_ids),
        output_tokens=len(answer.token_ids),
        finish=answer.finish_reason,
    )
