"""Rules between settings, which no single setting can break by itself."""

from __future__ import annotations

import math
import os.path
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from journald.config.duration import format_duration
from journald.config.outline import settings_of
from journald.config.settings import Settings

_SHORTEST = timedelta(seconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """A rule that is broken."""

    settings: tuple[str, ...]
    """Dotted paths of what it rests on; the first is the one to change."""
    problem: str


def broken_rules(settings: Settings) -> Iterator[Broken]:
    """Yield every rule that `settings` break."""
    yield from _folders(settings)
    yield from _orders(settings)
    yield from _shortest(settings)
    yield from _vllm(settings)
    yield from _patterns(settings)


def _folders(settings: Settings) -> Iterator[Broken]:
    notes, state = settings.notes_dir, settings.state_dir
    if not settings.projects:
        yield Broken(settings=("projects",), problem="names no folder: nothing would be journaled")
    places = [("notes_dir", notes), ("state_dir", state)]
    for project in settings.projects:
        # journald would watch its own writing, and Claude Code sweeps its folders.
        for name, folder in places:
            yield from _apart((name, folder), ("projects", project))
            if folder != project:
                yield from _apart(("projects", project), (name, folder))
    # Note apps read and sync all of the notes folder.
    yield from _apart(places[1], places[0])
    if notes != state:
        yield from _apart(places[0], places[1])


def _apart(inner: tuple[str, Path], outer: tuple[str, Path]) -> Iterator[Broken]:
    name, folder = inner
    other, root = outer
    if Path(os.path.normpath(folder)).is_relative_to(os.path.normpath(root)):
        yield Broken(settings=(name, other), problem=f"{folder} lies in {other} ({root})")


def _orders(settings: Settings) -> Iterator[Broken]:
    plan, idle, queue, retry = settings.plan, settings.idle, settings.queue, settings.engine.retry
    if plan.chunk_tokens_least > plan.chunk_tokens:
        yield Broken(
            settings=("plan.chunk_tokens_least", "plan.chunk_tokens"),
            problem=f"{plan.chunk_tokens_least} is more than chunk_tokens ({plan.chunk_tokens})",
        )
    for table, name, shorter, longer_name, longer in (
        ("idle", "after", idle.after, "pending_after", idle.pending_after),
        ("queue", "wait", queue.wait, "wait_at_most", queue.wait_at_most),
        ("engine.retry", "wait", retry.wait, "wait_at_most", retry.wait_at_most),
    ):
        if shorter > longer:
            limit = f"{longer_name} ({format_duration(longer)})"
            yield Broken(
                settings=(f"{table}.{name}", f"{table}.{longer_name}"),
                problem=f"{format_duration(shorter)} is longer than {limit}",
            )


def _shortest(settings: Settings) -> Iterator[Broken]:
    for path, duration in (
        ("idle.after", settings.idle.after),
        ("idle.scan_every", settings.idle.scan_every),
        ("engine.vllm.batch_timeout", settings.engine.vllm.batch_timeout),
    ):
        if duration < _SHORTEST:
            yield Broken(settings=(path,), problem=f"must be at least {format_duration(_SHORTEST)}")


def _vllm(settings: Settings) -> Iterator[Broken]:
    vllm = settings.engine.vllm
    for name in vllm.args:
        if name in settings_of(type(vllm)):
            problem = f"{name} has a setting of its own, engine.vllm.{name}"
            yield Broken(settings=("engine.vllm.args",), problem=problem)
    for name in ("gpu_memory_utilization", "temperature", "top_p", "presence_penalty"):
        if not math.isfinite(getattr(vllm, name)):
            yield Broken(settings=(f"engine.vllm.{name}",), problem="must be a finite number")


def _patterns(settings: Settings) -> Iterator[Broken]:
    for name, pattern in settings.redact.patterns.items():
        path = f"redact.patterns.{name}"
        try:
            expression = re.compile(pattern)
        except re.error as error:
            yield Broken(settings=(path,), problem=f"not a regular expression: {error}")
            continue
        if expression.match(""):
            problem = "matches where there is nothing, so it would match everywhere"
            yield Broken(settings=(path,), problem=problem)
