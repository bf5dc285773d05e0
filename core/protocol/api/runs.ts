import { z } from 'zod';
import { RunChanges } from '../changes.ts';
import { Entry } from '../entry.ts';
import { RunProcesses, SurvivorsReceipt } from '../processes.ts';
import { StopReceipt } from '../report.ts';
import { ResultEntry } from '../result-entry.ts';
import { RunRow, SteerMode, SteerRow } from '../rows.ts';
import { SentPrompt } from '../sent-prompt.ts';
import { ApplyMode } from '../worktree.ts';
import { ClientToken, Done, Id, MessageText, RunId, base } from './base.ts';
import { NewRun } from './dispatch.ts';

/** What a pause or its end did, in words, and how to undo it (R9). */
export const PauseAnswer = z.object({ done: z.literal(true), note: z.string() });
export type PauseAnswer = z.infer<typeof PauseAnswer>;

export const runs = {
  show: base.input(Id).output(z.object({ run: RunRow, result: ResultEntry.nullable(), steers: z.array(SteerRow) })),
  steer: base
    .input(
      z.object({
        run_id: z.string(),
        text: MessageText,
        mode: SteerMode,
        client_token: ClientToken,
      }),
    )
    .output(SteerRow),
  /**
   * Stops a run, set or conversation and everything below it; answers when it is proved (C3). `now`: without time to end by itself, also what is being
   * stopped already.
   */
  stop: base.input(Id.extend({ now: z.boolean().optional() })).output(StopReceipt),
  /** Closes the gate of a run, set or conversation, or with null of the app (R9). */
  pause: base.input(z.object({ id: z.string().nullable() })).output(PauseAnswer),
  resume: base.input(z.object({ id: z.string().nullable() })).output(PauseAnswer),
  /** What each attempt sent first, as it was sent. */
  prompt: base.input(RunId).output(z.object({ prompts: z.array(SentPrompt) })),
  /** Its processes, measured now, its attempts, and what survived it. */
  processes: base.input(RunId).output(RunProcesses),
  /** Ends what survived a run, but only processes that are still the same ones. */
  end_survivors: base.input(RunId).output(SurvivorsReceipt),
  /** A new run in the slot of one that has ended; what is not named stays as it was (C5). */
  retry: base
    .input(
      z.object({
        run_id: z.string(),
        goal: MessageText.optional(),
        agent: z.string().optional(),
        model: z.string().optional(),
        client_token: ClientToken,
      }),
    )
    .output(NewRun),
  /** Goes on with the session of a run that has ended, with a message (C5). */
  continue: base.input(z.object({ run_id: z.string(), text: MessageText, client_token: ClientToken })).output(NewRun),
};

export const transcript = {
  /** Entries from number `from` on, at most `limit` of them. */
  page: base
    .input(
      z.object({
        run_id: z.string(),
        from: z.number().int().nonnegative(),
        limit: z.number().int().min(1).max(1000),
      }),
    )
    .output(z.object({ entries: z.array(Entry), entry_count: z.number().int() })),
};

/** What a run changed, and what becomes of its worktree (W4). All but `show` are refused while the run lives. */
export const changes = {
  show: base.input(RunId).output(RunChanges),
  /** Puts a file that the run's own calls wrote back to what it was before; refused if it has changed since. */
  undo: base.input(RunId.extend({ path: z.string().min(1) })).output(Done),
  /** Brings the work into what the project has checked out; with a conflict nothing is done. Answers the project's commit before and after. */
  apply: base.input(RunId.extend({ mode: ApplyMode })).output(z.object({ from: z.string(), to: z.string() })),
  /** Removes the folder and keeps the branch, with what was not committed as its last commit. */
  keep: base.input(RunId).output(z.object({ branch: z.string(), commit: z.string() })),
  /** Removes folder and branch; a ref keeps the work 30 days. `accept_loss`: also when something in it cannot be kept so (`would_lose`). */
  discard: base
    .input(RunId.extend({ accept_loss: z.boolean() }))
    .output(z.object({ ref: z.string(), commit: z.string() })),
};
