"""Pull requests: what gh, glab and Claude Code's own record prove was done to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from journald.ledger.commands import Ran
from journald.ledger.facts import PullRequest
from journald.ledger.git import operation
from journald.ledger.steps import Step
from journald.ledger.words import Words, operands
from journald.transcript.session import Session

_ADDRESS = re.compile(
    r"https?://(?:(?!://)[^\s\"'<>()])+?/(?:pull|pulls|merge_requests|pull-requests)"
    r"/(\d{1,18})(?!\d)(?![\w/-]*/new)"
)
_NUMBER = re.compile(r"[#!](\d{1,18})\b")
_NAMED = re.compile(r"[#!]?(\d{1,18})")
_REPOSITORY = re.compile(r"https?://[^/]+/(.+?)/(?:-/)?(?:pulls?|merge_requests|pull-requests)/")
_API = re.compile(r"/?repos/([^/\s]+/[^/\s]+)/pulls(?:/(\d{1,18})(?:/(\w+))?)?(?:/[\w/]*)?$")
_ACTIONS = {
    "approve": "reviewed",
    "close": "closed",
    "comment": "commented",
    "create": "created",
    "edit": "edited",
    "merge": "merged",
    "new": "created",
    "note": "commented",
    "ready": "marked ready",
    "reopen": "reopened",
    "review": "reviewed",
    "update": "edited",
}
_API_ACTIONS = {"comments": "commented", "reviews": "reviewed", "merge": "merged"}
_WRITING = frozenset({"-f", "-F", "--field", "--raw-field", "--input"})
_METHODS = frozenset({"POST", "PUT", "PATCH"})
_WAITING = frozenset({"--auto", "--when-pipeline-succeeds", "--auto-merge"})
_WAITS = "set to merge"
_REPOSITORY_FLAGS = frozenset({"-R", "--repo"})
_VALUED = _REPOSITORY_FLAGS | frozenset(
    {"-t", "--title", "-b", "--body", "-F", "--body-file", "-B", "--base", "-H", "--head", "-l",
     "--label", "-a", "--assignee", "-r", "--reviewer", "-m", "--milestone", "--message",
     "--description", "-d", "--subject", "--add-label", "--add-reviewer"}
)  # fmt: skip
_DONE = r"(?i:merged|closed|reopened|approved|reviewed|requested changes|marked)"
_ONE_ALREADY = "already exists"
# The further right, the more it tells of what became of a pull request.
_RANKS = ("linked", "commented", "reviewed", "edited", "marked ready", _WAITS, "reopened",
          "created", "closed", "merged")  # fmt: skip


@dataclass(slots=True)
class _Pull:
    id: str | None
    at: datetime | None
    number: int | None
    url: str
    repository: str
    actions: list[str]


def find_pull_requests(session: Session, commands: tuple[Ran, ...]) -> tuple[PullRequest, ...]:
    """Return the pull requests opened, changed or merged, and those linked to the session."""
    found: list[_Pull] = []
    for ran in commands:
        for pull in (*_commanded(ran), *_recorded(ran)):
            _fold(found, pull)
    for number, url in session.pull_requests:
        _fold(found, _Pull(None, None, number, url, _repository(url), ["linked"]))
    return tuple(
        PullRequest(
            id=pull.id,
            at=pull.at,
            number=pull.number,
            url=pull.url,
            action=_strongest(pull.actions),
        )
        for pull in found
    )


def _strongest(actions: list[str]) -> str:
    """Return the act that tells most; one that was opened again is closed no more."""
    closed = len(actions) - actions[::-1].index("closed") if "closed" in actions else 0
    left = [one for one in actions if one != "closed" or "reopened" not in actions[closed:]]
    return max(left, key=_rank)


def _rank(action: str) -> int:
    return _RANKS.index(action) if action in _RANKS else len(_RANKS) // 2


def _commanded(ran: Ran) -> Iterator[_Pull]:
    if ran.command.ok is False or _ONE_ALREADY in ran.output:
        return
    for step in ran.steps:
        if step.program not in {"gh", "glab"}:
            continue
        pull = _by_api(ran, step) if step.words[1:2] == ("api",) else _by_word(ran, step)
        if pull is not None:
            yield pull


def _by_word(ran: Ran, step: Step) -> _Pull | None:
    """Return what `gh pr ACTION` did: its output names the request, or its success is certain."""
    if step.words[1:2] not in {("pr",), ("mr",)}:
        return None
    action = _ACTIONS.get("".join(step.words[2:3]))
    if action is None:
        return None
    named = operands(step.words[2:], _VALUED)
    url = _ADDRESS.search(" ".join(named[:1])) or _last(_ADDRESS, ran.output)
    number = url[1] if url else _number(named, ran.output)
    if number is None or not (
        (step.passes and ran.command.ok) or _shows(action, number, ran.output)
    ):
        return None
    if action == "merged" and _WAITING & set(step.words):
        action = _WAITS
    address = url[0] if url else ""
    repository = _repository(address) or _given_repository(step.words)
    return _Pull(ran.command.id, ran.command.at, int(number), address, repository, [action])


def _shows(action: str, number: str, output: str) -> bool:
    """Tell whether the output says that it was done, where an exit status does not."""
    if action == "created":
        return _ADDRESS.search(output) is not None
    if action == "commented":
        return re.search(rf"/{number}#(?:issuecomment|note)", output) is not None
    return re.search(rf"{_DONE}[^\n]*[#!]{number}\b", output) is not None


def _by_api(ran: Ran, step: Step) -> _Pull | None:
    """Return what a request to the API changed, where it was answered without an error."""
    if not (step.passes and ran.command.ok and _writes(step.words)):
        return None
    match = next((found for word in step.words[2:] if (found := _API.match(word))), None)
    if match is None:
        return None
    url = _ADDRESS.search(ran.output)
    action = _API_ACTIONS.get(match[3] or "") or ("edited" if match[2] else "created")
    number = match[2] or (url[1] if url else None)
    if number is None:
        return None
    address = f"https://github.com/{match[1]}/pull/{number}" if "{" not in match[1] else ""
    return _Pull(
        ran.command.id,
        ran.command.at,
        int(number),
        address,
        match[1] if address else "",
        [action],
    )


def _writes(words: Words) -> bool:
    methods = {word.upper() for word in words} & _METHODS
    return bool(methods or _WRITING & set(words))


def _given_repository(words: Words) -> str:
    for word, after in pairwise(words):
        if word in _REPOSITORY_FLAGS:
            return after
    return ""


def _repository(url: str) -> str:
    found = _REPOSITORY.match(url)
    return found[1] if found else ""


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    found = [*pattern.finditer(text)]
    return found[-1] if found else None


def _number(named: Words, output: str) -> str | None:
    given = _NAMED.fullmatch(named[0]) if named else None
    found = given or _NUMBER.search(output)
    return found[1] if found else None


def _recorded(ran: Ran) -> Iterator[_Pull]:
    made = operation(ran).get("pr")
    if not isinstance(made, dict):
        return
    number, url, action = made.get("number"), made.get("url"), made.get("action")
    if isinstance(number, int) or isinstance(url, str):
        address = url if isinstance(url, str) else ""
        yield _Pull(
            ran.command.id,
            ran.command.at,
            number if isinstance(number, int) else None,
            address,
            _repository(address),
            [action if isinstance(action, str) and action else "linked"],
        )


def _fold(found: list[_Pull], pull: _Pull) -> None:
    for known in found:
        if _same(known, pull):
            known.actions.extend(pull.actions)
            known.url = known.url or pull.url
            known.repository = known.repository or pull.repository
            known.number = pull.number if known.number is None else known.number
            return
    found.append(pull)


def _same(first: _Pull, second: _Pull) -> bool:
    if first.url and second.url:
        return first.url == second.url
    if first.repository and second.repository and first.repository != second.repository:
        return False
    return first.number is not None and first.number == second.number
