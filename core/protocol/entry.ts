import { z } from 'zod';

/** What a tool call shows beside its text. */
export const ToolDisplay = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('diff'),
    path: z.string(),
    /** Unified diff without file header. */
    diff: z.string(),
    added: z.number().int(),
    removed: z.number().int(),
  }),
  z.object({
    type: z.literal('output'),
    command: z.string(),
    exit_code: z.number().int().nullable(),
    signal: z.string().nullable(),
    /** Where the whole output is, if the text was cut. */
    spill_path: z.string().nullable(),
  }),
  z.object({ type: z.literal('files'), paths: z.array(z.string()) }),
  z.object({
    type: z.literal('delegation'),
    delegation_id: z.string(),
    set: z.number().int(),
    count: z.number().int(),
  }),
  z.object({ type: z.literal('text') }),
]);
export type ToolDisplay = z.infer<typeof ToolDisplay>;

/** The fixed part of a transcript entry; its running text is kept apart so that it can stream. */
export const EntryMeta = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user'),
    /** Where the message came from. */
    origin: z.enum(['goal', 'message', 'steer', 'follow_up', 'completion', 'notice', 'repair']),
    steer_id: z.string().nullable(),
  }),
  z.object({
    type: z.literal('text'),
    /** The stream broke; the text is what had arrived. */
    partial: z.boolean(),
  }),
  z.object({ type: z.literal('reasoning'), seconds: z.number().nullable() }),
  z.object({
    type: z.literal('tool_call'),
    call_id: z.string(),
    name: z.string(),
    /** One line: `Editing src/a.ts`. */
    title: z.string(),
    /** As the model sent them, raw text. */
    arguments: z.string(),
    /** `refused` was never run (permission, limit, arguments cut). */
    status: z.enum(['waiting', 'running', 'ok', 'error', 'refused']),
    display: ToolDisplay.nullable(),
    seconds: z.number().nullable(),
  }),
  /** The agent's plan as it stands; replaced as it changes. */
  z.object({
    type: z.literal('plan'),
    steps: z.array(z.object({ text: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
  }),
  /** An agent that the run's own agent started inside of itself: it is seen here, and we do not control it. Its text is what was seen of it. */
  z.object({
    type: z.literal('subagent'),
    /** The agent's own name for it, unique in the run. */
    key: z.string(),
    title: z.string(),
    status: z.enum(['running', 'ok', 'error', 'unknown']),
  }),
  z.object({ type: z.literal('output'), stream: z.enum(['stdout', 'stderr']) }),
  z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning', 'error']) }),
]);
export type EntryMeta = z.infer<typeof EntryMeta>;

/** One entry of a run's transcript, whole. `entry` counts from 0 within the run and never changes. */
export const Entry = z.object({
  run_id: z.string(),
  entry: z.number().int().nonnegative(),
  /** Epoch milliseconds. */
  at: z.number(),
  /** Parsed with {@link EntryMeta}; an unknown type of a newer build stays readable as it is. */
  meta: z.union([EntryMeta, z.looseObject({ type: z.string() })]),
  text: z.string(),
  /** False while text may still be appended. */
  ended: z.boolean(),
});
export type Entry = z.infer<typeof Entry>;
