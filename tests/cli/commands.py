"""Runs command lines as the shell would, without a process of their own."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from journald.cli.main import call


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        [line] = self.err.splitlines()
        return json.loads(line)["error"]


Journald = Callable[..., Ran]


def runner(home: Path, capsys: pytest.CaptureFixture[str]) -> Journald:
    def journald(*arguments: str | Path, **environment: str) -> Ran:
        capsys.readouterr()
        code = call([str(one) for one in arguments], {"HOME": str(home), **environment})
        captured = capsys.readouterr()
        return Ran(code=code, out=captured.out, err=captured.err)

    return journald
