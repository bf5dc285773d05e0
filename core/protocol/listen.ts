import { z } from 'zod';

/** Where a core is asked to listen. */
export const ListenInput = z.object({
  port: z.number().int().min(0).max(65_535),
  host: z.string(),
  /** That of a launch whose listener is taken over, so that pages which are open are let in; without one it is new. */
  token: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});
export type ListenInput = z.infer<typeof ListenInput>;
