"""The ledger of a session: every part of it found by code in the transcript."""

from __future__ import annotations

from datetime import datetime, tzinfo

from journald.ledger.changes import find_changes, known_paths
from journald.ledger.commands import find_commands
from journald.ledger.conversation import find_questions, find_requests, find_slash_commands
from journald.ledger.delegations import find_delegations
from journald.ledger.errors import find_errors
from journald.ledger.facts import Ledger
from journald.ledger.fetches import find_fetches
from journald.ledger.git import find_commits, find_pull_requests
from journald.ledger.moments import read_moments
from journald.ledger.tasks import find_tasks
from journald.ledger.tests import find_tests
from journald.ledger.timeline import Timeline, build_timeline
from journald.transcript.session import Event, EventKind, NoticeKind, Session


def build_ledger(session: Session, zone: tzinfo, *, now: datetime | None = None) -> Ledger:
    """Return what code alone can know of a session; days are those of a clock in `zone`.

    Times after `now`, where it is given, are taken for wrong ones.
    """
    moments = read_moments(session, now=now)
    timeline = build_timeline(session, moments)
    paths = known_paths(timeline, session.cwds)
    ran = find_commands(timeline)
    tests = find_tests(ran)
    return Ledger(
        session_id=session.session_id,
        started=moments.started,
        ended=moments.ended,
        wall=moments.wall,
        active=moments.active,
        days=moments.days(zone),
        requests=find_requests(timeline),
        slash_commands=find_slash_commands(timeline),
        commands=tuple(one.command for one in ran),
        files=find_changes(timeline, ran, paths),
        tests=tests,
        commits=find_commits(timeline, ran),
        pull_requests=find_pull_requests(session, timeline, ran),
        errors=find_errors(timeline, ran, tests, paths),
        fetched=find_fetches(timeline),
        subagents=find_delegations(session, timeline),
        questions=find_questions(timeline),
        tasks=find_tasks(timeline),
        refusals=sum(_refused(event) for event in _events(timeline)),
        interrupts=sum(event.notice is NoticeKind.INTERRUPT for event in _events(timeline)),
        compactions=sum(event.kind is EventKind.COMPACTION for event in session.events),
        models=session.models,
        usage=session.usage,
    )


def _events(timeline: Timeline) -> list[Event]:
    return [moment.event for moment in timeline.moments]


def _refused(event: Event) -> bool:
    return event.result is not None and event.result.rejected
