import { z } from 'zod';

/** One thing that first start found, or did not find, and how (onboarding). */
export const Finding = z.object({
  id: z.string(),
  kind: z.enum(['provider_key', 'local_server', 'agent']),
  name: z.string(),
  found: z.boolean(),
  /** How it was found, or what is missing and what to do. */
  detail: z.string(),
  /** The command that installs what is missing, as it stands in `detail`; missing where none is known. */
  install: z.string().optional(),
  models: z.array(z.string()),
});
export type Finding = z.infer<typeof Finding>;

/** One thing that was looked at. */
export const HealthCheck = z.object({
  name: z.string(),
  /** Nothing has to be mended. */
  ok: z.boolean(),
  /** Beside `ok`: it is not here and needs not be (`absent`), or it has no effect although it was written (`unheeded`). */
  note: z.enum(['absent', 'unheeded']).optional(),
  /** What was found, and what to do if it is not well. */
  detail: z.string(),
});
export type HealthCheck = z.infer<typeof HealthCheck>;
