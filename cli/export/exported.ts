import type { ReadingClient } from '../../core/host/offline/offline-client.ts';
import type { Entry } from '../../core/protocol/entry.ts';
import type { ResultEntry } from '../../core/protocol/result-entry.ts';
import type { ConversationRow, RunRow, SetRow } from '../../core/protocol/rows.ts';
import { transcriptEntries } from '../core/transcript-pages.ts';
import { Failure } from '../core/failure.ts';
import { EXIT } from '../exit-status.ts';

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
export async function readExported(client: ReadingClient, id: string): Promise<Exported> {
  const conversationId = await conversationOf(client, id);
  const { conversation, sets, runs } = await client.conversations.show({ id: conversationId });
  const wanted = runs.filter((run) => id === conversationId || run.run_id === id || run.delegation_id === id);
  const exported: ExportedRun[] = [];
  for (const { run_id } of wanted) {
    const { run, result } = await client.runs.show({ id: run_id });
    const transcript: Entry[] = [];
    for await (const entry of transcriptEntries(client, run_id)) transcript.push(entry);
    exported.push({ run, result, transcript });
  }
  const setIds = new Set(wanted.map((run) => run.delegation_id));
  return { conversation, sets: sets.filter((set) => setIds.has(set.delegation_id)), runs: exported };
}

async function conversationOf(client: ReadingClient, id: string): Promise<string> {
  if (id.startsWith('conv_')) return id;
  if (id.startsWith('deleg_')) return (await client.sets.show({ id })).set.conversation_id;
  if (id.startsWith('run_')) return (await client.runs.show({ id })).run.conversation_id;
  throw new Failure(EXIT.usage, `${id} is no id of a conversation (conv_…), set (deleg_…) or run (run_…).`);
}
