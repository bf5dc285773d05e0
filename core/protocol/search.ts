import { z } from 'zod';

/** What a hit of the search is: a conversation's title, a goal, a result, or an entry of a transcript. */
export const SearchKind = z.enum(['conversation', 'goal', 'result', 'entry']);
export type SearchKind = z.infer<typeof SearchKind>;

/** One place in which the words were found. */
export const SearchHit = z.object({
  kind: SearchKind,
  project_id: z.string(),
  conversation_id: z.string(),
  /** Null for a conversation. */
  run_id: z.string().nullable(),
  /** Number of the transcript entry, else null. */
  entry: z.number().int().nullable(),
  /** Line of the entry's text (from 1) where the words begin; null if they are in its title or arguments, or in no entry. */
  line: z.number().int().positive().nullable(),
  /** Label or goal of the run, title of the conversation. */
  title: z.string(),
  /** One line around the first of the words, white space collapsed. */
  snippet: z.string(),
  /** Where in the snippet words of the search are: pairs of start and end. */
  marks: z.array(z.tuple([z.number().int(), z.number().int()])),
  /** Epoch milliseconds. */
  at: z.number(),
});
export type SearchHit = z.infer<typeof SearchHit>;

/** Hits, newest first within each project. */
export const SearchAnswer = z.object({
  hits: z.array(SearchHit),
  /** There are further ones: name more words, or ask for more. */
  more: z.boolean(),
  /** Projects that could not be searched, and why. */
  problems: z.array(z.object({ project_id: z.string(), message: z.string() })),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;
