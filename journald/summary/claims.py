"""Claims of outcome held against the ledger: tests pass, fixed, committed, pushed, merged.

Only plain assertions are judged. A sentence that denies, wishes, plans or reports what someone
said asserts nothing. English only: in other languages these claims go unjudged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from journald.ledger.facts import Ledger, TestRun
from journald.summary.order import EventOrder

_NOT_ASSERTED = re.compile(
    r"\b(?:not|never|no|none|without|nothing|neither|nor|cannot|can't|won't|didn't|doesn't|don't"
    r"|isn't|aren't|wasn't|weren't|hasn't|haven't|un\w+ed|fail(?:s|ed)? to|should|would|could"
    r"|must|may|might|will|shall|if|once|until|unless|before|whether|when|so that|in order to"
    r"|to be|to make|to get|to have|wants?|wanted|asks?|asked|plans?|planned|tried|try|attempt\w*"
    r"|expect\w*|need\w*|claim\w*|said|says|report\w*|stat(?:es|ed)|according|believ\w*"
    r"|propos\w*|suggest\w*|instruct\w*|request\w*|ensure|verify|check\w*)\b",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|,? (?:but|although|though|however|while) ", re.IGNORECASE)

_TESTS = r"(?:tests?|test suite|suite|specs?|checks)"
_PASS = re.compile(
    rf"\b{_TESTS}\b[^.;]{{0,30}}?\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?)\b"
    rf"|\b{_TESTS}\b (?:\w+ )?(?:is|are|were|was) green\b"
    rf"|\bpass(?:es|ed|ing)? (?:all )?(?:the |its |their )?(?:\w+ )?{_TESTS}\b"
    rf"|\b\d+ pass(?:ed|ing)\b",
    re.IGNORECASE,
)
_COMMITTED = re.compile(
    r"\b(?:was|were|is|are|been|got|and|claude|user|it|they|then) committed\b(?! to \w+ing)"
    r"|\A\W*committed\b|\b(?:made|created|added) (?:a|an|one|the|\w+) (?:\w+ )?commits?\b",
    re.IGNORECASE,
)
_PUSHED = re.compile(
    r"\bpushed\b(?! back| for| aside| further)"
    r"(?:[^.;]{0,40}\b(?:to|branch|commits?|changes|remote|origin|upstream|github)\b)"
    r"|\b(?:was|were|been|and) pushed\b",
    re.IGNORECASE,
)
_MERGED = re.compile(
    r"\bmerged (?:the |a )?(?:pr\b|branch|#\d)"
    r"|\b(?:pr|branch)(?: #?\d+)? (?:was|is|has been|got|were) merged\b",
    re.IGNORECASE,
)
_OPENED = re.compile(
    r"\b(?:opened|created|raised|submitted) (?:a |the |one )?(?:new |draft )?pr\b"
    r"|\bpr(?: #?\d+)? (?:was|is|has been) (?:opened|created|submitted)\b",
    re.IGNORECASE,
)
_FIXED = re.compile(
    r"\b(?:was|were|is|are|been|got|now|claude|it|and|that|this) (?:\w+ly )?"
    r"(?:fixed|resolved|solved|repaired)\b"
    r"|\A\W*(?:fixed|resolved|solved)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Judges statements by what the ledger holds."""

    ledger: Ledger
    order: EventOrder

    def contradictions(self, text: str, evidence: Sequence[str]) -> tuple[str, ...]:
        """Return what the ledger says against `text`, in words for the model."""
        judges: tuple[tuple[re.Pattern[str], Callable[[Sequence[str]], str]], ...] = (
            (_PASS, self._tests),
            (_COMMITTED, lambda _: self._committed()),
            (_PUSHED, lambda _: self._ran(r"git\b.*\bpush|gh pr create", "push")),
            (_MERGED, lambda _: self._merged()),
            (_OPENED, lambda _: self._opened()),
            (_FIXED, self._fixed),
        )
        found = []
        # A pull request is none of the requests that make a sentence a wish.
        for sentence in _SENTENCES.split(re.sub(r"(?i)\bpull request", "PR", text)):
            for pattern, judge in judges:
                claim = pattern.search(sentence)
                if claim is not None and not _NOT_ASSERTED.search(sentence[: claim.end()]):
                    found.append(judge(evidence))
        return tuple(dict.fromkeys(reason for reason in found if reason))

    def solved(self, evidence: Sequence[str]) -> str:
        """Return what the ledger says against a problem being solved; empty if nothing."""
        return self._fixed(evidence)

    def _tests(self, evidence: Sequence[str]) -> str:
        runs = self.ledger.tests
        if not runs:
            return "no run of the tests is recorded"
        run = self._nearest(runs, evidence)
        if run.ok is False:
            return f"the run of the tests in {run.id} failed"
        return ""

    def _nearest(self, runs: Sequence[TestRun], evidence: Sequence[str]) -> TestRun:
        """Return the run that evidence speaks of: the last one cited, else the one before it.

        A result is cited as often as its call, so the call's next event counts as the run too.
        """
        if not evidence:
            return runs[-1]
        here = max(self.order.position(cited) for cited in evidence)
        told = [run for run in runs if self.order.position(run.id) <= here]
        after = [run for run in runs if self.order.position(run.id) > here]
        return told[-1] if told else after[0]

    def _committed(self) -> str:
        if self.ledger.commits:
            return ""
        return self._ran(
            r"git\b.*\bcommit|jj (?:commit|describe)|hg commit|svn (?:ci|commit)", "commit"
        )

    def _ran(self, pattern: str, what: str) -> str:
        """Return a reason unless a command that matches `pattern` may have succeeded."""
        commands = [command for command in self.ledger.commands if command.ok is not False]
        if any(re.search(pattern, command.command) for command in commands):
            return ""
        return f"no {what} is recorded"

    def _merged(self) -> str:
        if any("merge" in request.action.lower() for request in self.ledger.pull_requests):
            return ""
        return self._ran(r"git\b.*\b(?:merge|rebase|pull)|gh pr merge", "merge")

    def _opened(self) -> str:
        if self.ledger.pull_requests:
            return ""
        return self._ran(r"gh pr create|glab mr create|hub pull-request", "pull request")

    def _fixed(self, evidence: Sequence[str]) -> str:
        """Return a reason when nothing was done at all, or the tests that came after still fail."""
        ledger = self.ledger
        cited = [failure for failure in ledger.errors if failure.id in evidence]
        if any(failure.solved_by for failure in cited):
            return ""
        here = max((self.order.position(found) for found in evidence), default=-1)
        later = [run for run in ledger.tests if self.order.position(run.id) >= here]
        if later and all(run.ok is False for run in later):
            return f"the tests still fail in {later[-1].id}"
        if not (ledger.files or ledger.commands or ledger.commits or ledger.subagents):
            return "nothing was changed or run in this session"
        return ""
