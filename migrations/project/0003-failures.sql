-- Conversations tell how many of their runs failed or were stopped, beside those failures that nobody has looked at. A damaged row stays as it is.
UPDATE conversations SET row = json_set(
  row,
  '$.failed', (
    SELECT count(*) FROM runs
    WHERE runs.conversation_id = conversations.conversation_id AND runs.state = 'ended' AND json_valid(runs.row)
      AND runs.row ->> 'failure_line' IS NOT NULL
      AND runs.row ->> 'retried_by' IS NULL AND runs.row ->> 'continued_by' IS NULL
  ),
  '$.stopped', (
    SELECT count(*) FROM runs
    WHERE runs.conversation_id = conversations.conversation_id AND runs.outcome = 'stopped' AND json_valid(runs.row)
      AND runs.row ->> 'retried_by' IS NULL AND runs.row ->> 'continued_by' IS NULL
  )
)
WHERE json_valid(row);

-- When one failed last is there only where one did.
UPDATE conversations SET row = json_set(
  row,
  '$.failed_at', (
    SELECT max(runs.row ->> 'ended_at') FROM runs
    WHERE runs.conversation_id = conversations.conversation_id AND runs.state = 'ended' AND json_valid(runs.row)
      AND runs.row ->> 'failure_line' IS NOT NULL
  )
)
WHERE json_valid(row) AND EXISTS (
  SELECT 1 FROM runs
  WHERE runs.conversation_id = conversations.conversation_id AND runs.state = 'ended' AND json_valid(runs.row)
    AND runs.row ->> 'failure_line' IS NOT NULL AND runs.row ->> 'ended_at' IS NOT NULL
);
