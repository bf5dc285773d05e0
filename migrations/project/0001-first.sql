-- Everything of one project's conversations. Rows that clients read are JSON documents (`row`); what is queried has a column.

CREATE TABLE conversations (
  conversation_id TEXT PRIMARY KEY,
  updated_at INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  row TEXT NOT NULL
) STRICT;

CREATE TABLE sets (
  delegation_id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
  set_number INTEGER NOT NULL,
  parent_run_id TEXT,
  parent_call_id TEXT,
  row TEXT NOT NULL,
  UNIQUE (conversation_id, set_number)
) STRICT;
-- The same call of a run never makes a second child (P7).
CREATE UNIQUE INDEX sets_by_call ON sets (parent_run_id, parent_call_id) WHERE parent_call_id IS NOT NULL;

CREATE TABLE runs (
  run_id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
  delegation_id TEXT,
  task_index INTEGER,
  parent_run_id TEXT,
  state TEXT NOT NULL,
  outcome TEXT,
  row TEXT NOT NULL,
  -- The validated task, as the run was started with.
  task TEXT NOT NULL,
  -- The result entry (T6), once ended.
  result TEXT,
  -- The worker's terminal report, from its arrival until the attempt's end is proved.
  report TEXT,
  -- A lead that ends after its answer.
  once INTEGER NOT NULL DEFAULT 0,
  -- What the loop needs to go on with the session, opaque to us.
  session TEXT,
  -- What a lead has answered last, as the report that counts if nothing more comes of it.
  answered TEXT,
  -- What earlier attempts have used, and where the present one's transcript begins; a worker counts for itself only.
  carried TEXT,
  -- The worktree that was made for it (W1), stored before its worker starts.
  worktree TEXT,
  -- Its work is over: what is still to be looked at before it ends (verify commands, worktree).
  closing TEXT
) STRICT;
CREATE INDEX runs_by_conversation ON runs (conversation_id);
CREATE INDEX runs_not_ended ON runs (state) WHERE state <> 'ended';

CREATE TABLE attempts (
  attempt_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
  n INTEGER NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  -- SHA-256 of the start token, then of the resume secret; the plain values are never stored.
  token_hash TEXT NOT NULL,
  secret_hash TEXT,
  pid INTEGER,
  pid_started TEXT,
  committed_seq INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run_id, n)
) STRICT;
CREATE INDEX attempts_open ON attempts (state) WHERE state <> 'ended';

-- What an attempt may spend until its run has used so much in all (R5); gone with the transaction that ends the attempt, or its waiting.
CREATE TABLE holds (
  attempt_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE REFERENCES runs ON DELETE CASCADE,
  conversation_id TEXT NOT NULL,
  cost_usd REAL,
  tokens INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX holds_by_conversation ON holds (conversation_id);

-- What the runs of a conversation used on a local calendar day. Stays when the conversation goes: the day has cost it.
CREATE TABLE usage (
  day TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  -- What is known; `unknown`: some of it was used at a price that nobody knows.
  cost_usd REAL NOT NULL,
  unknown INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (day, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  conversation_id TEXT,
  type TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX events_by_conversation ON events (conversation_id, seq);

-- Answers of commands by the client's token: the same command sent twice acts once (S7).
CREATE TABLE receipts (
  client_token TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  answer TEXT NOT NULL
) STRICT;

CREATE TABLE outbox (
  effect_id INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Until then the core that leased it is at it; after a crash `replay` effects are taken up again, `lost` ones settled.
  leased_until INTEGER,
  lease TEXT
) STRICT;

CREATE TABLE entries (
  run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
  entry INTEGER NOT NULL,
  at INTEGER NOT NULL,
  meta TEXT NOT NULL,
  -- Null while the entry is open: its text is then in `chunks`.
  text TEXT,
  UNIQUE (run_id, entry)
) STRICT;

CREATE TABLE chunks (
  run_id TEXT NOT NULL,
  entry INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (run_id, entry, offset)
) STRICT, WITHOUT ROWID;

CREATE TABLE steers (
  steer_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
  conversation_id TEXT NOT NULL,
  state TEXT NOT NULL,
  row TEXT NOT NULL
) STRICT;
CREATE INDEX steers_by_run ON steers (run_id);

CREATE TABLE asks (
  ask_id TEXT PRIMARY KEY,
  run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
  conversation_id TEXT NOT NULL,
  -- The worker's own name for it; the same ask sent twice is one.
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  row TEXT NOT NULL,
  UNIQUE (run_id, key)
) STRICT;
CREATE INDEX asks_open ON asks (state) WHERE state = 'open';

CREATE TABLE calls (
  run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE,
  call_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  -- So many characters fitted into the caller's context (P5).
  context_chars INTEGER,
  -- The turn of the caller in which it was made (R3).
  turn INTEGER,
  delegation_id TEXT,
  answered INTEGER NOT NULL DEFAULT 0,
  is_error INTEGER NOT NULL DEFAULT 0,
  text TEXT,
  PRIMARY KEY (run_id, call_id)
) STRICT;

CREATE TABLE deliveries (
  delivery_id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE,
  delegation_id TEXT NOT NULL,
  to_run_id TEXT NOT NULL,
  -- 'result', or 'notice' for early word of a failure.
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  delivered INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX deliveries_open ON deliveries (to_run_id) WHERE delivered = 0;

-- Consent given for a scope beyond one call (A2).
CREATE TABLE grants (
  scope TEXT NOT NULL,
  scope_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  detail TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope, scope_id, tool, detail)
) STRICT, WITHOUT ROWID;

-- What can be searched for: titles of conversations, goals, results, entries of transcripts once they have ended. The words are in `search`, under
-- the same number; the text itself is read where it is stored. Kept by triggers, so that no write can forget it.
CREATE TABLE search_docs (
  doc INTEGER PRIMARY KEY,
  -- conversation, goal, result or entry.
  kind TEXT NOT NULL,
  -- Null for a conversation, which has `conversation_id` instead.
  run_id TEXT REFERENCES runs ON DELETE CASCADE,
  conversation_id TEXT REFERENCES conversations ON DELETE CASCADE,
  entry INTEGER
) STRICT;
CREATE UNIQUE INDEX search_docs_of_run ON search_docs (run_id, kind, entry) WHERE run_id IS NOT NULL;
CREATE UNIQUE INDEX search_docs_of_conversation ON search_docs (conversation_id) WHERE conversation_id IS NOT NULL;
CREATE VIRTUAL TABLE search USING fts5 (text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2");

CREATE TRIGGER search_docs_gone AFTER DELETE ON search_docs BEGIN
  DELETE FROM search WHERE rowid = old.doc;
END;

CREATE TRIGGER conversation_searched AFTER INSERT ON conversations BEGIN
  INSERT INTO search_docs (kind, conversation_id) VALUES ('conversation', new.conversation_id);
  INSERT INTO search (rowid, text) VALUES (last_insert_rowid(), coalesce(json_extract(new.row, '$.title'), ''));
END;
CREATE TRIGGER conversation_renamed AFTER UPDATE OF row ON conversations
WHEN json_extract(new.row, '$.title') IS NOT json_extract(old.row, '$.title') BEGIN
  DELETE FROM search_docs WHERE conversation_id = new.conversation_id;
  INSERT INTO search_docs (kind, conversation_id) VALUES ('conversation', new.conversation_id);
  INSERT INTO search (rowid, text) VALUES (last_insert_rowid(), coalesce(json_extract(new.row, '$.title'), ''));
END;

CREATE TRIGGER goal_searched AFTER INSERT ON runs BEGIN
  INSERT INTO search_docs (kind, run_id) VALUES ('goal', new.run_id);
  INSERT INTO search (rowid, text) VALUES (last_insert_rowid(), concat_ws(char(10), json_extract(new.row, '$.label'), json_extract(new.row, '$.goal')));
END;
CREATE TRIGGER result_searched AFTER UPDATE OF result ON runs WHEN new.result IS NOT NULL AND new.result IS NOT old.result BEGIN
  DELETE FROM search_docs WHERE run_id = new.run_id AND kind = 'result';
  INSERT INTO search_docs (kind, run_id) VALUES ('result', new.run_id);
  INSERT INTO search (rowid, text) VALUES (last_insert_rowid(), substr(concat_ws(char(10),
    json_extract(new.result, '$.summary'), json_extract(new.result, '$.error'), json_extract(new.result, '$.output')), 1, 65536));
END;

-- Only the beginning of a huge text is searched: 64 Ki characters.
CREATE TRIGGER entry_searched AFTER INSERT ON entries WHEN new.text IS NOT NULL BEGIN
  DELETE FROM search_docs WHERE run_id = new.run_id AND kind = 'entry' AND entry = new.entry;
  INSERT INTO search_docs (kind, run_id, entry) VALUES ('entry', new.run_id, new.entry);
  INSERT INTO search (rowid, text) VALUES (last_insert_rowid(), substr(concat_ws(char(10),
    json_extract(new.meta, '$.title'), json_extract(new.meta, '$.arguments'), new.text), 1, 65536));
END;
CREATE TRIGGER entry_ended AFTER UPDATE OF text ON entries WHEN new.text IS NOT NULL AND new.text IS NOT old.text BEGIN
  DELETE FROM search_docs WHERE run_id = new.run_id AND kind = 'entry' AND entry = new.entry;
  INSERT INTO search_docs (kind, run_id, entry) VALUES ('entry', new.run_id, new.entry);
  INSERT INTO search (rowid, text) VALUES (last_insert_rowid(), substr(concat_ws(char(10),
    json_extract(new.meta, '$.title'), json_extract(new.meta, '$.arguments'), new.text), 1, 65536));
END;
