import { z } from 'zod';
import { Tokens } from '../protocol/usage.ts';
import type { Action } from './compiled-script.ts';

const wholeMs = z.number().int().nonnegative();
const count = z.number().int().positive();

/** A regular expression written as text. `s`: texts have many lines, and a pattern should not care. */
const pattern = z.string().transform((source, ctx) => {
  try {
    return new RegExp(source, 's');
  } catch (error) {
    ctx.addIssue({ code: 'custom', message: `not a regular expression: ${(error as Error).message}` });
    return z.NEVER;
  }
});

const condition = z
  .strictObject({
    steered: z.boolean().optional(),
    last_tool_result: pattern.optional(),
    request: pattern.optional(),
  })
  .refine((value) => Object.values(value).some((member) => member !== undefined), 'an empty condition')
  .transform((value) => ({ steered: value.steered, lastToolResult: value.last_tool_result, request: value.request }));

const conditional = { when: condition.optional(), unless: condition.optional() };
const pace = { chunk_size: count.optional(), chunk_delay_ms: wholeMs.optional() };
const times = { times: count.default(Number.MAX_SAFE_INTEGER) };
const errorShape = { type: z.string().optional(), code: z.string().optional(), message: z.string().optional() };

const paceOf = (value: {
  chunk_size?: number;
  chunk_delay_ms?: number;
}): { chunkSize?: number; chunkDelayMs?: number } => ({
  ...(value.chunk_size !== undefined && { chunkSize: value.chunk_size }),
  ...(value.chunk_delay_ms !== undefined && { chunkDelayMs: value.chunk_delay_ms }),
});

const toolCall = z
  .strictObject({
    name: z.string().min(1),
    arguments: z.record(z.string(), z.unknown()).optional(),
    raw_arguments: z.string().optional(),
    id: z.string().min(1).optional(),
  })
  .refine((call) => call.arguments === undefined || call.raw_arguments === undefined, {
    message: 'arguments and raw_arguments exclude each other',
  });

const rawChunk = z
  .union([
    z.strictObject({ text: z.string(), delay_ms: wholeMs.optional() }),
    z.strictObject({ base64: z.base64(), delay_ms: wholeMs.optional() }),
    z.strictObject({ hex: z.string().regex(/^([0-9a-f]{2})*$/i, 'not hexadecimal'), delay_ms: wholeMs.optional() }),
  ])
  .transform((chunk) => ({ bytes: bytesOf(chunk), delayMs: chunk.delay_ms ?? 0 }));

function bytesOf(chunk: { text: string } | { base64: string } | { hex: string }): Buffer {
  if ('text' in chunk) return Buffer.from(chunk.text);
  return 'base64' in chunk ? Buffer.from(chunk.base64, 'base64') : Buffer.from(chunk.hex, 'hex');
}

const fault = z.strictObject({
  ...errorShape,
  status: z.number().int().min(400).max(599),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
});

const step = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => z.strictObject({ ...shape, ...conditional });

const steps = {
  text: step({ text: z.string(), ...pace }),
  reasoning: step({ reasoning: z.string(), ...pace }),
  tool_call: step({ tool_call: toolCall, ...pace }),
  usage: step({ usage: Tokens.partial().strict() }),
  stop: step({ stop: z.enum(['end', 'tool', 'max_tokens', 'content_filter']) }),
  delay_ms: step({ delay_ms: wholeMs }),
  wait_for: step({ wait_for: z.string().min(1) }),
  expect: step({ expect: pattern }),
  fault: step({ fault, ...times }),
  stream_error: step({
    stream_error: z.strictObject({ ...errorShape, status: fault.shape.status.optional() }),
    ...times,
  }),
  reset: step({ reset: z.literal(true), ...times }),
  end_without_stop: step({ end_without_stop: z.literal(true), ...times }),
  silence: step({ silence: z.literal(true), ...times }),
  raw: step({
    raw: z.union([z.string().transform((text) => [{ bytes: Buffer.from(text), delayMs: 0 }]), z.array(rawChunk)]),
  }),
};

type StepKey = keyof typeof steps;
type Parsed<K extends StepKey> = z.output<(typeof steps)[K]>;

const actions: { [K in StepKey]: (parsed: Parsed<K>) => Action } = {
  text: (parsed) => ({ type: 'text', text: parsed.text, pace: paceOf(parsed) }),
  reasoning: (parsed) => ({ type: 'reasoning', text: parsed.reasoning, pace: paceOf(parsed) }),
  tool_call: (parsed) => ({ type: 'tool_call', call: parsed.tool_call, pace: paceOf(parsed) }),
  usage: (parsed) => ({ type: 'usage', usage: parsed.usage }),
  stop: (parsed) => ({ type: 'stop', stop: parsed.stop }),
  delay_ms: (parsed) => ({ type: 'delay', ms: parsed.delay_ms }),
  wait_for: (parsed) => ({ type: 'wait_for', gate: parsed.wait_for }),
  expect: (parsed) => ({ type: 'expect', pattern: parsed.expect }),
  fault: (parsed) => ({ type: 'fault', fault: parsed.fault, times: parsed.times }),
  stream_error: (parsed) => ({ type: 'stream_error', error: parsed.stream_error, times: parsed.times }),
  reset: (parsed) => ({ type: 'reset', times: parsed.times }),
  end_without_stop: (parsed) => ({ type: 'end_without_stop', times: parsed.times }),
  silence: (parsed) => ({ type: 'silence', times: parsed.times }),
  raw: (parsed) => ({ type: 'raw', chunks: parsed.raw }),
};

const STEP_KEYS = Object.keys(steps) as StepKey[];

function parseStep<K extends StepKey>(key: K, value: object) {
  const parsed = steps[key].safeParse(value);
  if (!parsed.success) return parsed;
  const data = parsed.data as Parsed<K>;
  return { success: true as const, data: { action: actions[key](data), when: data.when, unless: data.unless } };
}

/** A step is told by its key, so that an error speaks of that kind of step and not of all fourteen. */
const Step = z.unknown().transform((value, ctx) => {
  const object = typeof value === 'object' && value !== null ? value : {};
  const [key, second] = STEP_KEYS.filter((candidate) => candidate in object);
  if (key === undefined || second !== undefined) {
    const found =
      second === undefined
        ? `has ${Object.keys(object).join(', ') || 'none of them'}`
        : `has both ${key} and ${second}`;
    ctx.addIssue({ code: 'custom', message: `a step has exactly one of ${STEP_KEYS.join(', ')}; this one ${found}` });
    return z.NEVER;
  }
  const parsed = parseStep(key, object);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) ctx.addIssue({ code: 'custom', message: issue.message, path: issue.path });
  return z.NEVER;
});
type Step = z.output<typeof Step>;

const SENDS_CONTENT = new Set<Action['type']>(['text', 'reasoning', 'tool_call', 'raw']);

/** A fault is an HTTP status, and that is sent before any content. */
function faultComesFirst(turn: readonly Step[]): boolean {
  const content = turn.findIndex((entry) => SENDS_CONTENT.has(entry.action.type));
  return content === -1 || turn.every((entry, index) => entry.action.type !== 'fault' || index < content);
}

const Turn = z
  .preprocess(
    (value) => (typeof value === 'string' ? [{ text: value }] : Array.isArray(value) ? (value as unknown[]) : [value]),
    z.array(Step),
  )
  .refine(faultComesFirst, 'a fault comes before text, reasoning, tool calls and raw bytes of its turn');

const NEWLINES = { lf: '\n', crlf: '\r\n', cr: '\r' } as const;

const Wire = z.strictObject({
  newline: z
    .enum(['lf', 'crlf', 'cr'])
    .default('lf')
    .transform((name) => NEWLINES[name]),
  split_bytes: count.optional(),
  comments: z.boolean().default(false),
});

const Conversation = z
  .strictObject({
    ...pace,
    name: z.string().optional(),
    match: z
      .strictObject({
        system: pattern.optional(),
        user: pattern.optional(),
        any: pattern.optional(),
        model: pattern.optional(),
      })
      .default({}),
    by: z.enum(['assistant_messages', 'requests']).default('assistant_messages'),
    per: z.enum(['first_user', 'conversation']).default('first_user'),
    turns: z.array(Turn).min(1, 'a conversation has at least one turn'),
    repeat_last: z.boolean().default(false),
    otherwise: Turn.optional(),
    wire: Wire.prefault({}),
  })
  .refine((value) => !(value.repeat_last && value.otherwise), 'repeat_last and otherwise exclude each other');

/** The whole script; `script-input.ts` says what the members mean. */
export const ScriptFile = z.strictObject({
  ...pace,
  description: z.string().optional(),
  models: z.array(z.string().min(1)).min(1).default(['scripted-model']),
  conversations: z.array(Conversation).min(1, 'a script has at least one conversation'),
});
export type ScriptFile = z.output<typeof ScriptFile>;
