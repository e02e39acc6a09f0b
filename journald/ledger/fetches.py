"""Pages read and searches made on the web."""

from __future__ import annotations

import re

from journald.ledger.facts import Fetch
from journald.ledger.timeline import Call, Timeline

WEB_TOOLS = frozenset({"WebFetch", "WebSearch", "web_fetch", "web_search"})
_FIRST_ERROR = 400
# Servers name their tools as they like; one that opens an address, or searches the web, says so.
_OPENING = re.compile(
    r"fetch|navigat|scrape|crawl|goto|browse|open|read|extract|visit|new_page|get"
)
_SEARCHING = re.compile(r"search|query")
_WEB = re.compile(
    r"web|brave|exa\b|tavily|google|bing|duckduckgo|perplexity|kagi|serp|firecrawl|searx|jina"
)
_ADDRESS = ("http://", "https://", "file://", "about:")


def find_fetches(timeline: Timeline) -> tuple[Fetch, ...]:
    """Return what was fetched, in order of time; calls that were refused are left out."""
    return tuple(
        Fetch(id=call.id, at=call.event.at, url=url or None, query=query or None, ok=_ok(call))
        for call in timeline.calls
        if call.ran
        for url, query in _fetched(call)
    )


def _fetched(call: Call) -> list[tuple[str, str]]:
    """Return address and search words of each page or search; one of the two is empty."""
    if call.name in WEB_TOOLS:
        given = (call.given("url"), call.given("query"))
        return [given] if any(given) else []
    if not call.name.startswith("mcp__"):
        return []
    server, _, tool = call.name.removeprefix("mcp__").lower().rpartition("__")
    addresses = [url for url in _addresses(call) if url.startswith(_ADDRESS)]
    if addresses and _OPENING.search(tool):
        return [(url, "") for url in addresses]
    query = call.given("query") or call.given("q")
    if query and _SEARCHING.search(tool) and _WEB.search(f"{server} {tool}"):
        return [("", query)]
    return []


def _addresses(call: Call) -> list[str]:
    several = call.call.input.get("urls")
    given = several if isinstance(several, list) else []
    return [url for url in (call.given("url"), *given) if isinstance(url, str)]


def _ok(call: Call) -> bool:
    code = call.detail("code")
    return call.succeeded and not (isinstance(code, int) and code >= _FIRST_ERROR)
