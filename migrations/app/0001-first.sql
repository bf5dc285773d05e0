-- What the app knows of all projects. Nothing here that could not be rebuilt or sent again.

CREATE TABLE projects (
  project_id TEXT PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  used_at INTEGER NOT NULL,
  -- Set durably before a project's first dispatch: at start exactly the marked ones are recovered.
  possibly_live INTEGER NOT NULL DEFAULT 0,
  -- Digest of the definitions that a person trusted (A4).
  trusted_content TEXT,
  row TEXT NOT NULL
) STRICT;

-- What holds for the whole app and survives a restart, such as its pause.
CREATE TABLE app_state (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
