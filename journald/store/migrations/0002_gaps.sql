-- Names of kinds come from transcripts; they are cut and redacted before they get here.

-- What could not be read of a session, as its last finished job left it; no row: all was read.
CREATE TABLE gaps (
    session_id    TEXT    PRIMARY KEY REFERENCES sessions (session_id) ON DELETE CASCADE,
    broken        INTEGER NOT NULL CHECK (broken >= 0),         -- lines
    recovered     INTEGER NOT NULL CHECK (recovered >= 0),      -- lines
    unknown       INTEGER NOT NULL CHECK (unknown >= 0),        -- lines
    skipped_bytes INTEGER NOT NULL CHECK (skipped_bytes >= 0),
    elided_chars  INTEGER NOT NULL CHECK (elided_chars >= 0),
    truncated     INTEGER NOT NULL CHECK (truncated IN (0, 1))
) STRICT;

CREATE TABLE unknown_kinds (
    session_id TEXT    NOT NULL REFERENCES gaps (session_id) ON DELETE CASCADE,
    version    TEXT    NOT NULL,                                -- of Claude Code
    kind       TEXT    NOT NULL,
    count      INTEGER NOT NULL CHECK (count > 0),
    PRIMARY KEY (session_id, version, kind)
) STRICT, WITHOUT ROWID;

-- The kinds that the log has named; they stay when their sessions go.
CREATE TABLE named_kinds (
    version TEXT NOT NULL,
    kind    TEXT NOT NULL,
    PRIMARY KEY (version, kind)
) STRICT, WITHOUT ROWID;
