import type { ReadingClient } from '../../core/host/offline/offline-client.ts';
import type { Entry } from '../../core/protocol/entry.ts';

const PAGE = 200;

/** The entries of a transcript from number `from` on, page by page. */
export async function* transcriptEntries(client: ReadingClient, run_id: string, from = 0): AsyncGenerator<Entry> {
  for (let next = from; ;) {
    const { entries } = await client.transcript.page({ run_id, from: next, limit: PAGE });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < PAGE) return;
    next = last.entry + 1;
  }
}
