"""A table row of the tests of summaries: what a runner prints, and what that says."""

from dataclasses import dataclass

from journald.ledger.counts import Counts


@dataclass(frozen=True)
class Summary:
    """Output of one runner, and the counts and the verdict that stand in it."""

    what: str
    output: str
    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    ok: bool | None = None

    @property
    def counts(self) -> Counts:
        return Counts(passed=self.passed, failed=self.failed, skipped=self.skipped, ok=self.ok)

    def __str__(self) -> str:
        return self.what
