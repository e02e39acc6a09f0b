import pytest

from journald.engine.faults import root_cause, run_error, start_error
from journald.errors import EngineUnavailableError

CHILD = RuntimeError(
    "Engine core initialization failed. See root cause above. Failed core proc(s): {}"
)


@pytest.mark.parametrize(
    ("log", "message", "retryable"),
    [
        (
            (
                "ValueError: Free memory on device cuda:0 (9.1/15.6 GiB) on startup is less than "
                "desired GPU memory utilization (0.9, 14.0 GiB)."
            ),
            "taken by other programs",
            True,
        ),
        (
            (
                "ValueError: No available memory for the cache blocks. Try increasing "
                "`gpu_memory_utilization` when initializing the engine."
            ),
            "no room for the KV cache",
            False,
        ),
        (
            (
                "ValueError: To serve at least one request with the model's max seq len (32768), "
                "(4.5 GiB KV cache is needed, which is larger than the available KV cache memory"
            ),
            "not even one sequence",
            False,
        ),
        (
            "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB",
            "does not fit",
            True,
        ),
        ("AssertionError: Error in memory profiling. Initial free memory", "measured it", True),
        (
            "NotImplementedError: FP8 KV cache on CPU requires x86 with AVX-512 or AMX",
            "cannot be kept in that precision",
            False,
        ),
        ("ValueError: Cannot find the config file for awq", "not quantised in the way", False),
        ("safetensors_rust.SafetensorError: Error while deserializing", "damaged", False),
    ],
)
def test_a_known_message_is_told_in_the_user_s_terms(
    log: str, message: str, retryable: bool
) -> None:
    error = start_error(CHILD, f"ERROR EngineCore failed to start.\n{log}\n", model="mine")
    assert message in str(error)
    assert str(error).startswith("vLLM cannot start mine: ")
    assert error.hint
    assert error.retryable is retryable
    assert isinstance(error, EngineUnavailableError) is not retryable


def test_an_unknown_failure_is_told_by_its_first_cause() -> None:
    log = (
        "ERROR WorkerProc failed to start.\nTraceback (most recent call last):\n"
        '  File "worker.py", line 7, in load\nmade.up.StrangeError: the moon is full\n'
        "ERROR EngineCore failed to start.\nException: WorkerProc initialization failed due to an "
        "exception in a background process. See stack trace for root cause.\n"
    )
    assert root_cause(log) == "StrangeError: the moon is full"
    error = start_error(CHILD, log, model="mine")
    assert str(error) == "vLLM cannot start mine: StrangeError: the moon is full"
    assert error.retryable


def test_without_a_log_the_error_itself_is_told() -> None:
    assert "ValueError: no such thing" in str(
        start_error(ValueError("no such thing"), "", model="m")
    )


def test_of_a_death_at_work_only_the_kind_of_error_is_told() -> None:
    assert str(run_error("ERROR\nKeyError: 'words of the session'\n")) == (
        "the engine's process died (KeyError)"
    )
    assert str(run_error("")) == "the engine's process died"
    assert "does not fit" in str(run_error("torch.OutOfMemoryError: CUDA out of memory"))
