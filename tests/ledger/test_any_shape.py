from datetime import UTC
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from journald.ledger.ledger import build_ledger
from tests.ledger.agents import notify
from tests.sessions import Script

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["sha", "id", "lines", "url", "status"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
TOOLS = ["Bash", "Monitor", "BashOutput", "TaskOutput", "KillShell", "Write", "Edit", "MultiEdit",
         "NotebookEdit", "Read", "WebFetch", "AskUserQuestion", "TodoWrite", "TaskCreate",
         "TaskUpdate", "Task", "mcp__web__fetch"]  # fmt: skip
ARGUMENTS = ["command", "file_path", "notebook_path", "content", "edits", "old_string",
             "new_string", "questions", "todos", "taskId", "task_id", "shell_id", "url", "urls",
             "subject", "description"]  # fmt: skip
DETAILS = ["exitCode", "gitOperation", "backgroundTaskId", "task", "taskId", "structuredPatch",
           "type", "filePath", "answers", "status", "agentId", "code", "success", "contentLines",
           "returnCodeInterpretation", "timedOutAfterMs", "userModified", "shell_id"]  # fmt: skip


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(TOOLS),
            st.dictionaries(st.sampled_from(ARGUMENTS), VALUES, max_size=4),
            st.dictionaries(st.sampled_from(DETAILS), VALUES, max_size=4),
            st.text(max_size=20),
            st.booleans(),
        ),
        max_size=6,
    )
)
def test_facts_of_whatever_shape_are_read_or_left(
    calls: list[tuple[str, dict[str, Any], dict[str, Any], str, bool]],
) -> None:
    script = Script()
    for name, arguments, details, text, failed in calls:
        script.tool(name, arguments, text, details=details, is_error=failed)
        notify(script, text, **details)
    ledger = build_ledger(script.session(), UTC)
    assert {error.id for error in ledger.errors} <= {event.id for event in script.events}
