import { z } from 'zod';

/** A stretch of a run's life in one state. */
export const TimelineSpan = z.object({
  run_id: z.string(),
  /** Epoch milliseconds; `to` is null for the state that still holds. */
  from: z.number(),
  to: z.number().nullable(),
  /** A state of T1, or a word of a newer build. `ended` has no span. */
  state: z.string(),
  reason: z.string().nullable(),
});
export type TimelineSpan = z.infer<typeof TimelineSpan>;

/** The life of a conversation's runs, in the order in which it happened. */
export const Timeline = z.object({
  spans: z.array(TimelineSpan),
  /** There were more than can be shown; these are the first. */
  cut: z.boolean(),
});
export type Timeline = z.infer<typeof Timeline>;

/** A batch that is kept under a name. */
export const TemplateRow = z.object({
  name: z.string(),
  title: z.string().nullable(),
  tasks: z.number().int(),
  saved_at: z.number(),
});
export type TemplateRow = z.infer<typeof TemplateRow>;

/** Name of a template: it is a file name too. */
export const TemplateName = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\\/:*?"<>|\p{Cc}.][^\\/:*?"<>|\p{Cc}]*$/u, 'must not begin with a dot, nor hold \\ / : * ? " < > |');

/** What the runs of a project have used on a local calendar day (R5). */
export const UsageDay = z.object({
  /** `YYYY-MM-DD`. */
  day: z.string(),
  project_id: z.string(),
  /** What is known of it; `unknown`: some was used at a price that nobody knows. */
  cost_usd: z.number(),
  unknown: z.boolean(),
  tokens: z.number().int(),
});
export type UsageDay = z.infer<typeof UsageDay>;

/** Use by project and day, the earliest day first. */
export const UsageAnswer = z.object({
  days: z.array(UsageDay),
  /** Projects that could not be read, and why. */
  problems: z.array(z.object({ project_id: z.string(), message: z.string() })),
});
export type UsageAnswer = z.infer<typeof UsageAnswer>;
