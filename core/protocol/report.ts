import { z } from 'zod';
import { FailureReason } from './outcome.ts';
import { CostStatus, Tokens } from './usage.ts';

/** What the open request of a run costs at worst: counted if its worker dies before it can tell what it really cost (R5). */
export const InFlight = z.object({
  tokens: Tokens,
  /** USD; null when the price is unknown. */
  cost_usd: z.number().nonnegative().nullable(),
});
export type InFlight = z.infer<typeof InFlight>;

/** Counters of a run as its worker knows them; cumulative over the attempt. */
export const Progress = z.object({
  turns: z.number().int().nonnegative(),
  tool_calls: z.number().int().nonnegative(),
  tokens: Tokens,
  /** USD; null when the price is unknown. */
  cost_usd: z.number().nonnegative().nullable(),
  cost_status: CostStatus,
  /** Active time in seconds; frozen time does not count (R7). */
  active_seconds: z.number().nonnegative(),
  /** While a request is open; not part of the counters before it. */
  in_flight: InFlight.nullable().optional(),
});
export type Progress = z.infer<typeof Progress>;

/** A process that outlived something, named so that a person can find it. */
export const ProcessName = z.object({
  pid: z.number().int(),
  command: z.string(),
  /** When it started, in the platform's own form; with the pid it says who it is. Where it is missing nobody can tell. */
  started: z.string().optional(),
});
export type ProcessName = z.infer<typeof ProcessName>;

/** What became of the schema check of a structured output (P8). */
export const SchemaReport = z.object({
  valid: z.boolean(),
  retries: z.number().int().nonnegative(),
  errors: z.array(z.string()),
});
export type SchemaReport = z.infer<typeof SchemaReport>;

/**
 * What the worker saw until its run ended. It states facts; the verdict (T2, T3) is made from them by the core.
 */
export const RunReport = z.object({
  progress: Progress,
  /** Text of the last model message, or the tail of a command's output. */
  answer: z.string(),
  /** The structured output that was accepted, if a schema was asked for. */
  output: z.unknown().optional(),
  schema: SchemaReport.nullable(),
  /** An error that ended the run: from the provider, the agent or ourselves. An empty message is no error. */
  error: z.object({ reason: FailureReason, message: z.string() }).nullable(),
  /** The limit that ended the run, if one did. */
  limit: z.enum(['max_turns', 'max_tool_calls', 'max_tokens', 'budget']).nullable(),
  /** The last tool result was an error and the model said nothing after it. */
  ended_on_tool_error: z.boolean(),
  /** For the runner `command`. */
  exit: z.object({ code: z.number().int().nullable(), signal: z.string().nullable() }).nullable(),
  /** Whether the run ended because it was told to stop, or because its time was over. */
  cut_by: z.enum(['stop', 'deadline', 'stalled']).nullable(),
  files_read: z.array(z.string()),
  files_written: z.array(z.string()),
  /** Background processes that were ended with the run (C4). */
  background: z.array(ProcessName),
  /** The model that answered last, when a declared fallback took the place of the first one (R8). */
  model: z.string().optional(),
  /** Steering messages that were accepted but never part of a request (C2). */
  missed_steer: z.array(z.object({ steer_id: z.string(), text: z.string() })),
});
export type RunReport = z.infer<typeof RunReport>;

/** How the end of an attempt was proved (C4). */
export const EndProof = z.discriminatedUnion('method', [
  z.object({ method: z.literal('observed'), how: z.string() }),
  z.object({ method: z.literal('survivors') }),
  z.object({ method: z.literal('unknown'), reason: z.string() }),
  z.object({ method: z.literal('not_started') }),
]);
export type EndProof = z.infer<typeof EndProof>;

/** The answer to a stop (C3). */
export const StopReceipt = z.object({
  /** Runs that ended by this stop. */
  run_ids: z.array(z.string()),
  /** Processes below their workers that ran when it began or appeared during it, and are gone. */
  ended: z.array(ProcessName),
  survivors: z.array(ProcessName),
  proof: EndProof,
});
export type StopReceipt = z.infer<typeof StopReceipt>;
