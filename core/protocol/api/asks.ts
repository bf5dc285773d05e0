import { z } from 'zod';
import { GrantName, GrantRow } from '../preferences.ts';
import { AskRow } from '../rows.ts';
import { Done, MAX_MESSAGE_CHARS, base } from './base.ts';

export const asks = {
  list: base.output(z.array(AskRow)),
  answer: base
    .input(
      z.object({
        ask_id: z.string(),
        /** A scope of consent, a refusal, or the text that answers a question. */
        choice: z.enum(['once', 'run', 'set', 'project', 'deny', 'text']),
        note: z.string().max(MAX_MESSAGE_CHARS).nullable(),
        client: z.string(),
      }),
    )
    .output(AskRow),
};

/** Consent that was given beyond one call, and still holds (A2). */
export const grants = {
  list: base.output(z.array(GrantRow)),
  /** Takes it back: the next such call is asked for again. */
  remove: base.input(GrantName).output(Done),
};
