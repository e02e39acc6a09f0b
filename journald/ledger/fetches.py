"""Pages read and searches made on the web."""

from __future__ import annotations

from journald.ledger.facts import Fetch
from journald.ledger.timeline import Call, Timeline

_TOOLS = frozenset({"WebFetch", "WebSearch", "web_fetch", "web_search"})
_FIRST_ERROR = 400


def find_fetches(timeline: Timeline) -> tuple[Fetch, ...]:
    """Return what was fetched, in order of time; calls that were refused are left out."""
    return tuple(
        Fetch(
            id=call.id,
            at=call.event.at,
            url=call.given("url") or None,
            query=call.given("query") or None,
            ok=_ok(call),
        )
        for call in timeline.calls
        if call.ran and _is_fetch(call)
    )


def _is_fetch(call: Call) -> bool:
    if call.name in _TOOLS:
        return bool(call.given("url") or call.given("query"))
    # Servers name their tools as they like; one that fetches an address says so.
    tool = call.name.rpartition("__")[2].lower() if call.name.startswith("mcp__") else ""
    return "fetch" in tool and call.given("url").startswith(("http://", "https://"))


def _ok(call: Call) -> bool:
    code = call.detail("code")
    return call.succeeded and not (isinstance(code, int) and code >= _FIRST_ERROR)
