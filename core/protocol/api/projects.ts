import { z } from 'zod';
import { ProjectRow } from '../rows.ts';
import { Done, base } from './base.ts';

/** A folder as the folder chooser of the core shows it. */
export const FolderListing = z.object({
  path: z.string(),
  parent: z.string().nullable(),
  home: z.string(),
  entries: z.array(z.object({ name: z.string(), path: z.string(), git: z.boolean() })),
  truncated: z.boolean(),
});
export type FolderListing = z.infer<typeof FolderListing>;

/** One file of what a project defines, as a person reads it before trusting it (A4). At most 1 MiB: a larger one is a fault of the project. */
export const DefinitionText = z.object({ text: z.string(), bytes: z.number().int() });
export type DefinitionText = z.infer<typeof DefinitionText>;

export const projects = {
  list: base.output(z.array(ProjectRow)),
  add: base.input(z.object({ path: z.string() })).output(ProjectRow),
  remove: base.input(z.object({ project_id: z.string() })).output(Done),
  /** Trusts what a project defines, or takes the trust back. `digest`: what the person has seen; other content is a `conflict`. */
  trust: base
    .input(z.object({ project_id: z.string(), trusted: z.boolean(), digest: z.string().optional() }))
    .output(ProjectRow),
  /** The text of a file of what the project defines now. `digest`: what is being looked at; other content is a `conflict`. */
  definition: base
    .input(z.object({ project_id: z.string(), digest: z.string(), path: z.string() }))
    .output(DefinitionText),
};

export const folders = {
  list: base.input(z.object({ path: z.string().nullable(), name: z.string().nullable() })).output(FolderListing),
  /** Files and folders of a project whose path answers to `text`, the best first, for completion. Ignored files do not count. */
  find: base
    .input(z.object({ project_id: z.string(), text: z.string().max(500), limit: z.number().int().min(1).max(200) }))
    .output(z.object({ paths: z.array(z.string()), truncated: z.boolean() })),
};

export const open = {
  /** Opens a file of a project, or of a run's worktree, in the person's editor, on the machine where the core is. */
  editor: base
    .input(
      z.object({
        project_id: z.string(),
        run_id: z.string().nullable(),
        /** From the folder; `.` is the folder itself. */
        path: z.string().min(1).max(4096),
        line: z.number().int().positive().nullable(),
      }),
    )
    .output(z.object({ editor: z.string(), path: z.string() })),
};
