-- Conversations tell how many of their runs completed with a caveat. A damaged row stays as it is.
UPDATE conversations SET row = json_set(
  row,
  '$.caveats', (
    SELECT count(*) FROM runs
    WHERE runs.conversation_id = conversations.conversation_id AND runs.outcome = 'completed' AND json_valid(runs.row)
      AND json_array_length(runs.row, '$.caveats') > 0
      AND runs.row ->> 'retried_by' IS NULL AND runs.row ->> 'continued_by' IS NULL
  )
)
WHERE json_valid(row);
