"""The one engine of the process: loaded when it is first needed, kept warm, given back when idle.

    cold ──obtain──▶ warm ──close_if_idle──▶ cold
      ▲                └──died──┐
      └── pause is over ── waiting ──too often──▶ down ── pause is over ──▶ cold

`waiting`: no job is to be claimed until the pause is over. `down`: entries are written without
a model meanwhile, as pending, and one load is tried again after each pause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from journald import config
from journald.engine.base import Engine
from journald.errors import EngineDeadError, EngineError, EngineUnavailableError
from journald.logs import LogEvent, logger

FAILURES_UNTIL_DOWN = 3
_EXTRACTIVE = "extractive"
_FIRST_PAUSE = timedelta(seconds=10)
_LONGEST_PAUSE = timedelta(minutes=30)
_DOUBLINGS = 10


class EngineState(StrEnum):
    """States of the engine, as `journald status` shows them."""

    NONE = "none"  # none is wanted, or none can be had here
    COLD = "cold"
    LOADING = "loading"
    WARM = "warm"
    WAITING = "waiting"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Absence:
    """There is no engine now: why, and whether one is to be had later."""

    reason: str
    pending: bool


class WarmEngine:
    """Holds the engine; used by one thread, its state read by others.

    `name` is the engine's kind after `auto` was resolved, `reason` why; `load` builds it and
    raises EngineError.
    """

    def __init__(
        self,
        settings: config.Engine,
        *,
        name: str,
        reason: str,
        load: Callable[[], Engine],
        now: Callable[[], datetime],
    ) -> None:
        self._settings = settings
        self._load = load
        self._now = now
        self._log = logger(engine=name)
        self._engine: Engine | None = None
        self._failures = 0
        self._last_used = now()
        self._retry_at: datetime | None = None
        self.name = name
        self.reason = reason
        self.state = EngineState.NONE if name == _EXTRACTIVE else EngineState.COLD
        self._log.info(LogEvent.ENGINE_CHOSEN, reason=reason)

    @property
    def retry_at(self) -> datetime | None:
        """When an engine may be had again; None when nothing stands against it now."""
        if self._retry_at is None or self._now() >= self._retry_at:
            return None
        return self._retry_at

    @property
    def paused_until(self) -> datetime | None:
        """Until when no job is to be claimed; None when jobs may be."""
        return self.retry_at if self.state is EngineState.WAITING else None

    def obtain(self) -> Engine | Absence:
        """Return the engine, loading it if need be, or say why there is none.

        Raises EngineDeadError when loading failed and is to be tried again shortly.
        """
        if self.state is EngineState.NONE:
            return Absence(reason=self.reason, pending=False)
        if self._engine is None:
            if self.state is EngineState.DOWN and self.retry_at is not None:
                return Absence(reason=self.reason, pending=True)
            self._engine = self._build()
            if self._engine is None:
                return Absence(reason=self.reason, pending=True)
        self._last_used = self._now()
        return self._engine

    def died(self, error: EngineError) -> None:
        """Take note that the engine is gone; the next one is built after a pause."""
        self._discard()
        self._failed(error)

    def worked(self) -> None:
        """Take note that the engine served a whole job."""
        if self._engine is not None:
            self._failures = 0
            self._last_used = self._now()

    def close_if_idle(self) -> None:
        """Give the GPU back when the engine had nothing to do for the time that is set."""
        idle = self._now() - self._last_used
        if self._engine is not None and idle >= self._settings.vllm.keep_warm:
            self.close()

    def close(self) -> None:
        """Give the engine's memory back; idempotent."""
        if self._engine is not None:
            self._discard()
            self.state = EngineState.COLD
            self._log.info(LogEvent.ENGINE_CLOSED)

    def _build(self) -> Engine | None:
        self.state = EngineState.LOADING
        started = self._now()
        try:
            engine = self._load()
        except EngineUnavailableError as error:
            # Trying again in ten seconds would find the same machine.
            self._failures = max(self._failures, FAILURES_UNTIL_DOWN - 1)
            self._failed(error)
            return None
        except EngineError as error:
            self._failed(error)
            if self.state is EngineState.DOWN:
                return None
            raise EngineDeadError(f"the engine cannot be loaded: {error}") from error
        self.state = EngineState.WARM
        self._retry_at = None
        seconds = (self._now() - started).total_seconds()
        self._log.info(LogEvent.ENGINE_LOADED, model=engine.model, duration_s=round(seconds, 1))
        return engine

    def _failed(self, error: EngineError) -> None:
        self._failures += 1
        doubled = _FIRST_PAUSE * (1 << min(self._failures - 1, _DOUBLINGS))
        down = self._failures >= FAILURES_UNTIL_DOWN
        pause = _LONGEST_PAUSE if down else min(_LONGEST_PAUSE, doubled)
        self._retry_at = self._now() + pause
        self.reason = str(error)
        self.state = EngineState.DOWN if down else EngineState.WAITING
        self._log.warning(
            LogEvent.ENGINE_GIVEN_UP if down else LogEvent.ENGINE_FAILED,
            error=str(error),
            failures=self._failures,
            retry_in_s=pause.total_seconds(),
        )

    def _discard(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()


def warm_engine(
    settings: config.Engine, environment: Mapping[str, str], now: Callable[[], datetime]
) -> WarmEngine:
    """Return the engine that `settings` mean on this machine, not loaded yet."""
    from journald.engine import choice  # noqa: PLC0415 - looks at the machine

    chosen = choice.choose(settings, environment)

    def load() -> Engine:
        from journald.engine.vllm import load as load_vllm  # noqa: PLC0415 - only where it is used

        return load_vllm(settings.vllm, environment)

    return WarmEngine(settings, name=chosen.name, reason=chosen.reason, load=load, now=now)
