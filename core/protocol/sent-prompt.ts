import { z } from 'zod';

/** The first request of an attempt, as it was sent: what the transcript does not show. */
export const SentPrompt = z.object({
  /** Epoch milliseconds. */
  at: z.number(),
  /** `<provider id>/<model>`, or the external agent that was asked. */
  model: z.string(),
  /** The system prompt; empty for an agent that has its own. */
  system: z.string(),
  messages: z.array(z.object({ role: z.string(), text: z.string() })),
  tools: z.array(z.object({ name: z.string(), description: z.string(), schema: z.unknown() })),
  /** Some texts were longer than what is kept, and end early. */
  cut: z.boolean(),
});
export type SentPrompt = z.infer<typeof SentPrompt>;

/** Name of the file in an attempt's spill folder that holds its {@link SentPrompt}s, one JSON a line. */
export const PROMPTS_FILE = 'prompts.jsonl';

/** A file as it was before a run changed it; kept for *Undo*. */
export const KeptFile = z.object({
  /** Relative to the workspace, with `/`. */
  path: z.string(),
  /** Name of the file beside this list with the bytes before; null if there was no file. */
  before: z.string().nullable(),
  /** SHA-256 of what the run wrote, hex. */
  after: z.string(),
});
export type KeptFile = z.infer<typeof KeptFile>;

/** Folder in an attempt's spill folder with the bytes that were replaced, and the name of its list, one JSON a line. */
export const UNDO_FOLDER = 'undo';
export const UNDO_LIST = 'list.jsonl';
