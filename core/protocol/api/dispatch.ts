import { z } from 'zod';
import { BATCH_MAXIMA } from '../batch.ts';
import { Isolation, Permission } from '../settings.ts';

/** Options that fill what neither the task nor the file's `defaults` says (cli.md). */
export const DispatchOptions = z.object({
  agent: z.string().optional(),
  model: z.string().optional(),
  isolation: Isolation.optional(),
  permission: Permission.optional(),
  max_concurrent: z.number().int().positive().max(BATCH_MAXIMA.concurrency).optional(),
  timeout_seconds: z.number().positive().optional(),
  max_cost_usd: z.number().positive().optional(),
});
export type DispatchOptions = z.infer<typeof DispatchOptions>;

/**
 * The folder that the work is meant for, for who has no id of a project: if it is attached that project is looked at, else the folder alone. Nothing is
 * attached by it.
 */
export const MeantFolder = z.string().optional();

/** Why not one of the tasks could be carried out: no program of their agents is here, with how to install them. Left out when one is. */
export const NoAgent = z.string().optional();

/** The answer to a dispatch: stored, not done (S6). */
export const DispatchAnswer = z.object({
  conversation_id: z.string(),
  delegation_id: z.string(),
  set: z.number().int().positive(),
  count: z.number().int().positive(),
  run_ids: z.array(z.string()),
  note: z.string(),
});
export type DispatchAnswer = z.infer<typeof DispatchAnswer>;

/** The answer to a control that begins a run: stored, not done. */
export const NewRun = z.object({
  conversation_id: z.string(),
  /** Null for a lead. */
  delegation_id: z.string().nullable(),
  run_id: z.string(),
  note: z.string(),
});
export type NewRun = z.infer<typeof NewRun>;
