"""The row types that Claude Code is known to write, 1.0.98 to 2.1.294.

Everything that is in no list here is counted as unknown and named, never an error.
"""

from __future__ import annotations

# Rows of which something is kept.
READ = frozenset(
    {
        "user",
        "assistant",
        "system",
        "attachment",
        "progress",
        "summary",
        "queue-operation",
        "custom-title",
        "ai-title",
        "tag",
        "pr-link",
        "worktree-state",
        "last-prompt",
        "relocated",
    }
)

# Rows that hold nothing a journal needs.
IGNORED = frozenset(
    {
        "agent-color",
        "agent-name",
        "agent-setting",
        "artifact-autoreact-ledger",
        "artifact-comment-monitor",
        "atis-latch",
        "attribution-snapshot",
        "bridge-session",
        "content-replacement",
        "continued-in",
        "cost-state",
        "ended-by-model",
        "file-history-delta",
        "file-history-snapshot",
        "fork-context-ref",
        "frame-link",
        "history-suppression",
        "isolation-latch",
        "marble-origami-commit",
        "marble-origami-snapshot",
        "mode",
        "permission-mode",
        "rewind-pointer",
        "teleport-skipped-branch",
        "teleported-from",
    }
)

SYSTEM_IGNORED = frozenset(
    {
        "agents_killed",
        "bridge_status",  # holds a private address
        "file_snapshot",
        "memory_saved",
        "microcompact_boundary",  # old results left the context; the rows stay
        "permission_retry",
        "scheduled_task_fire",
        "thinking",
        "turn_duration",
    }
)

ATTACHMENT_IGNORED = frozenset(
    {
        "agent_listing_delta",
        "agent_mention",
        "already_read_file",
        "async_hook_response",
        "auto_mode",
        "auto_mode_exit",
        "bash_output_audience_note",
        "command_permissions",
        "compact_file_reference",
        "companion_intro",
        "date",
        "date_change",
        "deferred_tools_delta",
        "deferred_tools_record",
        "diagnostics",
        "directory",
        "dynamic_skill",
        "environment",
        "file",
        "invoked_skills",
        "mcp_instructions_delta",
        "model",
        "nested_memory",
        "output_style",
        "plan_file_reference",
        "plan_mode",
        "plan_mode_exit",
        "plan_mode_reentry",
        "prompt_snapshot",
        "read_truncation_notice",
        "relevant_memories",
        "session_context",
        "silent_turn_reminder",
        "skill_listing",
        "structured_output",
        "task_reminder",
        "task_status",
        "total_tokens_reminder",
        "workflow_size_guideline_change",
    }
)

# Blocks that hold nothing to tell, or bytes of pictures that are counted only.
BLOCKS_IGNORED = frozenset({"redacted_thinking", "fallback", "container_upload"})
PICTURES = frozenset({"image", "document"})


def is_known_row(kind: str) -> bool:
    """Tell whether `kind` is a row type that Claude Code is known to write."""
    return kind in READ or kind in IGNORED


def is_ignored_system(subtype: str) -> bool:
    """Tell whether system rows of `subtype` are known and hold nothing to tell."""
    return subtype in SYSTEM_IGNORED or subtype.startswith("hook_")


def is_ignored_attachment(kind: str) -> bool:
    """Tell whether attachments of `kind` are known and hold nothing to tell."""
    return kind in ATTACHMENT_IGNORED or kind.startswith("hook_")
