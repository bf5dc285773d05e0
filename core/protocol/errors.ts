import { z } from 'zod';

/** One thing wrong with a batch: which task, which field, and how to mend it (S1). */
export const BatchProblem = z.object({
  /** 0-based; null when the batch as a whole is meant. */
  task_index: z.number().int().nonnegative().nullable(),
  /** Dotted path in the task or the batch, null when it has none. */
  field: z.string().nullable(),
  /** A full sentence; names the task 1-based. */
  message: z.string(),
  /** What to do. */
  fix: z.string(),
  /** The word that was probably meant. */
  suggestion: z.string().nullable(),
  /** JSON pointer into an output schema, or line and column of a parse error, as text. */
  pointer: z.string().nullable(),
});
export type BatchProblem = z.infer<typeof BatchProblem>;

/** Codes of the expected failures that reach a client. */
export const ErrorCode = z.enum([
  'invalid_batch',
  'invalid_input',
  'not_found',
  'not_allowed',
  'already_answered',
  'already_ended',
  'not_steerable',
  'not_pausable',
  'no_project',
  'no_agent',
  'limit_reached',
  'conflict',
  'would_lose',
  'storage',
  'protocol_mismatch',
  'home_locked',
  'shutting_down',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** An expected failure as a client sees it. */
export const ApiError = z.object({
  code: ErrorCode,
  /** What happened, what is safe, and what to do; shown to people as it is. */
  message: z.string(),
  problems: z.array(BatchProblem).optional(),
  /** Files or folders that are meant, from the top of the repository: those in conflict, those that would be lost. */
  paths: z.array(z.string()).optional(),
});
export type ApiError = z.infer<typeof ApiError>;
