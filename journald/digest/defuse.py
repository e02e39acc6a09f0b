r"""Making the text of a transcript harmless to a model that reads it.

Text from a transcript is evidence. It must not become a chat token, close the fence that the
prompt puts around it, or pose as a speaker; a person must still be able to read what it was.
`strip_controls` goes before redaction, so that no escape sequence inside a secret hides it;
`defuse` goes after it.
"""

from __future__ import annotations

import re

from journald.digest.elide import marker

# ESC sequences: CSI, OSC (ended by BEL or ST), and the short ones.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2048}(?:\x07|\x1b\\)"
    r"|[PX^_][^\x1b]{0,2048}\x1b\\|[ -/]{0,4}[0-~])"
)
# C0 but tab and newline, DEL, C1, and the characters that are not seen: zero-width ones,
# direction marks (they can hide text from a person), the byte-order mark.
_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")
_LINE_ENDS = re.compile("\r\n?|[\u2028\u2029\x85]")

# `<|name|>` is how ChatML, Llama 3, Phi and others write their tokens; DeepSeek writes them with
# full-width bars. None can be one any more with a space after its first character.
_CHAT_TOKENS = re.compile("<(?=([|\uff5c])[^\\s<>|\uff5c]{1,64}[|\uff5c]>)")
# Whole tokens of other families: Llama 2, Mistral, Gemma, sentence marks.
_BRACKET_TOKENS = re.compile(
    r"\[(/?)(INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]|<<(/?)SYS>>"
)
# Tags that a fence or a role could be made of, and those that Claude Code speaks through.
_TAGS = re.compile(
    r"<(/?\s{0,4}(?:transcript|session|digest|evidence|events?|chunk|notes?|ledger|facts|summary|narrative"
    r"|instructions?|prompt|system|user|assistant|human|tool|ipython|documents?|context"
    r"|system-reminder|system_prompt|system-prompt|think|thinking|tool_calls?|tool_results?"
    r"|tool_response|function_calls?|function_results?|tools|invoke|s|bos|eos|pad|unk|mask"
    r"|start_of_turn|end_of_turn|im_start|im_end|endoftext|task-notification|command-name"
    r"|command-message|command-args|local-command-stdout|persisted-output)\b[^<>\n]{0,200})>",
    re.IGNORECASE,
)
# A line that opens like a turn of a plain-text chat.
_ROLE_LINES = re.compile(
    r"^([ \t>#*]{0,8})(system|user|assistant|human|ai)([ \t*]{0,4}):(?=\s|$)",
    re.IGNORECASE | re.MULTILINE,
)
# An event id at the start of a line would be taken for a digest's own.
_EVENT_IDS = re.compile(r"^([ \t]{0,8})\[((?:e|[A-Za-z0-9-]{1,40}\.)\d{1,9})\]", re.MULTILINE)

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{200,}={0,2}")
_BASE64_LINES = re.compile(
    r"(?:^[ \t]{0,16}[A-Za-z0-9+/]{60,100}={0,2}[ \t]{0,4}\n){4,}", re.MULTILINE
)
_VARIETY = 12


def strip_controls(text: str) -> str:
    r"""Return `text` without escape sequences, control and invisible characters.

    Line ends become `\n`, lone surrogates (anthropics/claude-code transcripts before 2.1.132
    hold them) become U+FFFD.
    """
    text = _ESCAPES.sub("", text)
    text = _LINE_ENDS.sub("\n", text)
    text = _CONTROLS.sub("", text)
    return _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)


def _spaced(match: re.Match[str]) -> str:
    return match[0].replace("[", "[ ").replace("<<", "< <").replace(">>", "> >")


def defuse(text: str) -> str:
    """Return `text` with chat tokens, fences, role tags and role lines made inert.

    Idempotent; what stood there can still be read.
    """
    if "<" in text:
        text = _CHAT_TOKENS.sub("< ", text)
        text = _TAGS.sub("\u2039\\1\u203a", text)
    if "[" in text or "<<" in text:
        text = _BRACKET_TOKENS.sub(_spaced, text)
        text = _EVENT_IDS.sub(r"\1(\2)", text)
    return _ROLE_LINES.sub(r"\1\2\3 -", text)


def _is_encoded(run: str) -> bool:
    """Tell base64 from a ruler, a long path or a name: many kinds of characters."""
    return (
        len(set(run)) > _VARIETY
        and any(character.isdigit() for character in run)
        and any(character.isupper() for character in run)
        and any(character.islower() for character in run)
    )


def elide_encoded(text: str) -> tuple[str, int]:
    """Take long base64 runs out of `text`; return it and the number of characters gone."""
    gone = 0

    def shorten(match: re.Match[str]) -> str:
        nonlocal gone
        if not _is_encoded(match[0]):
            return match[0]
        gone += len(match[0])
        newline = "\n" if match[0].endswith("\n") else ""
        return f"{marker(len(match[0]))}{newline}"

    text = _BASE64_LINES.sub(shorten, text)
    text = _BASE64.sub(shorten, text)
    return text, gone
