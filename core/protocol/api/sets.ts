import { z } from 'zod';
import { SetResult } from '../result-entry.ts';
import { RunRow, SetRow } from '../rows.ts';
import { ClientToken, Id, base } from './base.ts';
import { DispatchAnswer, DispatchOptions, NewRun } from './dispatch.ts';

export const sets = {
  show: base.input(Id).output(z.object({ set: SetRow, runs: z.array(RunRow), result: SetResult.nullable() })),
  /** Retries every task of a set that ended without completing, but not what a person stopped (C5). */
  retry: base
    .input(z.object({ delegation_id: z.string(), client_token: ClientToken }))
    .output(z.object({ runs: z.array(NewRun) })),
  /** Adds tasks, in any form of S2, to a set that has not ended (S8). What the batch says of the set as a whole does not count. */
  add: base
    .input(
      z.object({
        delegation_id: z.string(),
        batch: z.unknown(),
        options: DispatchOptions.optional(),
        client_token: ClientToken,
      }),
    )
    .output(DispatchAnswer),
};
