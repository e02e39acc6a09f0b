"""Settings: one frozen tree, and how a YAML file becomes one."""

from journald.config.settings import (
    Digest,
    Engine,
    Grounding,
    Idle,
    Journal,
    Log,
    Plan,
    Queue,
    Redact,
    Retry,
    Settings,
    Table,
    Vllm,
    defaults,
)

__all__ = [
    "Digest",
    "Engine",
    "Grounding",
    "Idle",
    "Journal",
    "Log",
    "Plan",
    "Queue",
    "Redact",
    "Retry",
    "Settings",
    "Table",
    "Vllm",
    "defaults",
]
