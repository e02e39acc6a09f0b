"""Real transcripts through the whole summary, with the oracle for a model."""

from pathlib import Path

import pytest

from journald import config
from journald.digest.redact import Redactor
from journald.digest.render import build_digest
from journald.summary.narrative import Status
from journald.summary.pipeline import summarise, without_model
from journald.transcript.discovery import find_transcripts
from journald.transcript.reader import read_session
from tests.engines import oracle_engine, words
from tests.summary.evidence import ledger_of

SETTINGS = config.Settings(projects=(), notes_dir=Path("notes"), state_dir=Path("state"))


@pytest.mark.corpus
@pytest.mark.parametrize("window", [2600, 8192])
def test_every_real_session_is_summarised_within_the_window_and_nothing_honest_is_dropped(
    corpus: Path, window: int
) -> None:
    transcripts = find_transcripts(corpus)
    assert transcripts
    for path in transcripts:
        session = read_session(path)
        digest = build_digest(session, SETTINGS.digest, Redactor(), words)
        engine = oracle_engine(window=window)
        ledger = ledger_of(session)
        done = summarise(
            session, ledger, digest, engine, SETTINGS, Redactor(), sleep=lambda _: None
        )
        assert done.status is Status.COMPLETE, path
        scores = done.narrative.scores
        assert (scores.unknown_ids, scores.unfounded_spans) == (0, 0), path
        assert all(
            engine.prompt_tokens(prompt) + prompt.max_tokens <= window for prompt in engine.prompts
        ), path


@pytest.mark.corpus
def test_every_real_session_tells_itself_with_a_title_a_summary_and_evidence(corpus: Path) -> None:
    for path in find_transcripts(corpus):
        session = read_session(path)
        found = without_model(session, ledger_of(session), Redactor()).narrative
        known = {event.id for event in session.events}
        assert found.title, path
        assert "\n" not in found.title
        assert all(one.text.strip() for one in (*found.summary, *found.story)), path
        if session.events:
            assert found.summary, path
            assert all(one.evidence for one in (*found.summary, *found.story)), path
        assert {event for one in (*found.summary, *found.story) for event in one.evidence} <= known
