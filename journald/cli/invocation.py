"""What every command knows about how it was called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from journald.config import Settings
    from journald.config.file import Loaded

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """The options that stand before the command, and the environment."""

    environment: Mapping[str, str]
    config: Path | None = None
    """File named by `--config`."""
    debug: bool = False

    def load(self) -> Loaded:
        """Read the configuration. Raises ConfigError."""
        from journald.config.file import load  # noqa: PLC0415 - help needs no YAML

        return load(self.environment, self.config)

    def settings(self) -> Settings:
        """Return the settings that hold. Raises ConfigError."""
        return self.load().settings


class Command(click.Command):
    """A command that can show how it is called rightly."""

    def __init__(self, *arguments: Any, example: str, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.example = example
        self.epilog = f"Example: {example}"


class Group(click.Group):
    """A group of commands that can show how one is called rightly."""

    def __init__(self, *arguments: Any, example: str, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.example = example


pass_invocation = click.make_pass_decorator(Invocation)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
