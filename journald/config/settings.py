"""The settings tree: every setting with its default and its description.

`config.example.yaml` is made from this tree, and a file is read and checked along it.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from journald import paths


def _about(text: str) -> Meta:
    return Meta(description=text)


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of settings; every table of the file is one of these."""


class Idle(Table, frozen=True, kw_only=True):
    """When a session counts as finished for now."""

    after: Annotated[timedelta, _about("silence after which a session is journaled")] = timedelta(
        minutes=15
    )
    pending_after: Annotated[
        timedelta,
        _about("the same while a tool call, a sub-agent or a permission is still waiting"),
    ] = timedelta(hours=2)
    scan_every: Annotated[timedelta, _about("how often the projects folders are scanned whole")] = (
        timedelta(minutes=5)
    )


class Vllm(Table, frozen=True, kw_only=True):
    """The vLLM engine; the defaults are for a 16 GB card."""

    model: Annotated[str, _about("model folder, or a name in the local model cache")] = (
        "Qwen/Qwen3-8B-AWQ"
    )
    device: Annotated[
        Literal["auto", "cuda", "cpu"], _about("auto takes the GPU where there is one")
    ] = "auto"
    dtype: Annotated[str, _about("auto, float16, bfloat16 or float32; a CPU wants float32")] = (
        "auto"
    )
    max_model_len: Annotated[int, Meta(ge=1024), _about("window in tokens")] = 32768
    max_num_seqs: Annotated[int, Meta(ge=1), _about("sequences that run at once")] = 6
    gpu_memory_utilization: Annotated[
        float, Meta(gt=0, le=1), _about("share of the card's memory that vLLM may take")
    ] = 0.90
    kv_cache_dtype: Annotated[
        str, _about("fp8 (e4m3) halves the cache; auto keeps the model's precision")
    ] = "fp8"
    kv_cache_memory: Annotated[
        int, Meta(ge=0), _about("bytes of KV cache on a CPU, where vLLM would take most of the RAM")
    ] = 1 << 30
    enforce_eager: Annotated[
        bool, _about("skip graph capture and compilation; always so on a CPU")
    ] = False
    args: Annotated[
        dict[str, Any], _about("further arguments of vllm.LLM, as they are called there")
    ] = msgspec.field(default_factory=dict)
    temperature: Annotated[float, Meta(ge=0), _about("0 always takes the likeliest token")] = 0.7
    top_p: Annotated[
        float, Meta(gt=0, le=1), _about("share of probability that is sampled from")
    ] = 0.8
    top_k: Annotated[int, Meta(ge=-1), _about("tokens that are sampled from; -1 for all")] = 20
    presence_penalty: Annotated[
        float, Meta(ge=-2, le=2), _about("keeps a small model from going round in circles")
    ] = 0.5
    seed: Annotated[int, Meta(ge=0), _about("where sampling starts from")] = 0
    keep_warm: Annotated[
        timedelta, _about("how long the engine stays loaded with nothing to do")
    ] = timedelta(minutes=10)
    batch_timeout: Annotated[
        timedelta, _about("how long a batch may stand still before the engine counts as hung")
    ] = timedelta(minutes=30)


class Retry(Table, frozen=True, kw_only=True):
    """How often and how patiently the engine is asked again within one job."""

    attempts: Annotated[
        int, Meta(ge=1, le=20), _about("calls for one prompt, the first included")
    ] = 4
    wait: Annotated[timedelta, _about("first pause; it doubles, with jitter")] = timedelta(
        seconds=1
    )
    wait_at_most: Annotated[timedelta, _about("longest pause")] = timedelta(seconds=30)


class Engine(Table, frozen=True, kw_only=True):
    """What writes the narrative."""

    name: Annotated[
        Literal["auto", "vllm", "extractive"],
        _about("auto takes vllm where it can run, else extractive (no model)"),
    ] = "auto"
    vllm: Vllm = Vllm()
    retry: Retry = Retry()


class Digest(Table, frozen=True, kw_only=True):
    """How much of each thing the model is shown, in characters."""

    result_head: Annotated[int, Meta(ge=0), _about("start of a tool result")] = 900
    result_tail: Annotated[int, Meta(ge=0), _about("end of a tool result")] = 500
    error_head: Annotated[int, Meta(ge=0), _about("start of a failed result")] = 1500
    error_tail: Annotated[int, Meta(ge=0), _about("end of a failed result")] = 1500
    diff: Annotated[int, Meta(ge=0), _about("one file change")] = 1200
    command: Annotated[int, Meta(ge=0), _about("one command line")] = 1000
    pasted: Annotated[
        int, Meta(ge=1000), _about("one message of the user; longer ones are pasted material")
    ] = 16000


class Plan(Table, frozen=True, kw_only=True):
    """How a long session is cut."""

    single_pass_tokens: Annotated[
        int,
        Meta(ge=256),
        _about("digests up to this size are read in one pass, if the window holds them"),
    ] = 32768
    chunk_tokens: Annotated[int, Meta(ge=256), _about("largest chunk, its overlap included")] = (
        29000
    )
    chunk_tokens_least: Annotated[
        int, Meta(ge=128), _about("a cut is looked for from this size on")
    ] = 25000
    overlap: Annotated[
        float, Meta(ge=0, le=0.5), _about("share of a chunk told again in the next")
    ] = 0.10
    note_tokens: Annotated[int, Meta(ge=64), _about("room for the notes on one chunk")] = 900
    narrative_tokens: Annotated[int, Meta(ge=128), _about("room for the narrative")] = 2600


class Grounding(Table, frozen=True, kw_only=True):
    """How the narrative is held against the transcript."""

    ask_again: Annotated[
        bool, _about("ask the model once to mend what the transcript does not bear out")
    ] = True
    unfounded: Annotated[
        Literal["drop", "mark"], _about("what becomes of a statement that still does not hold")
    ] = "drop"


class Redact(Table, frozen=True, kw_only=True):
    """Secrets are always redacted; this adds to what counts as one."""

    patterns: Annotated[
        dict[str, str], _about("further kinds: a name and a regular expression each")
    ] = msgspec.field(default_factory=dict)


class Journal(Table, frozen=True, kw_only=True):
    """The entries."""

    folders: Annotated[
        Literal["flat", "month", "project"], _about("how entries are filed inside notes_dir")
    ] = "month"
    tags: Annotated[tuple[str, ...], _about("tags that every entry gets")] = ("claude-code",)
    shortest: Annotated[
        int,
        Meta(ge=0),
        _about("sessions with fewer requests and no tool call are too trivial for an entry"),
    ] = 1


class Queue(Table, frozen=True, kw_only=True):
    """How jobs are tried again."""

    attempts: Annotated[int, Meta(ge=1), _about("runs of one job before it is given up")] = 5
    wait: Annotated[timedelta, _about("first pause after a failure; it doubles")] = timedelta(
        seconds=30
    )
    wait_at_most: Annotated[timedelta, _about("longest pause")] = timedelta(hours=1)
    grace: Annotated[timedelta, _about("how long a running job may go on after SIGTERM")] = (
        timedelta(seconds=20)
    )


class Log(Table, frozen=True, kw_only=True):
    """The log."""

    level: Annotated[
        Literal["debug", "info", "warning", "error"], _about("what is left out below")
    ] = "info"
    format: Annotated[
        Literal["auto", "console", "json"],
        _about("auto: console on a terminal, JSON lines otherwise"),
    ] = "auto"


class Settings(Table, frozen=True, kw_only=True):
    """All settings. Everything works with no file at all."""

    projects: Annotated[
        tuple[Path, ...],
        _about(
            "Claude Code's projects folders; "
            "default $CLAUDE_CONFIG_DIR/projects, else ~/.claude/projects"
        ),
    ]
    notes_dir: Annotated[Path, _about("where the entries go")]
    state_dir: Annotated[Path, _about("where the queue lives; default $XDG_STATE_HOME/journald")]
    backlog: Annotated[
        timedelta, _about("on the first start, journal what went idle within this time")
    ] = timedelta(days=7)
    idle: Idle = Idle()
    engine: Engine = Engine()
    digest: Digest = Digest()
    plan: Plan = Plan()
    grounding: Grounding = Grounding()
    redact: Redact = Redact()
    journal: Journal = Journal()
    queue: Queue = Queue()
    log: Log = Log()


def defaults(environment: Mapping[str, str]) -> Settings:
    """Return the settings of a machine with no configuration file."""
    return Settings(
        projects=paths.projects_dirs(environment),
        notes_dir=paths.notes_dir(environment),
        state_dir=paths.state_dir(environment),
    )
