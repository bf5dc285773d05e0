import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { FeedMessage } from '../../core/protocol/feed.ts';
import type { AppRow } from '../../core/protocol/rows.ts';
import type { CommandContext } from '../command-context.ts';
import { follow } from './follow.ts';

/** An ordinary call has its answer by then. */
const LONG_MS = 750;

/** Lines about what the core cannot store, once for each change (D6). */
export class StorageLines {
  #banner: string | null = null;

  /** The line that a message of the feed is reason for; null when there is nothing new. */
  take(message: FeedMessage): string | null {
    const row = appOf(message);
    if (row === null || row.storage_banner === this.#banner) return null;
    this.#banner = row.storage_banner;
    return this.#banner ?? 'Everything can be stored again; work goes on.';
  }
}

/** Waits for `work` of the core. When that takes long and nothing can be stored meanwhile, it is said what is waited for, and when that is over. */
export async function tellingWaits<T>(
  { terminal, clock }: Pick<CommandContext, 'terminal' | 'clock'>,
  client: ApiClient,
  work: Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const cancel = clock.after(LONG_MS, () => void tellStorage(client, over.signal, (line) => terminal.note(line)));
  try {
    return await work;
  } finally {
    cancel();
    over.abort();
  }
}

async function tellStorage(client: ApiClient, signal: AbortSignal, note: (line: string) => void): Promise<void> {
  const lines = new StorageLines();
  const onMessage = (message: FeedMessage): boolean => {
    const line = signal.aborted ? null : lines.take(message);
    if (line !== null) note(line);
    return signal.aborted;
  };
  try {
    await follow({ client, name: 'espalier', canAnswer: false, scopes: [{ type: 'app' }], signal, onMessage });
  } catch {
    return; // It is over; or the line is lost, which who waits for the work is told.
  }
}

function appOf(message: FeedMessage): AppRow | null {
  if (message.type === 'hello') return null;
  if (message.type === 'snapshot') return message.snapshot.app;
  return message.changes.reduce<AppRow | null>((last, change) => (change.type === 'app' ? change.row : last), null);
}
