import Database from 'better-sqlite3';
import { statSync } from 'node:fs';
import type { CoreFigures } from '../measure/core-figures.ts';
import type { MeasuredCore } from '../measure/measured-core.ts';
import { until } from '../measure/until.ts';

/** What the deletion of a long conversation does to its core. */
export interface Erasing {
  /** Until the client was answered. */
  readonly answer_ms: number;
  readonly core: CoreFigures;
  readonly mb_before: number;
  readonly mb_after: number;
}

/** Deletes the conversation of a run, and watches the core until its rows are erased and their pages given back. */
export async function erase(core: MeasuredCore, runId: string): Promise<Erasing> {
  const mb = (): number => Math.round(statSync(core.database).size / 2 ** 20);
  const { conversation_id } = (await core.client.runs.show({ id: runId })).run;
  const mb_before = mb();
  const db = new Database(core.database, { readonly: true });
  const pragma = (name: string): number => db.pragma(name, { simple: true }) as number;
  const isDone = (): boolean =>
    db.prepare('SELECT 1 FROM erased').get() === undefined && pragma('freelist_count') <= 1024;
  await core.figures();
  const began = performance.now();
  await core.client.conversations.remove({ id: conversation_id });
  const answer_ms = performance.now() - began;
  await until('all rows to be erased', isDone, 200, 120_000);
  const figures = await core.figures();
  db.close();
  return { answer_ms, core: figures, mb_before, mb_after: mb() };
}
