-- Times are microseconds since 1970, UTC. No column holds words of a transcript.

CREATE TABLE migrations (
    version    INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    program    TEXT    NOT NULL,
    applied_us INTEGER NOT NULL
) STRICT;

-- One row: what the first start fixed. What a session did before `history_before_us` is history.
CREATE TABLE origin (
    id                INTEGER PRIMARY KEY CHECK (id = 1),
    first_start_us    INTEGER NOT NULL,
    history_before_us INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    session_id       TEXT PRIMARY KEY,
    path             TEXT    NOT NULL,
    signature        TEXT    NOT NULL DEFAULT '',  -- state of its files when they were last read
    mark             TEXT    NOT NULL DEFAULT '',  -- its content then
    mark_seen_us     INTEGER,                      -- when that content was seen first
    last_activity_us INTEGER,
    pending          INTEGER NOT NULL DEFAULT 0 CHECK (pending IN (0, 1)),
    look_at_us       INTEGER,                      -- NULL: not before its files change
    standing         TEXT    NOT NULL CHECK (standing IN (
        'open', 'queued', 'journaled', 'skipped', 'history', 'source_deleted', 'unreadable'
    )),
    reason           TEXT    NOT NULL DEFAULT '',
    handled_mark     TEXT    NOT NULL DEFAULT '',  -- content that was queued or settled last
    entry_path       TEXT,
    entry_status     TEXT,
    entry_us         INTEGER,
    redos            INTEGER NOT NULL DEFAULT 0 CHECK (redos >= 0)
) STRICT;

CREATE INDEX sessions_by_look ON sessions (look_at_us) WHERE look_at_us IS NOT NULL;
CREATE INDEX sessions_by_standing ON sessions (standing);

CREATE TABLE jobs (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id    TEXT    NOT NULL,
    path          TEXT    NOT NULL,
    reason        TEXT    NOT NULL CHECK (reason IN ('new', 'grown', 'narrative')),
    state         TEXT    NOT NULL CHECK (state IN ('pending', 'running', 'done', 'dead')),
    cause         TEXT    NOT NULL,                -- of the last transition
    attempts      INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    postponed     INTEGER NOT NULL DEFAULT 0 CHECK (postponed >= 0),
    engine_deaths INTEGER NOT NULL DEFAULT 0 CHECK (engine_deaths >= 0),
    queued_us     INTEGER NOT NULL,
    not_before_us INTEGER NOT NULL,
    claimed_us    INTEGER,
    changed_us    INTEGER NOT NULL,
    owner         TEXT,
    outcome       TEXT,
    error         TEXT    NOT NULL DEFAULT '',
    CHECK ((state = 'running') = (owner IS NOT NULL)),
    CHECK ((state = 'done') = (outcome IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX jobs_one_pending ON jobs (session_id) WHERE state = 'pending';
CREATE UNIQUE INDEX jobs_one_running ON jobs (session_id) WHERE state = 'running';
CREATE INDEX jobs_by_state ON jobs (state, not_before_us);

-- Every transition, written by the triggers below and by nothing else.
CREATE TABLE job_events (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    job_id     INTEGER NOT NULL REFERENCES jobs (id),
    at_us      INTEGER NOT NULL,
    from_state TEXT,
    to_state   TEXT    NOT NULL,
    cause      TEXT    NOT NULL,
    error      TEXT    NOT NULL
) STRICT;

CREATE INDEX job_events_by_job ON job_events (job_id);

CREATE TRIGGER job_made AFTER INSERT ON jobs BEGIN
    INSERT INTO job_events (job_id, at_us, from_state, to_state, cause, error)
    VALUES (NEW.id, NEW.changed_us, NULL, NEW.state, NEW.cause, '');
END;

CREATE TRIGGER job_moved AFTER UPDATE OF state ON jobs WHEN OLD.state <> NEW.state BEGIN
    INSERT INTO job_events (job_id, at_us, from_state, to_state, cause, error)
    VALUES (NEW.id, NEW.changed_us, OLD.state, NEW.state, NEW.cause, NEW.error);
END;

-- One row: the daemon as it last said.
CREATE TABLE heartbeat (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    pid           INTEGER NOT NULL,
    version       TEXT    NOT NULL,
    started_us    INTEGER NOT NULL,
    beat_us       INTEGER NOT NULL,
    phase         TEXT    NOT NULL CHECK (phase IN ('starting', 'watching', 'stopping', 'stopped')),
    engine        TEXT    NOT NULL,
    engine_state  TEXT    NOT NULL,
    engine_reason TEXT    NOT NULL,
    watcher       TEXT    NOT NULL
) STRICT;
