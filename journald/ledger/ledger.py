"""The ledger of a session: every part of it found by code in the transcript."""

from __future__ import annotations

from datetime import datetime, tzinfo

from journald.ledger.branches import find_git_acts
from journald.ledger.changes import find_changes, known_paths
from journald.ledger.commands import find_commands
from journald.ledger.commits import find_commits
from journald.ledger.conversation import find_questions, find_requests, find_slash_commands
from journald.ledger.delegations import find_delegations
from journald.ledger.errors import find_errors
from journald.ledger.facts import Ledger
from journald.ledger.fetches import find_fetches
from journald.ledger.folders import find_folders
from journald.ledger.moments import read_moments
from journald.ledger.pulls import find_pull_requests
from journald.ledger.refusals import (
    count_api_errors,
    count_interrupts,
    find_model_refusals,
    find_refusals,
)
from journald.ledger.shellchanges import find_shell_changes
from journald.ledger.solutions import Evidence
from journald.ledger.tasks import find_tasks
from journald.ledger.tests import find_tests
from journald.ledger.timeline import build_timeline
from journald.transcript.session import EventKind, Session


def build_ledger(session: Session, zone: tzinfo, *, now: datetime | None = None) -> Ledger:
    """Return what code alone can know of a session; days are those of a clock in `zone`.

    Times after `now`, where it is given, are taken for wrong ones.
    """
    moments = read_moments(session, now=now)
    timeline = build_timeline(session, moments)
    paths = known_paths(timeline, session.cwds)
    ran = find_commands(timeline)
    folders = find_folders(timeline, ran, paths, session.cwds)
    tests = find_tests(ran)
    commits = find_commits(ran)
    acts = find_git_acts(ran, commits)
    refused = find_refusals(timeline)
    retries, errors = count_api_errors(timeline)
    evidence = Evidence(
        commands=ran,
        tests=tests,
        commits=commits,
        acts=acts,
        folders=folders,
        order=timeline.order,
    )
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
        files=find_changes(timeline, ran, paths, folders),
        tests=tests,
        commits=commits,
        pull_requests=find_pull_requests(session, ran),
        errors=find_errors(timeline, evidence, paths),
        fetched=find_fetches(timeline),
        subagents=find_delegations(session, timeline),
        questions=find_questions(timeline),
        tasks=find_tasks(timeline),
        refusals=len(refused),
        interrupts=count_interrupts(timeline),
        compactions=sum(event.kind is EventKind.COMPACTION for event in session.events),
        models=session.models,
        usage=session.usage,
        shell_changes=find_shell_changes(ran),
        git_acts=acts,
        refused=refused,
        model_refusals=find_model_refusals(timeline),
        api_retries=retries,
        api_errors=errors,
    )
