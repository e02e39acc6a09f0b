from dataclasses import replace
from datetime import UTC

import pytest

from journald.ledger.ledger import build_ledger
from journald.transcript.session import Session
from tests.sessions import START, Script

URL = "https://github.com/ada/shop/pull/12"


def pulls(session: Session) -> list[tuple[int | None, str, str]]:
    found = build_ledger(session, UTC).pull_requests
    return [(pull.number, pull.url, pull.action) for pull in found]


def test_a_pull_request_is_known_from_what_gh_prints() -> None:
    script = Script()
    script.bash("git push && gh pr create --fill", f"Creating pull request\n\n{URL}")
    assert pulls(script.session()) == [(12, URL, "created")]


def test_one_pull_request_from_three_sources_is_one_and_the_strongest_act_is_told() -> None:
    script = Script()
    script.bash("gh pr create --fill", URL)
    script.bash("gh pr merge 12 --squash", "Merged pull request #12 (Fix)")
    session = replace(script.session(), pull_requests=((12, URL),))
    assert pulls(session) == [(12, URL, "merged")]


def test_a_linked_pull_request_is_told_as_such() -> None:
    assert pulls(replace(Script().session(), pull_requests=((12, URL),))) == [(12, URL, "linked")]


def test_the_record_of_claude_code_tells_a_pull_request() -> None:
    script = Script()
    operation = {"pr": {"number": 12, "url": URL, "action": "created"}}
    script.tool("Bash", {"command": "./ship.sh"}, "ok", details={"gitOperation": operation})
    assert pulls(script.session()) == [(12, URL, "created")]


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("git push", "Create a pull request by visiting:\n https://github.com/a/b/pull/new/x", 0),
        ("gh pr create --fill", URL, 1),
        ("gh pr view 12", URL, 0),
        ("curl -s " + URL, "page", 0),
    ],
)
def test_reading_about_a_pull_request_is_none(command: str, output: str, exit_code: int) -> None:
    script = Script()
    script.bash(command, output, exit_code)
    assert pulls(script.session()) == []


@pytest.mark.parametrize(
    ("command", "output", "action"),
    [
        ("gh pr merge 12 --squash", "", "merged"),
        ("gh pr merge 12 --auto --squash", "", "set to merge"),
        ("gh pr close 12 && git push", "", "closed"),
        ("gh pr ready 12", "", "marked ready"),
        ("gh pr comment 12 --body 'thanks'", f"{URL}#issuecomment-9", "commented"),
        ("gh pr review 12 --approve", "", "reviewed"),
        ("gh pr edit 12 --add-label bug", URL, "edited"),
        ("cd web && sudo gh pr merge 12 -R ada/shop", "", "merged"),
        ("glab mr merge 12", "", "merged"),
        ("glab mr note 12 -m ok", "", "commented"),
        ("gh pr merge 12 | tail -1", "Squashed and merged pull request #12 (Fix)", "merged"),
        ("gh api repos/ada/shop/pulls/12/comments/7/replies -f body=ok", "{}", "commented"),
        ("gh api repos/ada/shop/pulls/12/reviews -f event=APPROVE", "{}", "reviewed"),
        ("gh api -X PUT repos/ada/shop/pulls/12/merge", "{}", "merged"),
    ],
)
def test_an_act_on_a_pull_request_is_told(command: str, output: str, action: str) -> None:
    script = Script()
    script.bash(command, output)
    assert [(number, told) for number, _, told in pulls(script.session())] == [(12, action)]


def test_a_merge_request_of_glab_is_a_pull_request() -> None:
    script = Script()
    url = "https://gitlab.com/ada/shop/-/merge_requests/3"
    script.bash("glab mr create --fill", f"!3 Fix (main)\n {url}")
    assert pulls(script.session()) == [(3, url, "created")]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("gh pr merge 12 || true", "not mergeable"),
        ("gh pr merge 12; gh pr list", "#14 Other"),
        ("gh pr create --fill | tail -1", f"a pull request already exists:\n{URL}"),
        ("gh api repos/ada/shop/pulls/12/comments", "[]"),
        ("gh api repos/ada/shop/issues/12/comments -f body=ok", "{}"),
        ("gh pr checks 12", "pass"),
        ("gh pr diff 12", URL),
    ],
)
def test_no_act_is_told_that_nothing_proves(command: str, output: str) -> None:
    script = Script()
    script.bash(command, output)
    assert pulls(script.session()) == []


def test_what_was_closed_and_opened_again_is_not_closed() -> None:
    script = Script()
    for verb in ("close", "reopen", "comment"):
        script.bash(f"gh pr {verb} 12")
    assert pulls(script.session())[0][2] == "reopened"
    script.bash("gh pr close 12")
    assert pulls(script.session())[0][2] == "closed"


def test_one_number_in_two_repositories_is_two_pull_requests() -> None:
    script = Script()
    script.bash("gh pr create --fill", URL)
    script.bash("gh pr merge 12 --repo ada/other")
    assert [told for _, _, told in pulls(script.session())] == ["created", "merged"]


def test_a_pull_request_stands_with_the_time_of_its_first_act() -> None:
    script = Script()
    script.bash("gh pr create --fill", URL)
    (pull,) = build_ledger(script.session(), UTC).pull_requests
    assert pull.at == START
