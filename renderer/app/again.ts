import type { RunRow } from '../../core/protocol/rows.ts';
import { strings } from '../shared/strings.ts';
import { toast } from '../ui/toast.tsx';
import { attempt, clientToken, core } from './client.ts';
import { ui, useUi } from './ui-store.ts';

/** What a retry may change; what is left out stays as it was. */
export interface RetryEdits {
  readonly goal?: string;
  readonly agent?: string;
  readonly model?: string;
}

/** What is under way: a second press begins no second run. */
const underWay = new Set<string>();

async function once(id: string, action: () => Promise<boolean>): Promise<boolean> {
  if (underWay.has(id)) return false;
  underWay.add(id);
  try {
    return await action();
  } finally {
    underWay.delete(id);
  }
}

/** Whoever looked at the earlier run goes on with the new one. */
export function follow(earlier: string, next: string): void {
  if (useUi.getState().node?.id === earlier) ui.selectRun(next);
}

/** Begins a new run in the slot of one that has ended (C5). */
export function retryRun(run: Pick<RunRow, 'run_id'>, edits: RetryEdits = {}): Promise<boolean> {
  const { run_id } = run;
  return once(run_id, () =>
    attempt(strings.again.retryFailed, async () => {
      const next = await core.runs.retry({ run_id, ...edits, client_token: clientToken() });
      follow(run_id, next.run_id);
    }),
  );
}

/** Entries at the end of a transcript among which the last message is looked for. */
const TAIL = 1000;
const SAID: ReadonlySet<string> = new Set(['goal', 'message', 'follow_up']);

/** What a lead was told last. */
async function lastMessage({ run_id, goal }: Pick<RunRow, 'run_id' | 'goal'>): Promise<string> {
  const { entry_count: count } = await core.transcript.page({ run_id, from: 0, limit: 1 });
  const { entries } = await core.transcript.page({ run_id, from: Math.max(0, count - TAIL), limit: TAIL });
  const last = entries.findLast(
    ({ meta }) => meta.type === 'user' && typeof meta.origin === 'string' && SAID.has(meta.origin),
  );
  return last?.text ?? goal;
}

/** Tells a lead that has ended its last message again: a new run goes on with it (T1). */
export function tellAgain(run: Pick<RunRow, 'run_id' | 'goal' | 'project_id' | 'conversation_id'>): Promise<boolean> {
  const { run_id, project_id, conversation_id } = run;
  return once(run_id, () =>
    attempt(strings.again.retryFailed, async () => {
      const text = await lastMessage(run);
      const next = await core.leads.send({ project_id, conversation_id, text, client_token: clientToken() });
      follow(run_id, next.run_id);
    }),
  );
}

/** Retries what has failed in a set. */
export function retrySet(id: string): Promise<boolean> {
  return once(id, () =>
    attempt(strings.again.retryFailed, async () => {
      const { runs } = await core.sets.retry({ delegation_id: id, client_token: clientToken() });
      toast(strings.again.retrying(runs.length));
    }),
  );
}
