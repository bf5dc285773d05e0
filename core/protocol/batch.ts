import { z } from 'zod';
import { MAX_IMAGES } from './images.ts';
import { Effort, Isolation, Permission, RunLimits } from './settings.ts';

/** Hard maxima of a batch (S5): no setting lifts them. */
export const BATCH_MAXIMA = {
  tasks: 1_000,
  goalBytes: 32 * 1024,
  contextBytes: 1024 * 1024,
  schemaBytes: 256 * 1024,
  batchBytes: 16 * 1024 * 1024,
  concurrency: 256,
  images: MAX_IMAGES,
  retries: 5,
} as const;

/** Length in bytes of `text` as UTF-8. Written out because this folder has neither Node nor DOM. */
function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    // Each half of a surrogate pair counts two of its four bytes.
    else bytes += unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
  }
  return bytes;
}

const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const text = () =>
  z.string().refine(storable, 'holds a NUL character or half a surrogate pair, which no program can be given');
/** What is shown in every row, and names of things. */
const MAX_LABEL = 1000;
const MAX_NAME = 4096;
const MAX_COMMAND = 32 * 1024;

const name = () => text().min(1).max(MAX_NAME);
const label = () => text().max(MAX_LABEL);

/** Text of at most `max` bytes of UTF-8; the published schema can only say it in characters. */
const sized = (max: number) =>
  text()
    .refine((value) => utf8Length(value) <= max, `is longer than ${max / 1024} KiB of UTF-8`)
    .meta({ maxLength: max });

/** Name by which other tasks of the set refer to a task. */
const TaskName = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"');

/** How the work of a task is checked after its end (T4). */
const Acceptance = z.strictObject({
  verify: z
    .array(
      z.strictObject({ command: text().min(1).max(MAX_COMMAND), timeout_seconds: z.number().positive().optional() }),
    )
    .min(1)
    .max(100),
});

/** Ceilings of everything below one dispatch; can only lower those of the settings. */
export const TreeLimits = z.strictObject({
  max_cost_usd: z.number().positive().optional(),
  max_tokens: z.number().int().positive().optional(),
});
export type TreeLimits = z.infer<typeof TreeLimits>;

/** A task as a person or a model writes it (S5). */
export const TaskInput = z.strictObject({
  id: TaskName.optional(),
  goal: sized(BATCH_MAXIMA.goalBytes),
  label: label().optional(),
  context: sized(BATCH_MAXIMA.contextBytes).optional(),
  agent: name().optional(),
  model: name().optional(),
  effort: Effort.optional(),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  acceptance: Acceptance.optional(),
  // An image may be a data URL.
  images: z.array(text().min(1)).max(BATCH_MAXIMA.images).optional(),
  files: z.array(name()).optional(),
  tools: z.array(name()).optional(),
  isolation: Isolation.optional(),
  base_ref: name()
    .refine((ref) => !ref.startsWith('-'), 'must not begin with "-"')
    .optional(),
  permission: Permission.optional(),
  limits: RunLimits.optional(),
  depends_on: z.array(TaskName).optional(),
  depends_on_any_outcome: z.boolean().optional(),
  retry: z.number().int().min(0).max(BATCH_MAXIMA.retries).optional(),
  fallback_models: z.array(name()).optional(),
  best_effort: z.boolean().optional(),
});
export type TaskInput = z.infer<typeof TaskInput>;

/** What a batch may say for all of its tasks: every field but `id` and `goal` (S5). */
export const TaskDefaults = TaskInput.omit({ id: true, goal: true });
export type TaskDefaults = z.infer<typeof TaskDefaults>;

/** A batch as an object (S2). */
export const BatchInput = z.strictObject({
  version: z.literal(1).optional(),
  title: label().optional(),
  defaults: TaskDefaults.optional(),
  max_concurrent: z.number().int().min(1).max(BATCH_MAXIMA.concurrency).optional(),
  fail_fast: z.boolean().optional(),
  tree_limits: TreeLimits.optional(),
  wait: z.boolean().optional(),
  client_token: name().max(200).optional(),
  tasks: z
    .array(z.union([TaskInput, z.string()]))
    .min(1)
    .max(BATCH_MAXIMA.tasks),
});
export type BatchInput = z.infer<typeof BatchInput>;

/** A task after validation: defaults, agent and settings are filled in, so that it means the same for ever. */
export const Task = z.object({
  id: TaskName.nullable(),
  goal: z.string(),
  label: z.string().nullable(),
  context: z.string().nullable(),
  agent: z.string(),
  /** `<provider id>/<model>` of a built-in run, an external agent's own name of a model, or null for its choice. */
  model: z.string().nullable(),
  effort: Effort.nullable(),
  output_schema: z.record(z.string(), z.unknown()).nullable(),
  acceptance: Acceptance.nullable(),
  images: z.array(z.string()),
  files: z.array(z.string()),
  /** The task's own allow list: null is no opinion, empty is none (K3). The agent's lists still apply. */
  tools: z.array(z.string()).nullable(),
  isolation: Isolation,
  base_ref: z.string().nullable(),
  permission: Permission,
  limits: RunLimits,
  depends_on: z.array(TaskName),
  depends_on_any_outcome: z.boolean(),
  /** Automatic retries after a failure. */
  retry: z.number().int().nonnegative(),
  fallback_models: z.array(z.string()),
  best_effort: z.boolean(),
});
export type Task = z.infer<typeof Task>;

/** A batch after validation. */
export const Batch = z.object({
  title: z.string().nullable(),
  max_concurrent: z.number().int().positive().nullable(),
  fail_fast: z.boolean(),
  tree_limits: TreeLimits,
  /** Null: the dispatcher's own default (P1). */
  wait: z.boolean().nullable(),
  client_token: z.string().nullable(),
  tasks: z.array(Task),
});
export type Batch = z.infer<typeof Batch>;

/** The published JSON Schema (draft 2020-12) of a batch file: an object, or a bare list of tasks or goals. */
export function batchJsonSchema(): Record<string, unknown> {
  const file = z.union([BatchInput, BatchInput.shape.tasks]).meta({ title: 'Espalier batch' });
  return z.toJSONSchema(file, { target: 'draft-2020-12', io: 'input' });
}
