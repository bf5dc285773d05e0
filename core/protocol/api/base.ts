import { oc } from '@orpc/contract';
import { z } from 'zod';
import { ApiError } from '../errors.ts';

/** Expected failures travel as one typed error; its `data` is what people read. */
export const base = oc.errors({ FAILED: { data: ApiError } });

/** What a person writes to a run. Whatever it holds, it fits into one frame of the workers' socket when it is escaped. */
export const MAX_MESSAGE_CHARS = 1024 * 1024;
export const MessageText = z
  .string()
  .min(1, 'It is empty.')
  .max(MAX_MESSAGE_CHARS, 'It is longer than a message may be (1 Mi characters).');

/** Chosen by the client for one act of a person: the same token again is the same act. */
export const ClientToken = z.string().min(1).max(200);

export const Id = z.object({ id: z.string() });
export const RunId = z.object({ run_id: z.string() });
export const Done = z.object({ done: z.literal(true) });
