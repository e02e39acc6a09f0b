import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from journald import config
from journald.digest.redact import Redactor
from journald.engine.base import Failure, FailureReason, Prompt
from journald.errors import EngineDeadError
from journald.ledger.facts import TestRun
from journald.summary.narrative import Source, Standing, Status, Summary
from journald.summary.pipeline import summarise, without_model
from journald.transcript.session import Session
from tests.engines import (
    Answer,
    ScriptedEngine,
    is_narrative,
    oracle,
    oracle_engine,
    rejected,
    transient,
)
from tests.sessions import Script
from tests.summary.evidence import digest_of, ledger_of

SETTINGS = config.Settings(
    projects=(),
    notes_dir=Path("notes"),
    state_dir=Path("state"),
    engine=config.Engine(retry=config.Retry(attempts=3, wait=timedelta(seconds=1))),
    plan=config.Plan(note_tokens=300, narrative_tokens=500),
)
WINDOW = 2400


def short() -> Session:
    script = Script()
    script.user("Fix the total in cart.py, it is off by one")
    script.tool("Read", {"file_path": "cart.py"}, "def total(lines): return sum(lines[:-1])")
    script.bash("pytest -q", "41 passed")
    script.assistant("The slice dropped the last line; total now sums all lines.")
    return script.session()


def long(turns: int = 60) -> Session:
    """Return a session of many turns, each about a file of its own."""
    script = Script()
    for number in range(turns):
        script.user(f"Please write module_{number}.py so that it holds the part {number} of it")
        body = " ".join(f"line{number}n{word}" for word in range(40))
        script.tool("Write", {"file_path": f"src/module_{number}.py"}, f"wrote it {body}")
        script.assistant(f"The file module_{number}.py now holds what was asked for.")
    return script.session()


def run(
    session: Session, engine: ScriptedEngine, settings: config.Settings = SETTINGS, **facts: Any
) -> Summary:
    return summarise(
        session,
        ledger_of(session, **facts),
        digest_of(session),
        engine,
        settings,
        Redactor(),
        sleep=lambda _: None,
    )


def narrative(**more: Any) -> str:
    empty: dict[str, Any] = {
        "title": "The total of a cart",
        "summary": [{"text": "The user wanted the total fixed.", "evidence": ["e1"]}],
        "story": [{"text": "Claude read cart.py and ran the tests.", "evidence": ["e2", "e4"]}],
        "decisions": [],
        "problems": [],
        "lessons": [],
        "open_threads": [],
    }
    return json.dumps(empty | more)


def claim(text: str, *evidence: str) -> dict[str, Any]:
    return {"text": text, "evidence": [*evidence]}


def only(answer: Answer) -> Callable[[Prompt], Answer]:
    return lambda _: answer


def test_a_short_session_is_one_prompt_and_a_complete_narrative() -> None:
    engine = ScriptedEngine(only(narrative()))
    summary = run(short(), engine)
    assert len(engine.prompts) == 1
    assert (summary.status, summary.reason) == (Status.COMPLETE, "")
    assert summary.narrative.source is Source.MODEL
    assert summary.narrative.title == "The total of a cart"
    assert summary.narrative.story[0].evidence == ("e2", "e4")
    assert summary.narrative.scores.statements == summary.narrative.scores.kept == 2
    assert (summary.generation.plan, summary.generation.chunks) == ("single", 1)
    assert summary.generation.model == "scripted-1"
    assert summary.prompt_tokens == engine.prompt_tokens(engine.prompts[0])
    assert summary.output_tokens > 0


def test_a_long_session_is_read_in_one_batch_of_chunks_and_nothing_overflows_the_window() -> None:
    session = long()
    engine = oracle_engine(window=WINDOW)
    summary = run(session, engine)
    assert summary.status is Status.COMPLETE
    assert summary.generation.plan == "chunks"
    assert len(engine.history[0]) == summary.generation.chunks > 2
    assert all(
        engine.prompt_tokens(prompt) + prompt.max_tokens <= WINDOW for prompt in engine.prompts
    )
    assert [is_narrative(prompt) for prompt in engine.history[-1]] == [True]
    assert summary.narrative.scores.dropped == 0


def test_every_request_of_a_long_session_is_shown_to_the_model() -> None:
    session = long()
    engine = oracle_engine(window=WINDOW)
    run(session, engine)
    shown = "\n".join(prompt.user for prompt in engine.history[0])
    assert all(event.text in shown for event in session.events if event.origin)


def test_notes_that_outgrow_the_writer_are_merged_in_rounds() -> None:
    window = 1500
    engine = oracle_engine(window=window)
    summary = run(long(600), engine)
    assert summary.status is Status.COMPLETE
    assert summary.generation.rounds >= 2
    assert all(
        engine.prompt_tokens(prompt) + prompt.max_tokens <= window for prompt in engine.prompts
    )
    cited = {found for one in summary.narrative.story for found in one.evidence}
    numbers = [int(found[1:]) for found in cited]
    assert max(numbers) > 1600
    assert min(numbers) < 700


def test_an_empty_digest_needs_no_model() -> None:
    engine = ScriptedEngine([])
    session = Script().session()
    assert run(session, engine).generation.engine == "extractive"
    assert engine.history == []


def test_what_the_session_does_not_bear_out_is_asked_again_once_with_the_faults_named() -> None:
    lie = claim("Claude changed basket.py.", "e2")
    engine = ScriptedEngine([narrative(story=[lie]), narrative()])
    summary = run(short(), engine)
    assert len(engine.prompts) == 2
    assert "basket.py" in engine.prompts[1].user
    assert 'the path "basket.py" stands nowhere in the record' in engine.prompts[1].user
    assert engine.prompts[1].user.startswith(engine.prompts[0].user)
    assert summary.narrative.story[0].text == "Claude read cart.py and ran the tests."
    assert summary.narrative.scores.asked_again == 1
    assert summary.narrative.scores.dropped == 0


def test_what_still_does_not_hold_is_dropped_and_counted() -> None:
    story = [
        claim("Claude changed basket.py.", "e2"),
        claim("Claude read cart.py.", "e2"),
        claim("The user was pleased.", "e77"),
    ]
    engine = ScriptedEngine(only(narrative(story=story)))
    found = run(short(), engine).narrative
    assert [one.text for one in found.story] == ["Claude read cart.py."]
    assert (found.scores.dropped, found.scores.unknown_ids, found.scores.unfounded_spans) == (
        2,
        1,
        1,
    )


def test_what_still_does_not_hold_can_be_kept_and_marked_unless_it_has_no_evidence_at_all() -> None:
    settings = config.Settings(
        projects=(), notes_dir=Path(), state_dir=Path(),
        grounding=config.Grounding(unfounded="mark", ask_again=False),
    )  # fmt: skip
    story = [claim("Claude changed basket.py.", "e2"), claim("The user was pleased.", "e77")]
    engine = ScriptedEngine(only(narrative(story=story)))
    found = run(short(), engine, settings).narrative
    assert [(one.text, one.standing) for one in found.story] == [
        ("Claude changed basket.py.", Standing.UNVERIFIED)
    ]
    assert (found.scores.unverified, found.scores.dropped) == (1, 1)
    assert len(engine.prompts) == 1


def test_an_outcome_that_the_ledger_contradicts_is_never_printed() -> None:
    failing = TestRun(
        id="e4", at=None, command="pytest", runner="pytest", passed=1, failed=2, ok=False
    )
    story = [claim("All tests pass.", "e4"), claim("Claude ran the tests.", "e4")]
    problem = {
        "symptom": "The total was off.", "cause": "", "fix": "", "solved": "yes", "evidence": ["e4"],
    }  # fmt: skip
    engine = ScriptedEngine(only(narrative(story=story, problems=[problem])))
    found = run(short(), engine, tests=(failing,)).narrative
    assert [one.text for one in found.story] == ["Claude ran the tests."]
    assert found.problems[0].solved is None
    assert found.scores.contradicted == 2


def test_a_detail_that_does_not_hold_goes_and_the_decision_stays() -> None:
    decision = {
        "decision": "Sum all lines.", "reason": "because slice_helper said so",
        "alternatives": "keep the slice", "evidence": ["e6"],
    }  # fmt: skip
    found = run(short(), ScriptedEngine(only(narrative(decisions=[decision])))).narrative
    assert found.decisions[0].decision.text == "Sum all lines."
    assert (found.decisions[0].reason, found.decisions[0].alternatives) == ("", "keep the slice")


def test_a_title_that_does_not_hold_gives_way_to_the_first_request() -> None:
    found = run(short(), ScriptedEngine(only(narrative(title="Repair of basket.py")))).narrative
    assert found.title.startswith("Fix the total in cart.py")
    assert found.source is Source.MIXED


def test_what_the_model_writes_is_redacted_and_made_inert() -> None:
    key = "ghp_" + "a1B2c3D4e5" * 4
    script = Script()
    script.user(f"My key is {key}, use it <b>now</b> in cart.py")
    script.assistant("I did.")
    story = [claim(f"The user gave {key} <img src=x> and <!-- journald:end -->.", "e1")]
    engine = ScriptedEngine(only(narrative(story=story)))
    session = script.session()
    found = run(session, engine).narrative
    assert key not in str(found)
    assert "<!--" not in str(found.story)
    assert r"\<img" in found.story[0].text


def test_a_secret_never_reaches_the_model_in_the_facts_either() -> None:
    key = "ghp_" + "a1B2c3D4e5" * 4
    script = Script()
    script.user("x " * 140 + key)
    session = script.session()
    engine = ScriptedEngine(only(narrative()))
    summarise(
        session, ledger_of(session), digest_of(short()), engine, SETTINGS, Redactor(),
        sleep=lambda _: None,
    )  # fmt: skip
    assert engine.prompts
    assert key[:12] not in "".join(prompt.user for prompt in engine.prompts)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "<think>hm</think>",
        "I cannot do that.",
        '{"title": "The tot',
        narrative(summary=[], story=[]),
        narrative(story=[claim("Say only what the evidence says. Copy names, paths, numbers and "
                               "hashes exactly as they stand there", "e1")]),
        narrative(story=[claim("Claude read it.", "e2")] * 12),
        narrative(story=[claim("这" * 60, "e2")]),
    ],
)  # fmt: skip
def test_an_answer_that_is_unusable_as_a_whole_never_becomes_an_entry(answer: str) -> None:
    summary = run(short(), ScriptedEngine(only(answer)))
    assert summary.status is Status.NARRATIVE_PENDING
    assert summary.reason
    assert summary.narrative.source is Source.EXTRACTIVE
    assert summary.narrative.summary[0].standing is Standing.QUOTED
    assert "slice dropped" in summary.narrative.summary[0].text


def test_a_session_that_fails_in_one_pass_is_read_in_chunks() -> None:
    def respond(prompt: Prompt) -> str:
        return "no" if "record of the session" in prompt.system else oracle(prompt)

    summary = run(long(10), ScriptedEngine(respond))
    assert (summary.status, summary.generation.plan) == (Status.COMPLETE, "chunks")


def test_a_chunk_that_fails_for_good_is_told_in_its_own_words_and_the_rest_by_the_model() -> None:
    def respond(prompt: Prompt) -> Answer:
        if not is_narrative(prompt) and "module_3.py" in prompt.user.split("<<<record")[1]:
            return rejected("not this one")
        return oracle(prompt)

    engine = ScriptedEngine(respond, window=WINDOW)
    summary = run(long(), engine)
    assert summary.status is Status.NARRATIVE_PENDING
    assert "not this one" in summary.reason
    assert summary.narrative.source is Source.MIXED
    assert "module_3.py" in engine.history[-1][0].user.split("<<<notes")[1]


def test_a_chunk_that_is_too_long_for_the_engine_is_read_in_halves_without_loss() -> None:
    def respond(prompt: Prompt) -> Answer:
        if not is_narrative(prompt) and len(prompt.user.split()) > 900:
            return Failure(reason=FailureReason.TOO_LONG, message="too long")
        return oracle(prompt)

    engine = ScriptedEngine(respond, window=WINDOW)
    session = long()
    summary = run(session, engine)
    assert summary.status is Status.COMPLETE
    sent = [prompt.user for prompt in engine.prompts]
    assert len(sent) == len(set(sent))


def test_when_every_chunk_fails_the_session_tells_itself() -> None:
    summary = run(long(), ScriptedEngine(only(transient("the card is busy")), window=WINDOW))
    assert summary.status is Status.NARRATIVE_PENDING
    assert "the card is busy" in summary.reason
    assert summary.narrative.source is Source.EXTRACTIVE


def test_a_synthesis_that_fails_leaves_the_session_to_tell_itself() -> None:
    def respond(prompt: Prompt) -> Answer:
        return rejected("no synthesis") if is_narrative(prompt) else oracle(prompt)

    summary = run(long(), ScriptedEngine(respond, window=WINDOW))
    assert (summary.status, summary.reason) == (Status.NARRATIVE_PENDING, "no synthesis")
    assert len(summary.narrative.story) > 10


def test_a_merge_that_fails_keeps_what_weighs_most() -> None:
    def respond(prompt: Prompt) -> Answer:
        return rejected("no merge") if "You merge notes" in prompt.system else oracle(prompt)

    summary = run(long(400), ScriptedEngine(respond, window=WINDOW))
    assert summary.status is Status.NARRATIVE_PENDING
    assert summary.narrative.source is Source.MODEL
    assert summary.narrative.scores.notes_left_out > 0


def test_notes_that_do_not_hold_are_kept_from_the_writer_and_counted() -> None:
    def respond(prompt: Prompt) -> Answer:
        if is_narrative(prompt):
            return oracle(prompt)
        notes = json.loads(oracle(prompt))
        lie = {
            "what": "Claude wrote invented_file.py",
            "why": "",
            "outcome": "",
            "evidence": ["e2"],
        }
        return json.dumps(notes | {"events": [*notes["events"], lie]})

    engine = ScriptedEngine(respond, window=WINDOW)
    summary = run(long(), engine)
    assert "invented_file" not in engine.history[-1][0].user
    assert summary.narrative.scores.notes_dropped == summary.generation.chunks


def test_a_window_too_small_for_any_evidence_is_a_reason_not_a_crash() -> None:
    summary = run(short(), oracle_engine(window=300))
    assert summary.status is Status.NARRATIVE_PENDING
    assert "window" in summary.reason


def test_a_dead_engine_is_the_one_failure_that_comes_out() -> None:
    with pytest.raises(EngineDeadError):
        run(short(), ScriptedEngine(only(EngineDeadError("gone"))))


def test_the_reason_for_a_pending_narrative_holds_no_words_of_the_session() -> None:
    summary = run(short(), ScriptedEngine(only("total cart slice")))
    assert not {"cart", "slice", "total"} & set(summary.reason.split())


def test_without_a_model_the_summary_says_so() -> None:
    session = short()
    done = without_model(session, ledger_of(session), Redactor())
    assert (done.status, done.generation.engine, done.generation.plan) == (
        Status.COMPLETE, "extractive", "none",
    )  # fmt: skip
    pending = without_model(session, ledger_of(session), Redactor(), reason="busy", pending=True)
    assert (pending.status, pending.reason) == (Status.NARRATIVE_PENDING, "busy")
