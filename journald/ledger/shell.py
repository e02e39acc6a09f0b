"""Command lines taken apart far enough to see which programs they ran. Nothing is ever executed.

A line is cut into simple commands. What cannot be told apart for certain (a quote without its end)
becomes one word, so that no text inside of it is taken for a command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

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
_JOINTS = {"\n": ";", ";;": ";", "|&": "|"}
_KEYWORDS = frozenset({"then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
# Commands that hardly ever fail, and say nothing about the ones they stand beside.
_QUIET = frozenset(
    {"cd", "echo", "export", "printf", "pushd", "set", "sleep", "source", ".", "mkdir", "true"}
)
# What only passes on the output of the command before it.
_SINKS = frozenset({"cat", "tail", "tee"})
_DEEPEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One simple command of a line."""

    words: tuple[str, ...]
    """Program and arguments, quotes taken off; assignments and redirections left out."""
    joint: str = ""
    """What stands between it and the next one: `&&`, `||`, `;`, `|`, `&`, or nothing."""
    passes: bool = False
    """The whole line's success is this command's, too."""
    fails: bool = False
    """The whole line's failure is this command's, too."""
    negated: bool = False
    """It stands behind a `!`."""
    assigned: str = ""
    """The assignment right after it, like `status=$?`."""

    @property
    def program(self) -> str:
        """Name of the program, without its folder and a Windows ending."""
        return program_name(self.words[0])


def program_name(word: str) -> str:
    """Return the name of a program without its folder and a Windows ending."""
    name = re.split(r"[/\\]", word)[-1]
    return re.sub(r"\.(?:exe|cmd|bat)$", "", name, flags=re.IGNORECASE)


def split(command: str) -> tuple[Step, ...]:
    """Return the simple commands of a line, those handed to `sh -c` included."""
    return _split(command, 0)


def heredocs(command: str) -> tuple[str, ...]:
    """Return the bodies of the here-documents of a command line."""
    return _without_heredocs(command)[1]


def _split(command: str, depth: int) -> tuple[Step, ...]:
    steps = _judge(_steps(_without_heredocs(command)[0]))
    found: list[Step] = []
    for step in steps:
        inner = handed_over(step.words)
        if inner is None or depth >= _DEEPEST:
            found.append(step)
            continue
        found.extend(
            replace(one, passes=one.passes and step.passes, fails=one.fails and step.fails)
            for one in _split(inner, depth + 1)
        )
    return tuple(found)


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
    steps: list[Step] = []
    words: list[str] = []
    at = 0
    target = False
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            words.append(text[at:])
            break
        at = match.end()
        if match.lastgroup == "operator":
            _close(steps, words, match[0])
            words, target = [], False
        elif match.lastgroup == "redirect":
            target = True
        elif match.lastgroup == "word":
            if not target:
                words.append(_unquote(match[0]))
            target = False
    _close(steps, words, "")
    return steps


def _close(steps: list[Step], words: list[str], operator: str) -> None:
    joint = "" if operator in {"(", ")"} else _JOINTS.get(operator, operator)
    at = 0
    while at < len(words) and (words[at] in _KEYWORDS or _ASSIGNMENT.match(words[at])):
        at += 1
    if at < len(words):
        negated = "!" in words[:at]
        steps.append(Step(words=tuple(words[at:]), joint=joint, negated=negated))
    elif steps and joint and not steps[-1].joint:
        steps[-1] = replace(steps[-1], joint=joint)
    elif steps and len(words) == 1 and steps[-1].joint == ";" and not steps[-1].assigned:
        steps[-1] = replace(steps[-1], assigned=words[0])


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


def _judge(steps: list[Step]) -> list[Step]:
    """Find out for each command what the line's exit status says about it.

    It speaks for the last list of commands alone, and there for what had to succeed before the
    end was reached.
    """
    stopping = any(_sets(step, "e") for step in steps)
    pipefail = any(step.words[0] == "set" and "pipefail" in step.words for step in steps)
    binding = {"&&", *((";",) if stopping else ()), *(("|",) if pipefail else ())}
    ends = {"&"} if stopping else {";", "&"}
    first = max((at + 1 for at, step in enumerate(steps[:-1]) if step.joint in ends), default=0)
    chain = steps[first:]
    loud = sum(_may_fail(chain, at) for at in range(len(chain)))
    bound = bool(chain) and chain[-1].joint != "&"
    choice = next((at for at, step in enumerate(chain) if step.joint == "||"), len(chain))
    judged: list[Step] = []
    for index in range(len(chain) - 1, -1, -1):
        step = chain[index]
        bound = bound and (index == len(chain) - 1 or step.joint in binding)
        passes = bound and index <= choice and not step.negated
        others = loud - _may_fail(chain, index)
        judged.append(replace(step, passes=passes, fails=passes and not others))
    return [*steps[:first], *reversed(judged)]


def _may_fail(chain: list[Step], at: int) -> bool:
    sink = at > 0 and chain[at - 1].joint == "|" and chain[at].program in _SINKS
    return not sink and chain[at].program not in _QUIET


def _sets(step: Step, flag: str) -> bool:
    return step.words[0] == "set" and any(
        re.fullmatch(rf"-[a-z]*{flag}[a-z]*", word) for word in step.words[1:]
    )
