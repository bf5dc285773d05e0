-- Conversations that are gone for everybody. Their rows are erased a few at a time, so that nobody waits for it; the last one goes with its conversation.
CREATE TABLE erased (
  conversation_id TEXT PRIMARY KEY REFERENCES conversations ON DELETE CASCADE
) STRICT;

-- A conversation is read, and erased, without looking at those of all others.
CREATE INDEX steers_by_conversation ON steers (conversation_id);
CREATE INDEX asks_by_conversation ON asks (conversation_id);
CREATE INDEX deliveries_by_conversation ON deliveries (conversation_id);
CREATE INDEX usage_by_conversation ON usage (conversation_id);

-- Whether a run has had a branch's name.
CREATE INDEX runs_by_branch ON runs (json_extract(worktree, '$.branch')) WHERE worktree IS NOT NULL;
