"""A session's report for a person: what was read, on one screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

_MOST = 12
_NAMES = 8
_WIDTH = 100
_KIB = 1024


def overview(report: Mapping[str, Any], zone: tzinfo | None) -> str:
    """Return what `build_report` made as text, with times in `zone` or in local time."""
    lines = [
        *_head(report, zone),
        *_section("Asked", report["requests"], lambda row: _said(row, row["text"], zone)),
        *_section("Files", report["files"], lambda row: _file(row, report["cwd"] or "")),
        *_section("Commands", report["commands"], lambda row: _ran(row, zone)),
        *_section("Tests", report["tests"], lambda row: _tested(row, zone)),
        *_section("Commits", report["commits"], _commit),
        *_section("Pull requests", report["pull_requests"], _pull_request),
        *_section("Errors", report["errors"], lambda row: _failed(row, zone)),
        *_section("Sub-agents", report["subagents"], _delegated),
        *_section("Fetched", report["fetched"], lambda row: row["url"] or f"“{row['query']}”"),
        "",
        *_reading(report),
    ]
    return "\n".join(lines)


def _head(report: Mapping[str, Any], zone: tzinfo | None) -> Iterator[str]:
    yield f"{report['project']}: {_short(report['title'] or 'untitled session')}"
    yield f"  session   {report['session_id']}  ({', '.join(report['versions']) or 'no version'})"
    if report["cwd"]:
        branch = f"  on {report['branch']}" if report["branch"] else ""
        yield f"  folder    {report['cwd']}{branch}"
    if report["started"]:
        started, ended = _local(report["started"], zone), _local(report["ended"], zone)
        active = f"{_span(report['active_seconds'])} active of {_span(report['wall_seconds'])}"
        yield f"  when      {started:%Y-%m-%d %H:%M} to {ended:%Y-%m-%d %H:%M}, {active}"
    if report["parent"]:
        yield f"  goes on from {report['parent']}, {report['inherited_events']} events left out"
    models = ", ".join(f"{name} ({count})" for name, count in report["models"].items())
    if models:
        yield f"  models    {models}"
        yield f"  tokens    {_tokens(report['tokens'])}"
    if report["tool_calls"]:
        yield f"  tools     {_most_used(report['tool_calls'])}"
    yield from _read(report["lines"])


def _tokens(tokens: Mapping[str, Any]) -> str:
    note = "" if tokens["output_reliable"] else " (output not recorded in full by this version)"
    return (
        f"{tokens['input']:,} in, {tokens['output']:,} out, {tokens['cache_read']:,} read from "
        f"and {tokens['cache_creation']:,} written to the cache{note}"
    )


def _read(lines: Mapping[str, Any]) -> Iterator[str]:
    yield f"  lines     {_lines(lines)}"
    if lines["types"]:
        yield f"  records   {_most_used(lines['types'])}"
    label = "not known"
    for version, kinds in _by_version(lines["unknown_kinds"]).items():
        yield f"  {label:<9} {version}: {_most_used(kinds)}"
        label = ""


def _by_version(kinds: Mapping[str, int]) -> Mapping[str, Mapping[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for name, count in kinds.items():
        version, _, kind = name.partition("/")
        found.setdefault(version, {})[kind or "?"] = count
    return found


def _most_used(counts: Mapping[str, int]) -> str:
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    shown = [f"{count:,} {name}" for name, count in ordered[:_NAMES]]
    if rest := [count for _, count in ordered[_NAMES:]]:
        shown.append(f"{sum(rest):,} of {len(rest)} others")
    return ", ".join(shown)


def _lines(lines: Mapping[str, Any]) -> str:
    parts = [f"{lines['total']:,} ({_size(lines['bytes'])})"]
    parts += [
        f"{lines[kind]:,} {kind}" for kind in ("broken", "recovered", "unknown") if lines[kind]
    ]
    if lines["skipped_bytes"]:
        parts.append(f"{_size(lines['skipped_bytes'])} skipped")
    if lines["elided_chars"]:
        parts.append(f"{lines['elided_chars']:,} characters of tools left out")
    if lines["truncated"]:
        parts.append("the last one not finished")
    return ", ".join(parts)


def _section(title: str, rows: Sequence[Any], show: Any) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield f"{title} ({len(rows)})"
    for row in rows[:_MOST]:
        yield f"  {show(row)}"
    if len(rows) > _MOST:
        yield f"  … and {len(rows) - _MOST} more; --json lists them all"


def _said(row: Mapping[str, Any], text: str, zone: tzinfo | None) -> str:
    return f"{_clock(row['at'], zone)}  {row['id']:<6} {_short(text)}"


def _file(row: Mapping[str, Any], folder: str) -> str:
    path = _below(row["path"], folder)
    return f"{row['change']:<8} {path}  +{row['added']} -{row['removed']}"


def _below(path: str, folder: str) -> str:
    """Return `path` as seen from `folder`; whole when it lies elsewhere."""
    rest = path.removeprefix(folder) if folder else path
    return rest[1:] if rest != path and rest.startswith(("/", "\\")) else path


def _ran(row: Mapping[str, Any], zone: tzinfo | None) -> str:
    failed = "" if row["ok"] is not False else f"  ✗ {_status(row)}"
    return _said(row, row["command"], zone) + failed


def _status(row: Mapping[str, Any]) -> str:
    return "failed" if row["exit_status"] is None else f"exit {row['exit_status']}"


def _tested(row: Mapping[str, Any], zone: tzinfo | None) -> str:
    counts = [f"{row[name]} {name}" for name in ("passed", "failed") if row[name] is not None]
    outcome = {True: "ok", False: "failed", None: "outcome unknown"}[row["ok"]]
    return f"{_said(row, row['command'], zone)}  {', '.join(counts) or outcome}"


def _commit(row: Mapping[str, Any]) -> str:
    return f"{row['hash'][:10]}  {_short(row['message'])}"


def _pull_request(row: Mapping[str, Any]) -> str:
    number = f"#{row['number']} " if row["number"] is not None else ""
    return f"{number}{row['action']}  {row['url']}".rstrip()


def _failed(row: Mapping[str, Any], zone: tzinfo | None) -> str:
    solved = f"  (solved in {row['solved_by']})" if row["solved_by"] else ""
    return f"{_said(row, row['tool'] + ': ' + row['text'], zone)}{solved}"


def _delegated(row: Mapping[str, Any]) -> str:
    kind = f"{row['kind']}: " if row["kind"] else ""
    return f"{kind}{_short(row['description'] or row['id'])}  ({row['events']} events)"


def _reading(report: Mapping[str, Any]) -> Iterator[str]:
    digest, plan = report["digest"], report["plan"]
    redactions = ", ".join(f"{count} {kind}" for kind, count in digest["redactions"].items())
    exact = "" if digest["tokens_exact"] else "about "
    yield (
        f"For the model: {exact}{digest['tokens']:,} tokens (events: {report['events']:,}, "
        f"characters left out: {digest['elided_chars']:,}, redacted: {redactions or 'nothing'})"
    )
    if plan["kind"] == "single":
        yield "Plan: one pass"
        return
    yield f"Plan: {len(plan['chunks'])} chunks"
    for chunk in plan["chunks"]:
        yield (
            f"  {chunk['first']} to {chunk['last']}, {chunk['tokens']:,} tokens  "
            f"{_short(chunk['topic'])}"
        )


def _local(moment: str, zone: tzinfo | None) -> datetime:
    return datetime.fromisoformat(moment).astimezone(zone)


def _clock(moment: str | None, zone: tzinfo | None) -> str:
    return f"{_local(moment, zone):%H:%M}" if moment else "     "


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _size(count: int) -> str:
    if count < _KIB:
        return f"{count} B"
    kib = count / _KIB
    return f"{kib:,.0f} KiB" if kib < _KIB else f"{kib / _KIB:,.1f} MiB"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"
