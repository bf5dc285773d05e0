import { z } from 'zod';
import { ClientToken, Done, RunId, base } from './base.ts';

/** Leads at work outside: clients that delegate over MCP from a terminal of their own. */
export const outside = {
  /** The text of the delegate tool with the limits in force (K6). */
  describe: base.output(z.object({ description: z.string() })),
  /** Begins the conversation of a connection. The same token again is the same conversation (S7). */
  open: base
    .input(
      z.object({
        project_id: z.string(),
        /** Name of the client program. */
        client: z.string().min(1).max(200),
        client_token: ClientToken,
      }),
    )
    .output(z.object({ conversation_id: z.string(), run_id: z.string() })),
  /** Answers when the run has ended. A client that no longer waits for that, and does not come back, has gone. */
  attend: base.input(RunId).output(z.object({ words: z.string() })),
  /** Carries out a call of the delegate tool; answers when it is answered. The same id again is the same call (P7). */
  call: base
    .input(RunId.extend({ call_id: z.string().min(1).max(200), arguments: z.unknown() }))
    .output(z.object({ is_error: z.boolean(), text: z.string() })),
  /** Asks the people at Espalier; null when nobody answers. */
  ask: base
    .input(RunId.extend({ key: z.string().min(1).max(200), title: z.string().min(1), detail: z.string() }))
    .output(z.object({ answer: z.string().nullable() })),
  /** The client goes. */
  leave: base.input(RunId).output(Done),
};
