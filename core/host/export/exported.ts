import type { Entry } from '../../protocol/entry.ts';
import type { ResultEntry } from '../../protocol/result-entry.ts';
import type { ConversationRow, RunRow, SetRow } from '../../protocol/rows.ts';
import type { ReadingClient } from '../offline/offline-client.ts';

/** Where an export is read from: the part of the API that shows what is stored. */
export interface ExportSource {
  readonly conversations: Pick<ReadingClient['conversations'], 'show'>;
  readonly sets: ReadingClient['sets'];
  readonly runs: ReadingClient['runs'];
  readonly transcript: ReadingClient['transcript'];
}

/** Entries that are read at once. */
const PAGE = 200;

/** A run with everything that is kept of it. */
export interface ExportedRun {
  readonly run: RunRow;
  readonly result: ResultEntry | null;
  readonly transcript: readonly Entry[];
}

/** What is exported: a conversation, or the part of it that was asked for. */
export interface Exported {
  readonly conversation: ConversationRow;
  readonly sets: readonly SetRow[];
  readonly runs: readonly ExportedRun[];
}

/** Reads a conversation, a set or a run with its transcripts. */
export async function readExported(client: ExportSource, id: string): Promise<Exported> {
  const conversationId = await conversationOf(client, id);
  const { conversation, sets, runs } = await client.conversations.show({ id: conversationId });
  const wanted = runs.filter((run) => id === conversationId || run.run_id === id || run.delegation_id === id);
  const exported: ExportedRun[] = [];
  for (const { run_id } of wanted) {
    const { run, result } = await client.runs.show({ id: run_id });
    const transcript: Entry[] = [];
    for await (const page of pages(client, run_id)) transcript.push(...page);
    exported.push({ run, result, transcript });
  }
  const setIds = new Set(wanted.map((run) => run.delegation_id));
  return { conversation, sets: sets.filter((set) => setIds.has(set.delegation_id)), runs: exported };
}

async function* pages(client: ExportSource, run_id: string): AsyncGenerator<readonly Entry[]> {
  for (let from = 0; ;) {
    const { entries } = await client.transcript.page({ run_id, from, limit: PAGE });
    const last = entries.at(-1);
    if (last === undefined) return;
    yield entries;
    if (entries.length < PAGE) return;
    from = last.entry + 1;
  }
}

/** Whether an id is one that can be exported. */
export function isExportable(id: string): boolean {
  return /^(?:conv|deleg|run)_/.test(id);
}

async function conversationOf(client: ExportSource, id: string): Promise<string> {
  if (id.startsWith('deleg_')) return (await client.sets.show({ id })).set.conversation_id;
  if (id.startsWith('run_')) return (await client.runs.show({ id })).run.conversation_id;
  return id;
}
