"""Verbatim text of several lines as a quotation that stays inside its frame."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from journald.journal.inert import inert_line, plain

_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*([^`\s]*)[^`]*\Z")
_LIST_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s")
_INDENTED = re.compile(r" {4,}\S")
_TICKS = re.compile(r"`{3,}")
# Other names can make a notes app run or draw what stands in the block.
_LANGUAGES = re.compile(
    r"bash|c|clojure|console|cpp|cs|csharp|css|csv|cypher|dart|diff|dockerfile|elixir|elm|erlang"
    r"|go|graphql|groovy|haskell|hcl|html|http|ini|java|javascript|js|json|json5|jsonc|jsonl|jsx"
    r"|julia|kotlin|latex|less|lua|make|makefile|markdown|md|nix|nginx|objc|ocaml|perl|php"
    r"|powershell|proto|ps1|py|python|r|rb|rs|ruby|rust|scala|scss|sh|shell|sql|svelte|swift"
    r"|terraform|text|toml|ts|tsx|txt|typescript|vim|vue|xml|yaml|yml|zig|zsh"
)
_TAIL = 300


def quotation(text: str, *, literal: bool = False) -> list[str]:
    """Return `text` as the lines of a blockquote.

    `literal` is for words that were never meant as Markdown: backslashes show as such.
    """
    lines = plain(text).expandtabs(4).strip("\n").split("\n")
    return [f"> {line}" if line else ">" for line in _blocks(lines, literal=literal)]


def fenced(lines: Sequence[str], language: str = "") -> list[str]:
    """Return `lines` as a code block whose fence none of them can close."""
    longest = max((len(run) for line in lines for run in _TICKS.findall(line)), default=2)
    fence = "`" * (longest + 1)
    known = _LANGUAGES.fullmatch(language.lower())
    return [f"{fence}{known[0] if known else ''}", *lines, fence]


def shortened(text: str, limit: int) -> str:
    """Return `text`, its middle left out and counted when it is longer than `limit` characters.

    The end stays, for that is where a question about pasted material stands.
    """
    text = text.strip()
    if len(text) <= limit + _TAIL // 2:
        return text
    head = text[: _break(text, limit - _TAIL)].rstrip()
    tail = text[len(text) - _TAIL :]
    at = tail.find("\n")
    tail = tail[at + 1 if 0 <= at < _TAIL // 2 else tail.find(" ") + 1 :].strip()
    left_out = len(text) - len(head) - len(tail)
    # Neither the mark nor what follows it may end up in a code block that was cut.
    head += _closing(head)
    tail = _opening(tail) + tail
    return f"{head}\n\n[… {left_out:,} more characters]\n\n{tail}"


def _closing(head: str) -> str:
    """Return what closes the code block that `head` leaves open."""
    fence = ""
    for line in head.split("\n"):
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif fence and line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""
    return f"\n{fence}" if fence else ""


def _opening(tail: str) -> str:
    """Return what opens the code block that ends within `tail`."""
    fences = [found for line in tail.split("\n") if (found := _FENCE.match(line))]
    return f"{fences[0][1]}\n" if len(fences) % 2 and not fences[0][2] else ""


def _break(text: str, limit: int) -> int:
    """Return where to cut within the first `limit` characters: a line's end, else a word's."""
    head = text[:limit]
    for end in (head.rfind("\n"), head.rfind(" ")):
        if end > limit * 2 // 3:
            return end
    return limit


def _blocks(lines: Sequence[str], *, literal: bool) -> Iterator[str]:
    whole = "\n".join(lines)
    at = 0
    in_list = False
    while at < len(lines):
        line = lines[at]
        fence = _FENCE.match(line)
        if fence:
            end = _fence_end(lines, at, fence[1])
            yield from fenced(_dedented(lines[at + 1 : end]), fence[2])
            at = end + 1
            continue
        if _INDENTED.match(line) and not in_list:
            end = _indented_end(lines, at)
            yield from fenced(_dedented(lines[at:end]))
            at = end
            continue
        if not line.strip() and at and not lines[at - 1].strip():
            at += 1
            continue
        if line.strip():
            in_list = bool(_LIST_ITEM.match(line)) or (in_list and line.startswith(" "))
        following = lines[at + 1] if at + 1 < len(lines) else ""
        yield _prose(line, following, whole, literal=literal)
        at += 1


def _prose(line: str, following: str, whole: str, *, literal: bool) -> str:
    shown = inert_line(line.rstrip(), whole, literal=literal)
    # A line that its writer ended is to end in the reader's view as well.
    ends = (
        shown.strip()
        and following.strip()
        and not shown.lstrip().startswith("|")
        and not _LIST_ITEM.match(following)
        and not _FENCE.match(following)
    )
    return f"{shown}  " if ends else shown


def _fence_end(lines: Sequence[str], start: int, fence: str) -> int:
    for at in range(start + 1, len(lines)):
        line = lines[at].strip()
        if len(line) >= len(fence) and not line.strip(fence[0]):
            return at
    return len(lines)


def _indented_end(lines: Sequence[str], start: int) -> int:
    end = start + 1
    for at in range(start, len(lines)):
        if _INDENTED.match(lines[at]):
            end = at + 1
        elif lines[at].strip():
            break
    return end


def _dedented(lines: Sequence[str]) -> list[str]:
    return textwrap.dedent("\n".join(lines)).split("\n") if lines else []
