"""The pipeline: map → reduce → narrative → grounding, with an engine; and without one.

The one room of the summary that drives the engine. Whatever fails but a dead engine ends in an
entry all the same: in the session's own words, part by part or as a whole.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from journald.config import Settings
from journald.digest.defuse import defuse
from journald.digest.evidence import Digest
from journald.digest.redact import Redactor
from journald.engine.base import Engine, Prompt
from journald.errors import EngineDeadError, EngineError
from journald.ledger.facts import Ledger
from journald.summary import extractive, prompts
from journald.summary.grounding import Index
from journald.summary.narrative import Generation, Source, Status, Summary
from journald.summary.plan import Plan, make_plan
from journald.summary.prompts import PROMPTS_VERSION
from journald.summary.reading import Part, Reader, parts
from journald.summary.reducing import Reduced, Reducer
from journald.summary.retry import Asker
from journald.summary.schema import NARRATIVE_SCHEMA
from journald.summary.state import HEADER_TOKENS, Header
from journald.summary.verdict import Judge
from journald.summary.writing import Written, assemble, from_notes, from_record, grounded
from journald.transcript.session import Session

logger = structlog.get_logger(__name__)

# What stands around the evidence in a prompt: fences, the part's number, what is asked.
_FRAME_TOKENS = 160
_HEADER_SHARE = 20


def without_model(
    session: Session,
    ledger: Ledger,
    redactor: Redactor,
    *,
    reason: str = "",
    pending: bool = False,
) -> Summary:
    """Summarise a session in its own words; `redactor` knows its texts.

    `pending` tells that a model was meant to do it and could not yet; `reason` says why.
    """
    return Summary(
        narrative=extractive.narrate(session, ledger, redactor),
        generation=Generation(engine="extractive", model="", prompts=PROMPTS_VERSION, plan="none"),
        status=Status.NARRATIVE_PENDING if pending else Status.COMPLETE,
        reason=reason,
    )


def summarise(  # noqa: PLR0913 - every stage of the road hands in its part
    session: Session,
    ledger: Ledger,
    digest: Digest,
    engine: Engine,
    settings: Settings,
    redactor: Redactor,
    *,
    sleep: Callable[[float], None] = time.sleep,
    progress: Callable[[], None] = lambda: None,
) -> Summary:
    """Summarise a session with a model.

    Raises EngineDeadError only; every other failure of the engine becomes text of the session's
    own and Status.NARRATIVE_PENDING.
    """
    begun = time.monotonic()
    asker = Asker(engine, settings.engine.retry, sleep=sleep, progress=progress)
    run = _Run(session, ledger, digest, asker, settings, redactor)
    try:
        summary = run.summary()
    except EngineDeadError:
        raise
    except EngineError as error:
        summary = run.pending(str(error))
    return replace(
        summary,
        seconds=time.monotonic() - begun,
        prompt_tokens=asker.prompt_tokens,
        output_tokens=asker.output_tokens,
    )


class _Run:
    """One session on its way through the pipeline."""

    def __init__(
        self,
        session: Session,
        ledger: Ledger,
        digest: Digest,
        asker: Asker,
        settings: Settings,
        redactor: Redactor,
    ) -> None:
        self._session = session
        self._ledger = ledger
        self._digest = digest
        self._asker = asker
        self._settings = settings
        self._redactor = redactor
        index = Index(session, ledger, (item.text for item in digest.items))
        self._judge = Judge(index, redactor.clean, settings.grounding.unfounded)
        self._header = Header(
            ledger=ledger,
            order=index.order,
            redact=lambda found: defuse(redactor.clean(found)),
            count=asker.engine.count,
            room=min(HEADER_TOKENS, asker.engine.capacity.window // _HEADER_SHARE),
        )

    def summary(self) -> Summary:
        """Take the session down the road. Raises EngineError."""
        if not self._digest.items:
            return without_model(self._session, self._ledger, self._redactor)
        plan = self._plan()
        if plan.kind == "single":
            question = from_record(self._header.whole(), plan.items, plan.budget.narrative_tokens)
            report = self._asker.ask([question])
            if report.answers:
                return self._finished(plan, (), Reduced(), report.answers[0][1])
            logger.info("single_pass_failed", reason=report.given_up[0].reason)
            plan = self._plan(chunks_only=True)
        return self._in_chunks(plan)

    def _in_chunks(self, plan: Plan) -> Summary:
        facts, key_events = self._header.whole(), _key_events(self._ledger)
        reader = Reader(plan, self._header, self._asker.engine.count)
        report = self._asker.ask(reader.questions())
        read = parts(report, key_events)
        reducer = Reducer(self._asker, self._judge, plan.budget, facts, key_events)
        reduced = reducer.reduce(read)
        failures = (*(given_up.reason for given_up in report.given_up), *reduced.failures)
        reduced = replace(reduced, failures=failures)
        if not any(part.by_model for part in read) or not reduced.notes:
            return self.pending(_told(failures) or "no note of the model holds")
        question = from_notes(
            facts,
            reduced.notes,
            reduced.left_out,
            plan.budget.narrative_tokens,
            self._asker.engine.count,
        )
        synthesis = self._asker.ask([question])
        if not synthesis.answers:
            return self.pending(_told([synthesis.given_up[0].reason]))
        return self._finished(plan, read, reduced, synthesis.answers[0][1])

    def pending(self, reason: str) -> Summary:
        """Return the summary in the session's own words, to be done again."""
        logger.warning("narrative_pending", session_id=self._session.session_id, reason=reason)
        return without_model(
            self._session, self._ledger, self._redactor, reason=reason, pending=True
        )

    def _plan(self, *, chunks_only: bool = False) -> Plan:
        engine = self._asker.engine
        frames = [
            Prompt(system=system, user="", max_tokens=1, schema=NARRATIVE_SCHEMA)
            for system in prompts.SYSTEMS
        ]
        frame = max(engine.prompt_tokens(prompt) for prompt in frames)
        return make_plan(
            self._digest,
            self._settings.plan,
            engine.capacity.window,
            prompt_tokens=frame + _FRAME_TOKENS + self._header.room,
            count=engine.count,
            chunks_only=chunks_only,
        )

    def _finished(
        self, plan: Plan, read: Sequence[Part], reduced: Reduced, written: Written
    ) -> Summary:
        """Ground what the model wrote, and put the summary together."""
        again = self._settings.grounding.ask_again
        verdict = grounded(written, self._judge, self._asker, ask_again=again)
        own = extractive.narrate(self._session, self._ledger, self._redactor)
        narrative = assemble(verdict, own)
        if narrative is None:
            return self.pending("nothing that the model wrote is borne out by the session")
        scores = replace(
            verdict.scores, notes_dropped=reduced.dropped, notes_left_out=reduced.left_out
        )
        failed = bool(reduced.failures)
        mixed = any(not part.by_model for part in read)
        return Summary(
            narrative=replace(
                narrative, scores=scores, source=Source.MIXED if mixed else narrative.source
            ),
            generation=Generation(
                engine=self._asker.engine.name,
                model=self._asker.engine.model,
                prompts=PROMPTS_VERSION,
                plan=plan.kind,
                chunks=len(plan.chunks),
                rounds=reduced.rounds,
            ),
            status=Status.NARRATIVE_PENDING if failed else Status.COMPLETE,
            reason=_told(reduced.failures),
        )


def _told(failures: Sequence[str]) -> str:
    """Return why parts failed, each reason once with its number."""
    counted = Counter(failures)
    return "; ".join(
        f"{reason} ({number} times)" if number > 1 else reason for reason, number in counted.items()
    )


def _key_events(ledger: Ledger) -> frozenset[str]:
    """Return the events that the ledger knows; notes on them are kept before others."""
    return frozenset(
        [
            *(request.id for request in ledger.requests),
            *(found for file in ledger.files for found in file.ids),
            *(run.id for run in ledger.tests),
            *(commit.id for commit in ledger.commits),
            *(failure.id for failure in ledger.errors),
            *(question.id for question in ledger.questions),
        ]
    )
