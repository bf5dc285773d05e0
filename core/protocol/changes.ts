import { z } from 'zod';
import { RunWorktree } from './worktree.ts';

/** One changed file. */
export const FileChange = z.object({
  path: z.string(),
  /** Its name before, when it was renamed or copied. */
  old_path: z.string().nullable(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed', 'copied', 'type_changed']),
  /** Lines; null for a binary file, and when they were not counted. */
  additions: z.number().int().nullable(),
  deletions: z.number().int().nullable(),
});
export type FileChange = z.infer<typeof FileChange>;

/** What a run changed (W4). */
export const RunChanges = z.object({
  run_id: z.string(),
  /**
   * `worktree`: everything in its worktree against the base commit. `calls`: what its own write and edit calls changed, in their order; what
   * commands changed, and what others did to the same files, is not in it.
   */
  source: z.enum(['worktree', 'calls']),
  worktree: RunWorktree.nullable(),
  files: z.array(FileChange),
  /** Unified diff with file headers. */
  patch: z.string(),
  /** The patch is longer and ends early; the list of files is whole. */
  cut: z.boolean(),
  /** Repositories of the run's own making inside its worktree, which are not in the diff. */
  nested: z.array(z.string()),
});
export type RunChanges = z.infer<typeof RunChanges>;
