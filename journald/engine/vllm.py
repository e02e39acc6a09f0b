"""vLLM in this program, kept warm: the one place where its names stand.

vLLM runs its engine in child processes and talks to them. What it needs of the process
environment (spawned children, no network, no usage statistics, its log away from stdout) is set
when an engine is loaded. A batch is driven step by step here instead of by `LLM.chat`, which
never returns when the engine's process is killed and which leaves requests behind when it is
left by an exception, to be answered in the next batch.
"""

from __future__ import annotations

import contextlib
import gc
import json
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count as numbers
from pathlib import Path
from typing import Any

from journald import config
from journald.engine.arguments import Device, check_arguments, vllm_arguments, vllm_folder
from journald.engine.base import Capacity, Failure, FailureReason, Outcome, Prompt
from journald.engine.batch import Batch
from journald.engine.chat import Chat, counter_of
from journald.engine.choice import find_build, find_device, has_gpu
from journald.engine.faults import run_error, start_error
from journald.engine.models import find_model
from journald.engine.orphans import Watchman
from journald.engine.vigil import Vigil
from journald.errors import EngineDeadError, EngineUnavailableError

_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # A child that is forked from a program with threads may never get going.
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    # A process of its own can die, or hang, without taking the daemon along.
    "VLLM_ENABLE_V1_MULTIPROCESSING": "1",
}
# vLLM leaves a core to the rest of the machine; with so few, that is half of them or more.
_FEW_CORES = 4
_GRACE = 5.0
_LONGEST_LOG = 100_000


def load(settings: config.Vllm, environment: Mapping[str, str]) -> VllmEngine:
    """Return a loaded engine. Takes from seconds to minutes.

    Raises EngineUnavailableError when it cannot be had here as things are, ConfigError for
    `args` that vLLM does not know, and EngineError for what may pass.
    """
    device = find_device(settings.device, find_build(), gpu=has_gpu(environment))
    folder = find_model(settings.model, environment)
    check_arguments(settings.args, vllm_folder() or Path())
    watchman = Watchman()
    with contextlib.ExitStack() as undo:
        undo.callback(watchman.release)
        log = watchman.folder / "vllm.log"
        with _process_environment({**_variables(device, environment, log), **watchman.mark}):
            LLM = _imported()  # noqa: N806 - it is a class
            try:
                llm = LLM(**vllm_arguments(settings, folder, device, environment))
            except Exception as error:
                raise start_error(error, _tail(log), model=settings.model) from error
        undo.callback(llm.llm_engine.engine_core.shutdown, timeout=_GRACE)
        engine = VllmEngine(llm, settings, watchman, log)
        undo.pop_all()
        return engine


def _imported() -> Any:
    """Import vLLM. Raises EngineUnavailableError."""
    try:
        from vllm import LLM  # noqa: PLC0415 - ten seconds
    except Exception as error:
        # A build that does not fit the machine fails in many ways: a missing library of the
        # driver, operators of another torch.
        raise EngineUnavailableError(
            f"vLLM is installed but cannot be imported: {type(error).__name__}: {error}",
            hint="Install journald[vllm] or journald[cpu] into a fresh environment.",
        ) from error
    return LLM


@contextlib.contextmanager
def _process_environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Set `variables` for what is started meanwhile, which inherits them for good."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _variables(device: Device, environment: Mapping[str, str], log: Path) -> dict[str, str]:
    """Return what vLLM, and the libraries that it uses, are told through the environment.

    vLLM logs into the file `log`, unless the user set up its log: why a child process failed
    stands nowhere else, and stdout is not the place for it.
    """
    variables = dict(_ENVIRONMENT)
    if not {"VLLM_CONFIGURE_LOGGING", "VLLM_LOGGING_CONFIG_PATH"} & environment.keys():
        settings = log.with_suffix(".json")
        settings.write_text(json.dumps(_log_settings(log)), encoding="utf-8")
        variables["VLLM_LOGGING_CONFIG_PATH"] = str(settings)
    cores = sorted(os.sched_getaffinity(0))
    if (
        device == "cpu"
        and len(cores) <= _FEW_CORES
        and "VLLM_CPU_OMP_THREADS_BIND" not in environment
    ):
        variables["VLLM_CPU_OMP_THREADS_BIND"] = ",".join(map(str, cores))
    return variables


def _log_settings(log: Path) -> dict[str, Any]:
    handler = {"class": "logging.FileHandler", "filename": str(log), "formatter": "plain"}
    logger = {"handlers": ["file"], "level": "WARNING", "propagate": False}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"format": "%(levelname)s %(message)s"}},
        "handlers": {"file": handler},
        "loggers": {"vllm": logger},
    }


def _tail(log: Path) -> str:
    try:
        return log.read_text(encoding="utf-8", errors="replace")[-_LONGEST_LOG:]
    except FileNotFoundError:
        return ""


class VllmEngine:
    """A loaded vLLM; see `base.Engine`. Made by `load`."""

    name = "vllm"

    def __init__(self, llm: Any, settings: config.Vllm, watchman: Watchman, log: Path) -> None:
        self._llm: Any = llm
        self._settings = settings
        self._watchman = watchman
        self._log = log
        self._numbers = numbers()
        self._chat = Chat(llm.get_tokenizer(), llm.chat_template)
        self.model = Path(settings.model).name if Path(settings.model).is_dir() else settings.model
        self.capacity = _capacity(llm, settings)
        self.count = counter_of(llm.get_tokenizer())

    def prompt_tokens(self, prompt: Prompt) -> int:
        """Return the exact length of `prompt` in tokens, chat template included."""
        return len(self._chat.encode(prompt.system, prompt.user))

    def generate(
        self, prompts: Sequence[Prompt], *, progress: Callable[[], None] = lambda: None
    ) -> tuple[Outcome, ...]:
        """Run `prompts` as one batch; see `base.Engine`."""
        llm = self._llm
        if llm is None:
            raise EngineDeadError("the engine is closed")
        from vllm.v1.engine.exceptions import EngineDeadError as Died  # noqa: PLC0415 - heavy

        silence = self._settings.batch_timeout.total_seconds()
        batch = Batch(llm, self._numbers)
        with Vigil(llm.llm_engine.engine_core, Died, silence=silence) as vigil:
            try:
                for prompt in prompts:
                    self._submit(batch, prompt)
                while batch.running:
                    batch.step()
                    vigil.heard()
                    progress()
            except Died as error:
                if vigil.hung:
                    raise EngineDeadError(
                        f"the engine gave no sign of life for {silence:.0f} s"
                    ) from error
                raise run_error(_tail(self._log)) from error
            finally:
                batch.abandon()
        return batch.outcomes

    def close(self) -> None:
        """Give the model's memory back and end vLLM's processes; idempotent."""
        llm, self._llm = self._llm, None
        if llm is None:
            return
        try:
            llm.llm_engine.engine_core.shutdown(timeout=_GRACE)
        finally:
            self._watchman.release()
        for child in multiprocessing.active_children():
            # One that was just killed is not gone before it is waited for.
            if child.name.startswith("EngineCore"):
                child.join(_GRACE)
        del llm
        gc.collect()

    def _submit(self, batch: Batch, prompt: Prompt) -> None:
        from vllm import SamplingParams  # noqa: PLC0415 - heavy
        from vllm.exceptions import VLLMValidationError  # noqa: PLC0415 - heavy

        tokens = self._chat.encode(prompt.system, prompt.user)
        if len(tokens) + prompt.max_tokens > self.capacity.window:
            message = (
                f"{len(tokens)} tokens and {prompt.max_tokens} for the answer exceed the window "
                f"of {self.capacity.window}"
            )
            batch.settle(Failure(reason=FailureReason.TOO_LONG, message=message))
            return
        try:
            batch.add(tokens, SamplingParams(**self._sampling(prompt)))
        except (VLLMValidationError, ValueError, TypeError) as error:
            # The words may quote the prompt's schema, never its text: that went in as numbers.
            batch.settle(Failure(reason=FailureReason.REJECTED, message=str(error)[:300]))

    def _sampling(self, prompt: Prompt) -> dict[str, Any]:
        from vllm.sampling_params import (  # noqa: PLC0415 - heavy
            RequestOutputKind,
            StructuredOutputsParams,
        )

        settings = self._settings
        return {
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "top_k": settings.top_k,
            "presence_penalty": settings.presence_penalty,
            "seed": settings.seed + prompt.seed,
            "max_tokens": prompt.max_tokens,
            "output_kind": RequestOutputKind.FINAL_ONLY,
            "structured_outputs": (
                None if prompt.schema is None else StructuredOutputsParams(json=dict(prompt.schema))
            ),
        }


def _capacity(llm: Any, settings: config.Vllm) -> Capacity:
    """Return what the engine reports of its size."""
    window = llm.llm_engine.model_config.max_model_len
    cache = llm.llm_engine.vllm_config.cache_config
    tokens = getattr(cache, "kv_cache_size_tokens", None)
    whole = getattr(cache, "kv_cache_max_concurrency", None)
    scheduler = llm.llm_engine.vllm_config.scheduler_config
    at_once = scheduler.max_num_seqs or settings.max_num_seqs
    if whole is not None:
        at_once = min(at_once, max(1, int(whole)))
    return Capacity(window=window, kv_tokens=tokens, concurrency=at_once)
