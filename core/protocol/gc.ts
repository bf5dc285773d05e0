import { z } from 'zod';

/**
 * What `gc` may delete: all of it made by us, and provably not needed any more. `worktree`: of an ended run, with nothing in it that the project
 * does not have; `discarded_ref`: keeps discarded work, for 30 days; `output`: full outputs and streams of ended attempts; `spool`: what an ended
 * attempt had not sent and nobody will read; `summary`: of a run that is not stored any more; `backup`: made before a migration; `socket`: of a
 * core that is gone; `conversation`: past the retention that the settings ask for.
 */
export const GcKind = z.enum([
  'worktree',
  'discarded_ref',
  'output',
  'spool',
  'summary',
  'backup',
  'socket',
  'conversation',
]);
export type GcKind = z.infer<typeof GcKind>;

/** One thing that was found. */
export const GcItem = z.object({
  kind: GcKind,
  project_id: z.string().nullable(),
  /** A path, a ref, or the id of a conversation. */
  what: z.string(),
  /** On disk; 0 when that cannot be told. */
  bytes: z.number().int().nonnegative(),
  /** Why it need not be kept. */
  reason: z.string(),
  /** It was deleted. */
  done: z.boolean(),
  /** Why it was not, if that was tried. */
  error: z.string().nullable(),
});
export type GcItem = z.infer<typeof GcItem>;

/** Everything that was found; with `dry_run` nothing was deleted. */
export const GcReport = z.object({ dry_run: z.boolean(), items: z.array(GcItem), bytes: z.number().int() });
export type GcReport = z.infer<typeof GcReport>;
