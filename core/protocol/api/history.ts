import { z } from 'zod';
import { Timeline, UsageAnswer } from '../history.ts';
import { SearchAnswer, SearchKind } from '../search.ts';
import { Id, base } from './base.ts';

/** What has been, and doing it again. */
export const history = {
  /** The lives of a conversation's runs as spans, for the timeline and its replay. */
  timeline: base.input(z.object({ conversation_id: z.string() })).output(Timeline),
  /** The tasks of a set as a batch again: all, or those whose latest run did not complete cleanly. Starts nothing. */
  batch: base
    .input(z.object({ delegation_id: z.string(), only: z.enum(['all', 'failed']) }))
    .output(z.object({ batch: z.unknown() })),
  /** A batch that reviews a run or set that has ended. Starts nothing. */
  review: base.input(Id).output(z.object({ project_id: z.string(), conversation_id: z.string(), batch: z.unknown() })),
};

export const usage = {
  /** Use by project and local calendar day, both ends included. */
  days: base
    .input(z.object({ from: z.iso.date(), to: z.iso.date(), project_id: z.string().nullable() }))
    .output(UsageAnswer),
};

/** Full-text search over titles, goals, results and transcripts. */
export const search = {
  find: base
    .input(
      z.object({
        text: z.string().max(1000),
        /** Null searches all projects. */
        project_id: z.string().nullable(),
        kinds: z.array(SearchKind).min(1).optional(),
        limit: z.number().int().min(1).max(200),
      }),
    )
    .output(SearchAnswer),
};

export const exporting = {
  /** A conversation, set or run as one text, cleaned of known secrets (D7). */
  render: base
    .input(Id.extend({ format: z.enum(['md', 'json', 'html']) }))
    .output(z.object({ name: z.string(), type: z.string(), text: z.string() })),
};
