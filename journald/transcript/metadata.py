"""What a session's rows say of the session as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

from journald.transcript.clean import clean
from journald.transcript.project import project_name
from journald.transcript.records import Row, WorktreeSession, decode_body

# git's own word for no branch.
_NO_BRANCH = frozenset({"", "HEAD"})


class Metadata:
    """Collects title, tags, folders, branches and versions; the last title of a kind wins."""

    def __init__(self) -> None:
        self.leaves: dict[str, str] = {}
        """Summaries by the row they belong to, which may be another file's."""
        self.custom_title: str | None = None
        self.ai_title: str | None = None
        self.tag: str | None = None
        self.leaf: str | None = None
        """Tip of the branch that was active last."""
        self.leaf_line = 0
        self._pull_requests: dict[tuple[int, str], None] = {}
        self._cwds: dict[str, None] = {}
        self._branches: dict[str, None] = {}
        self._versions: dict[str, None] = {}
        self._entrypoints: dict[str, None] = {}
        self._branch: str | None = None
        self._here: tuple[str | None, ...] = ()
        self._worktree_of: str | None = None
        self._sessions: Counter[str] = Counter()

    def add_place(self, row: Row) -> None:
        """Note where and with what the work of a row was done."""
        if row.sessionId:
            self._sessions[row.sessionId] += 1
        here = (row.cwd, row.version, row.entrypoint, row.gitBranch)
        if here == self._here:
            return
        self._here = here
        if row.cwd:
            self._cwds.setdefault(clean(row.cwd))
        if row.version:
            self._versions.setdefault(clean(row.version))
        if row.entrypoint:
            self._entrypoints.setdefault(clean(row.entrypoint))
        if row.gitBranch is not None:
            branch = clean(row.gitBranch)
            if branch not in _NO_BRANCH:
                self._branch = branch
                self._branches.setdefault(branch)

    def add(self, line: int, row: Row) -> None:
        """Note what a row outside of the conversation tells."""
        if row.type == "custom-title":
            self.custom_title = _line(row.customTitle) or self.custom_title
        elif row.type == "ai-title":
            self.ai_title = _line(row.aiTitle) or self.ai_title
        elif row.type == "tag":
            self.tag = _line(row.tag)
        elif row.type == "last-prompt":
            self.leaf, self.leaf_line = row.leafUuid or self.leaf, line
        elif row.type == "summary" and row.leafUuid and _line(row.summary):
            self.leaves[row.leafUuid] = _line(row.summary) or ""
        elif row.type == "pr-link" and row.prNumber is not None:
            self._pull_requests.setdefault((row.prNumber, clean(row.prUrl or "")))
        elif row.type == "worktree-state":
            session = decode_body(row.worktreeSession, WorktreeSession)
            self._worktree_of = session.originalCwd or self._worktree_of
        elif row.type == "relocated" and row.relocatedCwd:
            self._cwds.setdefault(clean(row.relocatedCwd))

    def title(self, known: Container[str], beside: str | None = None) -> str | None:
        """Return the title; `known` holds the uuids of this file, for its summaries.

        `beside` is the title in the file that some versions keep beside the transcript.
        """
        own = [text for leaf, text in self.leaves.items() if leaf in known]
        custom = self.custom_title or _line(beside)
        return custom or self.ai_title or (own[-1] if own else None)

    def foreign(self, session_id: str) -> dict[str, int]:
        """Return how many rows of this file name another session, by that session.

        They are read as this session's: the file's name decides, as Claude Code itself writes
        other ids into copies, forks and renamed files (anthropics/claude-code#95234). Rows that
        are another file's by their uuid are not among them.
        """
        others = self._sessions.items()
        return {clean(name): count for name, count in others if name != session_id}

    def project(self) -> str:
        """Return the name of the repository or folder."""
        return project_name(self._worktree_of or self.cwd)

    @property
    def cwd(self) -> str | None:
        """First working directory."""
        return next(iter(self._cwds), None)

    @property
    def branch(self) -> str | None:
        """Branch named last."""
        return self._branch

    @property
    def cwds(self) -> tuple[str, ...]:
        """All working directories."""
        return tuple(self._cwds)

    @property
    def branches(self) -> tuple[str, ...]:
        """All branches."""
        return tuple(self._branches)

    @property
    def versions(self) -> tuple[str, ...]:
        """All versions of Claude Code."""
        return tuple(self._versions)

    @property
    def entrypoints(self) -> tuple[str, ...]:
        """All ways in which Claude Code was started."""
        return tuple(self._entrypoints)

    @property
    def pull_requests(self) -> tuple[tuple[int, str], ...]:
        """Number and address of each linked pull request."""
        return tuple(self._pull_requests)


def _line(text: str | None) -> str | None:
    """Return a title as one line; None when nothing is left."""
    return " ".join(clean(text).split()) or None if text else None
