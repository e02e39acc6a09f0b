"""How each tool's call and result read in a digest: one line, and what is quoted under it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from journald.digest import diffs
from journald.digest.pen import Pen
from journald.digest.use import Told, Use, arrow, plural

# A command that only lists files; one that does anything besides is none.
_LISTING = re.compile(
    r"\s*(?:cd [^\n;&|]+&& *)?(?:ls|find|tree|du|git ls-files)\b[^\n;&|`$]*"
    r"(?:\| *(?:sort|head|uniq)\b[^\n;&|`$]*)*"
)
_NUMBERED = re.compile(r"^\s*(?:[^\s:]+:)?\d+[:\u2192-]", re.MULTILINE)

_FEW_NAMES = 8
_NAMES_SIZE = 300
_ARGUMENT = 160
_MARKS = {"completed": "x", "in_progress": ">", "pending": " "}


def _exit_status(use: Use) -> str:
    status = use.details.get("exitCode", use.details.get("exit_code"))
    if use.exit_status is not None:
        return f"exit {use.exit_status}"
    if isinstance(status, int) and status:
        return f"exit {status}"
    if use.details.get("interrupted"):
        return "interrupted"
    if use.details.get("backgroundTaskId"):
        return "in the background"
    return use.outcome() or "ok"


def _shell(use: Use) -> Told:
    command = use.pen.command(use.input.get("command"))
    command = use.pen.cut(command, use.settings.command * 2 // 3, use.settings.command // 3)
    status = _exit_status(use)
    interpreted = use.pen.line(use.details.get("returnCodeInterpretation"))
    outcome = f"{status} ({interpreted})" if interpreted else status
    if "\n" in command:
        line = f"{use.name}:\n{command}\n→ {outcome}"
    else:
        line = f"{use.name}: {command} → {outcome}"
    return Told(line=line, body=_printed(use))


def _printed(use: Use) -> str:
    """Return what a command printed; of a mere listing less than of anything else."""
    text = use.pen.output(use.printed)
    if use.result is None or (use.result.result and use.result.result.rejected):
        return ""
    if use.failed:
        return use.pen.cut(text, use.settings.error_head, use.settings.error_tail)
    head, tail = use.settings.result_head, use.settings.result_tail
    if _LISTING.fullmatch(str(use.input.get("command", ""))):
        head, tail = head // 3, tail // 3
    return use.pen.cut(text, head, tail)


def _background(use: Use) -> Told:
    task = use.details.get("task")
    status = task if isinstance(task, Mapping) else use.details
    code = status.get("exitCode")
    words = (use.pen.line(status.get("status")), f"exit {code}" if isinstance(code, int) else "")
    outcome = ", ".join(word for word in words if word) or use.outcome()
    name = use.get("task_id", "bash_id", "shell_id")
    return Told(line=arrow(f"{use.name}: {name}", outcome), body=use.quoted())


def _diff_of_input(use: Use) -> str:
    edits = use.input.get("edits")
    pairs = edits if isinstance(edits, Sequence) and not isinstance(edits, str) else [use.input]
    parts = [
        diffs.between(str(edit.get("old_string", "")), str(edit.get("new_string", "")))
        for edit in pairs
        if isinstance(edit, Mapping)
    ]
    return "\n".join(part for part in parts if part)


def _changed(use: Use, diff: str, *, note: str = "") -> Told:
    path = use.pen.path(use.input.get("file_path") or use.input.get("notebook_path"))
    line = f"{use.name}: {path}{f' ({note})' if note else ''}"
    if outcome := use.outcome():
        line = arrow(line, outcome)
        return Told(line=line, body=use.failure(), paths=(path,))
    size = use.settings.diff
    body = use.pen.cut(use.pen.output(diff), size * 2 // 3, size // 3)
    return Told(line=line, body=body, paths=(path,))


def _edit(use: Use) -> Told:
    diff = diffs.from_patch(use.details.get("structuredPatch")) or _diff_of_input(use)
    added, removed = diffs.counts(diff)
    note = f"+{added} -{removed}"
    return _changed(
        use, diff, note=f"{note}, edited by the user" if use.details.get("userModified") else note
    )


def _write(use: Use) -> Told:
    patch = diffs.from_patch(use.details.get("structuredPatch"))
    if patch:
        added, removed = diffs.counts(patch)
        return _changed(use, patch, note=f"+{added} -{removed}")
    content = str(use.input.get("content", use.input.get("new_source", "")))
    kind = "new, " if use.details.get("type") == "create" else ""
    return _changed(use, content, note=f"{kind}{plural(len(content.splitlines()), 'line')}")


def _read(use: Use) -> Told:
    path = use.pen.path(use.input.get("file_path"))
    start, count = use.input.get("offset"), use.input.get("limit")
    where = ""
    if isinstance(start, int) or isinstance(count, int):
        first = start if isinstance(start, int) and start else 1
        where = f":{first}-{first + count - 1}" if isinstance(count, int) else f":{first}-"
    pages = use.get("pages")
    line = f"{use.name}: {path}{where}{f' pages {pages}' if pages else ''}"
    if not use.failed:
        use.pen.elided += len(use.text)
    return Told(line=arrow(line, use.outcome()), body=use.failure(), paths=(path,))


def _names(use: Use, names: Sequence[str]) -> str:
    few = ", ".join(use.pen.path(name) for name in names[:_FEW_NAMES])
    more = len(names) - _FEW_NAMES
    return use.pen.cut_line(few, _NAMES_SIZE) + (f", … {more} more" if more > 0 else "")


def _is_name(line: str) -> bool:
    return bool(line.strip()) and not line.startswith(
        ("Found ", "No files", "No matches", "(Results")
    )


def _search(use: Use) -> Told:
    where = use.pen.path(use.input.get("path"))
    filters = [use.get("glob"), use.get("type")]
    line = f"{use.name}: {use.pen.cut_line(use.get('pattern'), use.settings.command)}"
    if scope := " ".join(part for part in (where, *filters) if part):
        line = f"{line} in {scope}"
    if use.failed or use.outcome():
        return Told(line=arrow(line, use.outcome()), body=use.failure())
    lines = [text for text in use.text.splitlines() if _is_name(text)]
    if not lines:
        return Told(line=f"{line} → nothing found")
    noun = "match" if _NUMBERED.search("\n".join(lines[:3])) else "file"
    count = (
        f"{len(lines)} {noun if len(lines) == 1 else {'match': 'matches', 'file': 'files'}[noun]}"
    )
    return Told(line=f"{line} → {count}: {_names(use, lines)}")


def _fetch(use: Use) -> Told:
    line = f"{use.name}: {use.pen.cut_line(use.get('url', 'query'), use.settings.command)}"
    if "\nLinks: [" in use.text:
        return Told(line=arrow(line, use.outcome()), body=_found(use))
    code = use.details.get("code")
    outcome = use.outcome() or (str(code) if isinstance(code, int) else "")
    return Told(line=arrow(line, outcome), body=use.quoted())


def _found(use: Use) -> str:
    """Return a web search's result with its list of links written short."""
    before, _, rest = use.text.partition("\nLinks: ")
    listed, _, after = rest.partition("\n")
    try:
        links = json.loads(listed)
    except ValueError:
        return use.quoted()
    found = [link for link in links if isinstance(link, Mapping)] if isinstance(links, list) else []
    pages = [
        f"- {use.pen.line(link.get('title'))} {use.pen.line(link.get('url'))}"
        for link in found[:_FEW_NAMES]
    ]
    if len(found) > _FEW_NAMES:
        pages.append(f"- … {len(found) - _FEW_NAMES} more")
    head, tail = use.settings.result_head, use.settings.result_tail
    told = use.pen.output(after) if after.strip() else use.pen.output(before)
    return "\n".join([*pages, use.pen.cut(told.lstrip("\n"), head, tail)]).rstrip("\n")


def _delegate(use: Use) -> Told:
    kind = use.get("subagent_type")
    line = (
        f"{use.name}{f' ({kind})' if kind else ''}: {use.get('description') or use.get('prompt')}"
    )
    line = use.pen.cut_line(line, use.settings.command)
    outcome = use.outcome() or (
        "in the background" if use.details.get("status") == "async_launched" else ""
    )
    line = arrow(line, ", ".join(part for part in (outcome, use.report) if part))
    if outcome == "in the background":
        return Told(line=line)
    text = use.pen.output(use.text)
    return Told(line=line, body=use.pen.cut(text, use.settings.error_head, use.settings.error_tail))


def _todos(use: Use) -> Told:
    todos = use.input.get("todos")
    parts = []
    for todo in todos if isinstance(todos, Sequence) and not isinstance(todos, str) else ():
        if isinstance(todo, Mapping):
            state = _MARKS.get(str(todo.get("status")), "?")
            parts.append(f"[{state}] {use.pen.line(todo.get('content'))}")
        elif isinstance(todo, str):
            parts.append(use.pen.line(todo))
    line = use.pen.cut_line("; ".join(parts), use.settings.command)
    return Told(line=arrow(f"{use.name}: {line}", use.outcome()), body=use.failure())


def _task(use: Use) -> Told:
    number = use.get("taskId", "task_id")
    change = use.details.get("statusChange")
    status = use.get("status")
    if isinstance(change, Mapping):
        status = f"{change.get('from')} → {change.get('to')}"
    words = (f"#{number}" if number else "", status, use.get("subject"))
    line = use.pen.cut_line(" ".join(word for word in words if word), use.settings.command)
    return Told(line=arrow(f"{use.name}: {line}", use.outcome()), body=use.failure())


def _question(question: Mapping[str, Any], pen: Pen) -> str:
    options = question.get("options")
    labels = [
        pen.line(option.get("label")) if isinstance(option, Mapping) else pen.line(option)
        for option in (
            options if isinstance(options, Sequence) and not isinstance(options, str) else ()
        )
    ]
    asked = pen.line(question.get("question"))
    return f"{asked} [{' | '.join(label for label in labels if label)}]" if labels else asked


def _ask(use: Use) -> Told:
    questions = use.input.get("questions")
    asked = [
        _question(question, use.pen)
        for question in (questions if isinstance(questions, Sequence) else ())
        if isinstance(question, Mapping)
    ]
    line = f"{use.name}: {use.pen.cut_line(' / '.join(asked), use.settings.command)}"
    if use.answered or use.result is None:
        return Told(line=arrow(line, use.outcome()))
    return Told(line=arrow(line, use.outcome()), body=use.quoted())


def _plan(use: Use) -> Told:
    plan = use.input.get("plan") or use.details.get("plan")
    text = use.pen.words(plan) if isinstance(plan, str) else ""
    body = use.pen.cut(text, use.settings.error_head, use.settings.error_tail)
    approved = use.result is not None and not use.outcome()
    return Told(line=arrow(use.name, use.outcome() or ("approved" if approved else "")), body=body)


def _named(*names: str) -> Callable[[Use], Told]:
    """Return a renderer for tools that are told whole by their first argument of `names`."""

    def tell(use: Use) -> Told:
        words = " ".join(word for word in (use.get(name) for name in names) if word)
        line = f"{use.name}: {use.pen.cut_line(words, use.settings.command)}"
        return Told(line=arrow(line, use.outcome()), body=use.failure())

    return tell


def _argument(value: object, pen: Pen) -> object:
    """Return an argument with every long text in it cut."""
    if isinstance(value, str):
        return pen.cut_line(pen.path(value), _ARGUMENT)
    if isinstance(value, Mapping):
        return {pen.line(str(key)): _argument(inner, pen) for key, inner in value.items()}
    if isinstance(value, Sequence):
        return [_argument(inner, pen) for inner in value]
    return value


def _other(use: Use) -> Told:
    """Tell a tool that this version does not know, such as one of an MCP server."""
    # Redacted as a whole too: a name and its value make a secret that neither is alone.
    arguments = json.dumps(
        _argument(use.input, use.pen), ensure_ascii=False, separators=(", ", ": ")
    )
    arguments = use.pen.cut_line(use.pen.line(arguments), use.settings.command)
    name = use.pen.line(use.name)[:_ARGUMENT]
    line = f"{name} {arguments}" if use.input else name
    return Told(line=arrow(line, use.outcome()), body=use.quoted())


_TELLERS: Mapping[str, Callable[[Use], Told]] = {
    "Bash": _shell,
    "PowerShell": _shell,
    "BashOutput": _background,
    "TaskOutput": _background,
    "AgentOutputTool": _background,
    "KillBash": _background,
    "KillShell": _background,
    "TaskStop": _background,
    "Edit": _edit,
    "MultiEdit": _edit,
    "Write": _write,
    "NotebookEdit": _write,
    "Read": _read,
    "Grep": _search,
    "Glob": _search,
    "LS": _named("path"),
    "WebFetch": _fetch,
    "WebSearch": _fetch,
    "Task": _delegate,
    "Agent": _delegate,
    "TodoWrite": _todos,
    "TaskCreate": _task,
    "TaskUpdate": _task,
    "TaskGet": _task,
    "TaskList": _task,
    "AskUserQuestion": _ask,
    "ExitPlanMode": _plan,
    "EnterPlanMode": _named(),
    "Skill": _named("skill", "command", "args"),
    "SlashCommand": _named("command"),
    "ToolSearch": _named("query"),
}


def tell(use: Use) -> Told:
    """Return how `use` reads in a digest."""
    return _TELLERS.get(use.name, _other)(use)
