"""Commits and pull requests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from journald.ledger.commands import Ran
from journald.ledger.facts import Commit, PullRequest
from journald.ledger.shell import Step, heredocs, split
from journald.ledger.timeline import Call, Timeline
from journald.transcript.session import Session

_COMMITTED = re.compile(
    r"^\[(?P<branch>[^\]\n]+?)(?: \(root-commit\))? (?P<hash>[0-9a-f]{7,40})\] (?P<message>.*)$",
    re.MULTILINE,
)
_DETACHED = "detached HEAD"
_COMMITTING = frozenset({"commit", "merge", "cherry-pick", "revert", "am", "rebase", "pull"})
_GIT_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree"})
_PULL = re.compile(
    r"https?://[^\s\"'<>()]+?/(?:pull|pulls|merge_requests|pull-requests)/(\d+)(?![\w/-]*/new)"
)
_NUMBER = re.compile(r"#(\d+)\b")
_ACTIONS = {
    "create": "created",
    "merge": "merged",
    "close": "closed",
    "reopen": "reopened",
    "ready": "marked ready",
    "edit": "edited",
    "review": "reviewed",
    "comment": "commented",
}
# The further right, the more it tells of what became of a pull request.
_RANKS = ("linked", "commented", "reviewed", "edited", "marked ready", "reopened", "created",
          "closed", "merged")  # fmt: skip
_SHORTEST_HASH = 7


def find_commits(timeline: Timeline, commands: tuple[Ran, ...]) -> tuple[Commit, ...]:
    """Return the commits made, each once, in order of time."""
    calls = {call.id: call for call in timeline.calls}
    found: list[Commit] = []
    for ran in commands:
        for commit in (*_printed(ran), *_recorded(ran, calls.get(ran.command.id))):
            place = _place(found, commit.hash)
            if place is None:
                found.append(commit)
            else:
                found[place] = _joined(found[place], commit)
    return tuple(found)


def _printed(ran: Ran) -> Iterator[Commit]:
    """Yield what `git commit` prints: `[branch hash] message`."""
    if not any(_git(step) in _COMMITTING for step in split(ran.command.command)):
        return
    for match in _COMMITTED.finditer(ran.output):
        branch = match["branch"]
        yield Commit(
            id=ran.command.id,
            at=ran.command.at,
            hash=match["hash"],
            message=match["message"].strip(),
            branch=None if branch == _DETACHED else branch,
        )


def _recorded(ran: Ran, call: Call | None) -> Iterator[Commit]:
    """Yield the commit that Claude Code recorded (since 2.1.181), `--quiet` or not."""
    made = _operation(call).get("commit")
    sha = made.get("sha") if isinstance(made, dict) else None
    if not isinstance(made, dict) or not isinstance(sha, str) or not sha:
        return
    branch = made.get("branch")
    yield Commit(
        id=ran.command.id,
        at=ran.command.at,
        hash=sha,
        message=_message(ran.command.command),
        branch=branch if isinstance(branch, str) and branch else None,
    )


def _operation(call: Call | None) -> Mapping[str, Any]:
    operation = call.detail("gitOperation") if call and call.ran else None
    return operation if isinstance(operation, dict) else {}


def _message(command: str) -> str:
    """Return the first line of the message that a command gives; empty when it gives none."""
    for step in split(command):
        if _git(step) != "commit":
            continue
        for word, after in zip(step.words, step.words[1:], strict=False):
            if re.fullmatch(r"-[a-z]*m|--message", word):
                body = heredocs(command) if after.startswith("$(") else (after,)
                return next((text.strip().split("\n")[0] for text in body if text.strip()), "")
    return ""


def _git(step: Step) -> str:
    """Return the subcommand of git; empty for another program."""
    if step.program != "git":
        return ""
    words = iter(step.words[1:])
    for word in words:
        if word in _GIT_VALUED:
            next(words, None)
        elif not word.startswith("-"):
            return word
    return ""


def _place(found: list[Commit], sha: str) -> int | None:
    for index, commit in enumerate(found):
        short, long = sorted((commit.hash, sha), key=len)
        if len(short) >= _SHORTEST_HASH and long.startswith(short):
            return index
    return None


def _joined(first: Commit, second: Commit) -> Commit:
    return replace(
        first,
        hash=max(first.hash, second.hash, key=len),
        message=first.message or second.message,
        branch=first.branch or second.branch,
    )


@dataclass(slots=True)
class _Pull:
    id: str | None
    number: int | None
    url: str
    actions: list[str]


def find_pull_requests(
    session: Session, timeline: Timeline, commands: tuple[Ran, ...]
) -> tuple[PullRequest, ...]:
    """Return the pull requests opened, changed or merged, and those linked to the session."""
    calls = {call.id: call for call in timeline.calls}
    found: list[_Pull] = []
    for ran in commands:
        for pull in (*_from_gh(ran), *_from_record(ran, calls.get(ran.command.id))):
            _fold(found, pull)
    for number, url in session.pull_requests:
        _fold(found, _Pull(None, number, url, ["linked"]))
    return tuple(
        PullRequest(
            id=pull.id,
            number=pull.number,
            url=pull.url,
            action=max(pull.actions, key=_rank),
        )
        for pull in found
    )


def _rank(action: str) -> int:
    return _RANKS.index(action) if action in _RANKS else len(_RANKS) // 2


def _from_gh(ran: Ran) -> Iterator[_Pull]:
    if ran.command.ok is False:
        return
    for step in split(ran.command.command):
        if step.program not in {"gh", "glab"} or step.words[1:2] not in {("pr",), ("mr",)}:
            continue
        action = _ACTIONS.get(step.words[2] if len(step.words) > 2 else "")  # noqa: PLR2004 - `gh pr ACTION`
        if action is None:
            continue
        named = [word for word in step.words[3:] if not word.startswith("-")]
        url = _PULL.search(" ".join(named[:1])) or _last(_PULL, ran.output)
        number = url[1] if url else _number(named, ran.output)
        if number is not None:
            yield _Pull(ran.command.id, int(number), url[0] if url else "", [action])


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = [*pattern.finditer(text)]
    return found[-1] if found else None


def _number(named: list[str], output: str) -> str | None:
    if named and named[0].isdecimal():
        return named[0]
    match = _NUMBER.search(output)
    return match[1] if match else None


def _from_record(ran: Ran, call: Call | None) -> Iterator[_Pull]:
    made = _operation(call).get("pr")
    if not isinstance(made, dict):
        return
    number, url, action = made.get("number"), made.get("url"), made.get("action")
    if isinstance(number, int) or isinstance(url, str):
        yield _Pull(
            ran.command.id,
            number if isinstance(number, int) else None,
            url if isinstance(url, str) else "",
            [action if isinstance(action, str) and action else "linked"],
        )


def _fold(found: list[_Pull], pull: _Pull) -> None:
    for known in found:
        if _same(known, pull):
            known.actions.extend(pull.actions)
            known.url = known.url or pull.url
            known.number = pull.number if known.number is None else known.number
            return
    found.append(pull)


def _same(first: _Pull, second: _Pull) -> bool:
    if first.url and second.url:
        return first.url == second.url
    return first.number is not None and first.number == second.number
