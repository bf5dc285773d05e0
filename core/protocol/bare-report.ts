import type { RunReport } from './report.ts';

/** What a report says of a run that has nothing to tell but its answer. Apart from the schemas: every start of a worker reads it. */
export const NOTHING_ELSE = {
  schema: null,
  error: null,
  limit: null,
  ended_on_tool_error: false,
  exit: null,
  cut_by: null,
  files_read: [],
  files_written: [],
  background: [],
  missed_steer: [],
} satisfies Omit<RunReport, 'progress' | 'answer'>;
