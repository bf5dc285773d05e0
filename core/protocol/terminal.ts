import { z } from 'zod';

/** A shell in a project or a worktree, for the person who looks at it. It is no run: nothing of it is stored. */
export const TerminalRow = z.object({
  terminal_id: z.string(),
  project_id: z.string(),
  /** The run whose worktree it is in; null in the project's folder. */
  run_id: z.string().nullable(),
  cwd: z.string(),
  shell: z.string(),
  alive: z.boolean(),
  /** Exit status, once it has ended. */
  exit_code: z.number().int().nullable(),
});
export type TerminalRow = z.infer<typeof TerminalRow>;

/** A piece of a terminal's output. Places count UTF-16 units from the terminal's beginning. */
export const TerminalOutput = z.object({
  /** Where `data` begins; later than asked for when earlier output is not kept any more. */
  from: z.number().int().nonnegative(),
  data: z.string(),
  /** Where the next read begins. */
  next: z.number().int().nonnegative(),
  alive: z.boolean(),
  exit_code: z.number().int().nullable(),
});
export type TerminalOutput = z.infer<typeof TerminalOutput>;
