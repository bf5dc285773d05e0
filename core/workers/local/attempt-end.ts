import { delay } from '../../kit/clock.ts';
import type { Clock } from '../../kit/clock.ts';
import { endLeftovers, notStartedReceipt, stopTree } from '../../kit/process-tree/stop-tree.ts';
import type { StopOptions, StopReceipt } from '../../kit/process-tree/stop-tree.ts';
import type { AttemptTree } from '../processes/attempt-tree.ts';
import type { EventIntake } from './event-intake.ts';
import { spoolEvents } from './spool-events.ts';
import type { WorkerConnection } from './worker-connection.ts';

/** What a worker has said its last words over. */
type Spoken = Pick<WorkerConnection, 'closed' | 'replace'>;

/** The end of a dead process's connection comes at once; one that is silent for so long, and not held back by us, never comes. */
const SILENT_MS = 1000;

/**
 * Takes in everything that a worker which is gone has left: first its connection to the end, then its spool. Waits for the engine whenever it
 * has taken more than it commits.
 */
export async function takeLastWords(
  left: { readonly connection: Spoken | null; readonly spool: string; readonly intake: EventIntake },
  clock: Clock,
): Promise<void> {
  const { connection, spool, intake } = left;
  if (connection !== null) await readToEnd(connection, intake, clock);
  for await (const { frame, bytes } of spoolEvents(spool)) {
    await intake.room();
    if (intake.take(frame.seq, frame.event, bytes) === 'gap') return;
  }
}

async function readToEnd(connection: Spoken, intake: EventIntake, clock: Clock): Promise<void> {
  let ended = false;
  const end = connection.closed.then(() => {
    ended = true;
  });
  for (let seen = -1; !ended && seen !== intake.seen;) {
    seen = intake.seen;
    await intake.room();
    await Promise.race([end, delay(clock, SILENT_MS)]);
    // After a stall of this process the time is over before anything was read: what lies in the socket has its turn first.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  }
  connection.replace();
}

/** Ends a whole tree (C3); a tree that cannot be looked at gives `unknown`, never an error. */
export async function endTree(tree: Promise<AttemptTree> | null, options: StopOptions): Promise<StopReceipt> {
  if (tree === null) return notStartedReceipt;
  return tree.then(({ tracker }) => stopTree(tracker, options)).catch(unknownReceipt);
}

/** Ends what a worker left behind (C4). */
export async function endRest(
  tree: Promise<AttemptTree> | null,
  options: Omit<StopOptions, 'polite'>,
): Promise<StopReceipt> {
  if (tree === null) return notStartedReceipt;
  return tree.then(({ tracker }) => leftovers(tracker, options)).catch(unknownReceipt);
}

async function leftovers(tracker: AttemptTree['tracker'], options: Omit<StopOptions, 'polite'>): Promise<StopReceipt> {
  if (await leftNothing(tracker)) return { ended: [], survivors: [], proof: { method: 'observed', how: 'cgroup' } };
  const { background, survivors, proof } = await endLeftovers(tracker, options);
  const alive = new Set(survivors.map(({ pid }) => pid));
  return { ended: background.filter(({ pid }) => !alive.has(pid)), survivors, proof };
}

/** Nobody leaves a cgroup by accident: an empty one, and no recorded process outside, need no listing of the whole machine. */
async function leftNothing(tracker: AttemptTree['tracker']): Promise<boolean> {
  if (tracker.cgroup === null || (await tracker.cgroup.pids()).length > 0) return false;
  return (await tracker.stillLiving()).length === 0;
}

function unknownReceipt(error: unknown): StopReceipt {
  const text = error instanceof Error ? error.message : String(error);
  const reason = `the processes of the attempt could not be looked at: ${text}`;
  return { ended: [], survivors: [], proof: { method: 'unknown', reason } };
}
