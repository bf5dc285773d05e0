import { z } from 'zod';
import { BatchProblem } from '../errors.ts';
import { TemplateName, TemplateRow } from '../history.ts';
import { ClientToken, Done, base } from './base.ts';
import { DispatchAnswer, DispatchOptions, MeantFolder, NoAgent } from './dispatch.ts';

/** A parsed batch, as the batch editor shows it. `batch` is in the JSON form of S2 and may still have problems. */
export const ParsedBatch = z.object({
  form: z.enum(['json', 'yaml', 'markdown', 'csv', 'tsv', 'text']),
  title: z.string().nullable(),
  /** Ticked items that were left out. */
  skipped: z.number().int().nonnegative(),
  batch: z.unknown(),
  problems: z.array(BatchProblem),
});
export type ParsedBatch = z.infer<typeof ParsedBatch>;

export const batches = {
  /** Reads a dropped or pasted text in any form of S2 and validates it. */
  parse: base
    .input(
      z.object({
        ...{ project_id: z.string().nullable(), folder: MeantFolder },
        ...{ text: z.string(), name: z.string().nullable() },
      }),
    )
    .output(ParsedBatch),
  validate: base
    .input(
      z.object({
        ...{ project_id: z.string().nullable(), folder: MeantFolder },
        ...{ batch: z.unknown(), options: DispatchOptions.optional() },
      }),
    )
    .output(z.object({ problems: z.array(BatchProblem), no_agent: NoAgent })),
  dispatch: base
    .input(
      z.object({
        project_id: z.string(),
        /** Null begins a new conversation. */
        conversation_id: z.string().nullable(),
        batch: z.unknown(),
        options: DispatchOptions.optional(),
        client_token: ClientToken,
      }),
    )
    .output(DispatchAnswer),
};

/** Batches kept under a name. */
export const templates = {
  list: base.output(z.array(TemplateRow)),
  load: base.input(z.object({ name: TemplateName })).output(z.object({ batch: z.unknown() })),
  save: base.input(z.object({ name: TemplateName, batch: z.unknown(), replace: z.boolean() })).output(TemplateRow),
  remove: base.input(z.object({ name: TemplateName })).output(Done),
};
