"""Synthesis: the narrative written by the model, held against the session, mended once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from journald.digest.evidence import Item
from journald.engine.base import Completion, Prompt
from journald.summary import answers, prompts
from journald.summary.merge import Note, text
from journald.summary.narrative import Narrative, Source
from journald.summary.reducing import lighter
from journald.summary.retry import Asker, Question
from journald.summary.schema import Draft
from journald.summary.verdict import Judge, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A draft, and the prompt that brought it about."""

    draft: Draft
    prompt: Prompt


def from_record(facts: str, items: tuple[Item, ...], max_tokens: int) -> Question[Written]:
    """Ask for the narrative in a single pass; smaller is the business of chunks."""
    prompt = prompts.single_prompt(facts, items, max_tokens=max_tokens)
    return Question(prompt=prompt, read=_reader(prompt), smaller=tuple)


def from_notes(
    facts: str,
    notes: tuple[Note, ...],
    left_out: int,
    max_tokens: int,
    count: Callable[[str], int],
) -> Question[Written]:
    """Ask for the narrative, from notes; smaller means without those that weigh least."""
    prompt = prompts.narrative_prompt(facts, text(notes, left_out), max_tokens=max_tokens)

    def smaller() -> tuple[Question[Written], ...]:
        fewer = lighter(notes, count)
        if not fewer:
            return ()
        lost = left_out + len(notes) - len(fewer)
        return (from_notes(facts, fewer, lost, max_tokens, count),)

    return Question(prompt=prompt, read=_reader(prompt), smaller=smaller)


def _reader(prompt: Prompt) -> Callable[[Completion], Written]:
    def read(completion: Completion) -> Written:
        return Written(draft=answers.read(completion, Draft, prompt), prompt=prompt)

    return read


def grounded(written: Written, judge: Judge, asker: Asker, *, ask_again: bool) -> Verdict:
    """Hold a draft against the session; have it mended once where it does not hold.

    Of the two drafts the one with more statements that hold is taken. Raises EngineDeadError.
    """
    verdict = judge.judge(written.draft)
    prompt = _mending_prompt(written.prompt, verdict, asker) if ask_again else None
    if prompt is None:
        return verdict
    question = Question(prompt=prompt, read=_reader(prompt), smaller=tuple)
    report = asker.ask([question])
    mended = judge.judge(report.answers[0][1].draft) if report.answers else verdict
    better = mended if mended.sound >= verdict.sound else verdict
    return replace(better, scores=replace(better.scores, asked_again=1))


def _mending_prompt(prompt: Prompt, verdict: Verdict, asker: Asker) -> Prompt | None:
    """Return the prompt that names the faults, as many as fit; None when there are none."""
    for number in range(len(verdict.faults), 0, -1):
        asked = prompts.mending_request(verdict.faults[:number])
        mending = replace(prompt, user=f"{prompt.user}\n\n{asked}", seed=prompt.seed + 1)
        if asker.fits(mending):
            return mending
    return None


def assemble(verdict: Verdict, own: Narrative) -> Narrative | None:
    """Return the narrative; where nothing the model said holds, the session's own words stand.

    None when neither summary nor story of the model holds.
    """
    if not (verdict.summary or verdict.story):
        return None
    whole = bool(verdict.summary and verdict.story and verdict.title)
    return Narrative(
        source=Source.MODEL if whole else Source.MIXED,
        title=verdict.title or own.title,
        summary=verdict.summary or own.summary,
        story=verdict.story or own.story,
        decisions=verdict.decisions,
        problems=verdict.problems,
        lessons=verdict.lessons,
        open_threads=verdict.open_threads,
        scores=verdict.scores,
    )
