"""Command lines taken apart far enough to see which programs they ran. Nothing is ever executed.

A line is cut into simple commands. What cannot be told apart for certain (a quote without its end)
becomes one word, so that no text inside of it is taken for a command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from journald.ledger.steps import Step, judge
from journald.ledger.words import ASSIGNMENT, program_name

_HEREDOC = re.compile(
    r"(?<!<)<<-?(?!<)[ \t]*(?P<quote>['\"]?)\\?(?P<end>[A-Za-z_][\w.-]*)(?P=quote)"
)
_DOUBLE = r'"(?:[^"\\]++|\\.)*+"'
_NESTED = rf"""\$\(((?:[^()'"\\]++|\\.|'[^']*+'|{_DOUBLE}|\((?:[^()]++|\([^()]*+\))*+\))*+)\)"""
_PIECE = rf"""
    '[^']*+'
  | {_DOUBLE}
  | `[^`]*+`
  | \$\((?:[^()'"\\]++|\\.|'[^']*+'|{_DOUBLE}|\((?:[^()]++|\([^()]*+\))*+\))*+\)
  | \$\{{[^}}]*+(?:\}}|\Z)
  | \\.
  | [^\s;|&()<>'"\\`]
"""
_TOKEN = re.compile(
    rf"""
    (?P<space>(?:[ \t\r]|\\\n)+)
  | (?P<comment>\#[^\n]*)
  | (?P<redirect>\d*(?:&>>?|>>|>&|<&|>\||<<<|<<-?|<>|[<>])[ \t]*)
  | (?P<operator>&&|\|\||\|&|;;|[;|&()\n])
  | (?P<word>(?:{_PIECE})++)
    """,
    re.VERBOSE | re.DOTALL,
)
_SUBSTITUTION = re.compile(rf"\\.|'[^']*+'|{_NESTED}|`([^`]*+)`", re.DOTALL)
_QUOTED = re.compile(rf"""'([^']*)'|({_DOUBLE})|\\(.)""", re.DOTALL)
_ESCAPED = re.compile(r'\\([\\"$`\n])')
# `.venv\\Scripts\\pytest.exe`: nobody escapes the letters of a word.
_WINDOWS_PATH = re.compile(r"(?:[A-Za-z]:|[\w.~-]+)(?:\\[\w.-]*[A-Za-z][\w.-]*)+")
_PARENTHESES = frozenset({"(", ")"})
_JOINTS = {"\n": ";", ";;": ";", "|&": "|"}
_KEYWORDS = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time"})
_OPENING = frozenset({"if", "while", "until", "for", "case", "select"})
_ENDING = frozenset({"fi", "done", "esac"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_DEEPEST = 3


def split(command: str) -> tuple[Step, ...]:
    """Return the simple commands of a line, those handed to `sh -c` included."""
    return _split(command, 0)


def heredocs(command: str) -> tuple[str, ...]:
    """Return the bodies of the here-documents of a command line."""
    return _without_heredocs(command)[1]


def _split(command: str, depth: int) -> tuple[Step, ...]:
    steps = judge(_steps(_without_heredocs(command)[0]))
    found: list[Step] = []
    for step in steps:
        inner = handed_over(step.words)
        if inner is None or depth >= _DEEPEST:
            found.append(step)
            continue
        found.extend(placed(_split(inner, depth + 1), step))
    return tuple(found)


def placed(inner: tuple[Step, ...], step: Step) -> Iterator[Step]:
    """Yield the commands of a line that `step` runs, as they stand in the line around it."""
    for place, one in enumerate(inner, 1):
        last = place == len(inner)
        yield replace(
            one,
            passes=one.passes and step.passes,
            fails=one.fails and step.fails,
            joint=step.joint if last else one.joint,
            level=step.level if last else one.level + step.level + 1,
            shells=one.shells + step.shells + 1,
            assigned=step.assigned if last else one.assigned,
        )


def handed_over(words: tuple[str, ...]) -> str | None:
    """Return the line that a shell is given to run, like that of `bash -c`."""
    if program_name(words[0]) not in _SHELLS:
        return None
    value = False
    for index, word in enumerate(words[1:], 1):
        if value:
            value = False
        elif re.fullmatch(r"-[a-z]*c", word):
            return words[index + 1] if index + 1 < len(words) else None
        elif not word.startswith(("-", "+")):
            return None
        else:
            value = word in {"-o", "+o", "-O", "+O"}
    return None


def substituted(command: str) -> tuple[str, ...]:
    """Return the lines that run inside of `$(…)` and of backquotes."""
    if "$(" not in command and "`" not in command:
        return ()
    found: list[str] = []
    text = _without_heredocs(command)[0]
    at = 0
    while (match := _TOKEN.match(text, at)) is not None and match.end() > at:
        at = match.end()
        if match.lastgroup == "word":
            found.extend(one[1] or one[2] or "" for one in _SUBSTITUTION.finditer(match[0]))
    return tuple(line for line in found if line)


def _without_heredocs(command: str) -> tuple[str, tuple[str, ...]]:
    """Return the line without the bodies of its here-documents, and the bodies."""
    if "<<" not in command:
        return command, ()
    kept: list[str] = []
    bodies: list[str] = []
    lines = iter(command.split("\n"))
    for line in lines:
        kept.append(line)
        for match in _HEREDOC.finditer(line):
            body: list[str] = []
            for inner in lines:
                if inner.strip() == match["end"]:
                    break
                body.append(inner)
            bodies.append("\n".join(body))
    return "\n".join(kept), tuple(bodies)


def _steps(text: str) -> list[Step]:
    line = _Line()
    at = 0
    target = False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            line.words.append(text[at:])
            break
        at = match.end()
        if match.lastgroup == "operator":
            line.close(match[0])
            target = False
        elif match.lastgroup == "redirect":
            target = True
        elif match.lastgroup == "word":
            if not target:
                line.words.append(_unquote(match[0]))
            target = False
    line.close("")
    return line.steps


class _Line:
    """Gathers words into simple commands, and counts the groups that they stand in."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.words: list[str] = []
        self._level = 0
        self._shells = 0
        self._closed = False
        """A group ended just now: the next joint is that of the group."""
        self._negated = False
        self._guards = 0
        """Conditionals and loops that have begun and not ended."""

    def close(self, operator: str) -> None:
        """End a simple command by what stands behind it."""
        words, self.words = self.words, []
        at = 0
        while at < len(words) and (words[at] in _KEYWORDS or ASSIGNMENT.match(words[at])):
            at += 1
        ends = "}" in words[:at]
        self._level = max(self._level + words[:at].count("{") - ends - (operator == ")"), 0)
        joint = "" if operator in _PARENTHESES else _JOINTS.get(operator, operator)
        self._guards += sum(word in _OPENING for word in words[: at + 1])
        self._guards = max(self._guards - sum(word in _ENDING for word in words[at : at + 1]), 0)
        if at < len(words):
            self._add(tuple(words[at:]), joint, negated="!" in words[:at] or self._negated)
            self._negated = False
        else:
            self._join(words, joint, closed=self._closed or ends)
            self._negated = operator == "(" and (self._negated or "!" in words)
        self._level += operator == "("
        self._shells = max(self._shells + (operator == "(") - (operator == ")"), 0)
        self._closed = operator == ")"

    def _add(self, words: tuple[str, ...], joint: str, *, negated: bool) -> None:
        self.steps.append(
            Step(
                words=words,
                joint=joint,
                level=self._level,
                shells=self._shells,
                guarded=self._guards > 0,
                negated=negated,
            )
        )

    def _join(self, words: list[str], joint: str, *, closed: bool) -> None:
        """Note what stands behind the last command, where no other one begins."""
        if not self.steps:
            return
        last = self.steps[-1]
        if joint and (not last.joint or (closed and last.joint != "&")):
            self.steps[-1] = replace(last, joint=joint, level=self._level)
        elif closed and last.joint != "&":
            self.steps[-1] = replace(last, level=self._level)
        elif len(words) == 1 and ASSIGNMENT.match(words[0]) and last.joint == ";":
            self.steps[-1] = replace(last, assigned=last.assigned or words[0])


def _unquote(word: str) -> str:
    if not any(mark in word for mark in "'\"\\") or _WINDOWS_PATH.fullmatch(word):
        return word
    return _QUOTED.sub(_plain, word)


def _plain(match: re.Match[str]) -> str:
    if match[1] is not None:
        return match[1]
    if match[2] is not None:
        return _ESCAPED.sub(r"\1", match[2][1:-1])
    return "" if match[3] == "\n" else match[3]
