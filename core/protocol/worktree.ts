import { z } from 'zod';

/** A git worktree of one run (W1), as it is stored with the run. */
export const Worktree = z.object({
  /** The run that has it. */
  run_id: z.string(),
  /** The run that it was made for, when another one goes on in it (C5). */
  made_for: z.string().optional(),
  /** Its folder, below the data folder. */
  path: z.string(),
  /** Where the run works: the project's folder within the worktree; `path` itself unless the project is a folder of a repository. */
  folder: z.string(),
  branch: z.string(),
  base_commit: z.string(),
  /** Top of the project's own checkout. */
  repository: z.string(),
  /** What the user should know of it: empty submodules, pointer files, files that were not copied. */
  notes: z.array(z.string()),
});
export type Worktree = z.infer<typeof Worktree>;

/**
 * What became of a worktree. `at_work`: its run lives; `kept`: folder and branch are there; `removed`: nothing was in it (W3); `branch`: only the
 * branch was kept; `discarded`: a ref keeps it 30 days (W4); `continued`: a later run goes on in it and has it now (C5).
 */
const WorktreeState = z.enum(['at_work', 'kept', 'removed', 'branch', 'discarded', 'continued']);

/** How a worktree's work is brought into the project's checkout (W4). */
export const ApplyMode = z.enum(['merge', 'squash', 'cherry-pick']);
export type ApplyMode = z.infer<typeof ApplyMode>;

/**
 * A change of a worktree from the point on at which it must be brought to its end (W4): `removal` of the folder, and with `branch_tip` of the branch
 * that is there; `move` of the project's checkout.
 */
export type WorktreeChange =
  | { readonly type: 'removal'; readonly state: 'branch' | 'discarded'; readonly branch_tip: string | null }
  | { readonly type: 'move'; readonly mode: ApplyMode; readonly from: string; readonly to: string };

/** A run's own worktree as its row tells of it. */
export const RunWorktree = z.object({
  branch: z.string(),
  path: z.string(),
  /** A word of a newer build stays readable (T7). */
  state: z.union([WorktreeState, z.string()]),
  /** Beyond the base commit; null while the run lives, and when it could not be measured. */
  commits: z.number().int().nullable(),
  /** Changes that no commit has; null as above. */
  dirty: z.boolean().nullable(),
  /** How it was last brought into the project, if it was. */
  applied: ApplyMode.nullable(),
});
export type RunWorktree = z.infer<typeof RunWorktree>;
