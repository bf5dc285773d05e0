import Database from 'better-sqlite3';
import { MeasuredCore } from '../measure/measured-core.ts';
import { NO_MODEL_SETTINGS } from '../measure/settings.ts';
import { STAND_IN_PROGRAM, StandIns } from '../measure/stand-ins.ts';
import { until } from '../measure/until.ts';

/** How much is to be on disk. */
export interface Volume {
  readonly conversations: number;
  readonly runsOfEach: number;
  readonly entries: number;
  /** Entries of the first run of the first conversation. */
  readonly longest: number;
}

/** What was made. */
export interface Filled {
  readonly title: string;
  readonly longRun: string;
  readonly bytes: number;
}

/** Goal of the run with the long transcript: the first of the conversation that was changed last. */
const LONG_GOAL = 'Write chapter 1.';

/**
 * Fills a data folder: one conversation is worked on for real, by a real core, and then copied row by row under new ids; the transcripts are
 * written with SQL. A core would write the same rows in hours.
 */
export async function fill(folder: string, volume: Volume): Promise<Filled> {
  const { database, conversation_id, title } = await workOnce(folder, volume.runsOfEach);
  const db = new Database(database);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -200000');
  const template = readTemplate(db, conversation_id);
  db.transaction(() => {
    for (let copy = 1; copy < volume.conversations; copy += 1) copyConversation(db, template, copy);
  })();
  const longRun = template.runs.find(({ row }) => row.includes(LONG_GOAL))?.run_id ?? '';
  writeTranscripts(db, volume, longRun);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const bytes = (db.pragma('page_count', { simple: true }) as number) * 4096;
  db.close();
  return { title, longRun, bytes };
}

async function workOnce(
  folder: string,
  count: number,
): Promise<{ database: string; conversation_id: string; title: string }> {
  const standIns = await StandIns.listen(folder);
  const core = await MeasuredCore.start({ folder, settings: NO_MODEL_SETTINGS, workerEntry: STAND_IN_PROGRAM });
  try {
    const { conversation_id, delegation_id } = await core.client.batches.dispatch({
      project_id: core.projectId,
      conversation_id: null,
      batch: { tasks: Array.from({ length: count }, (_, at) => ({ goal: `Write chapter ${at + 1}.` })) },
      client_token: 'volume',
    });
    let done = 0;
    while (done < count) {
      const [next] = await standIns.ready(1, done);
      next?.begin();
      next?.finish();
      done += 1;
    }
    let ended = false;
    await until('the set to end', () => {
      void core.client.sets.show({ id: delegation_id }).then(({ set }) => (ended = set.ended_at !== null));
      return ended;
    });
    const { conversation } = await core.client.conversations.show({ id: conversation_id });
    return { database: core.database, conversation_id, title: conversation.title };
  } finally {
    standIns.close();
    await core.close();
  }
}

interface Template {
  readonly conversation: Record<string, string>;
  readonly sets: readonly Record<string, string>[];
  readonly runs: readonly (Record<string, string> & { readonly run_id: string; readonly row: string })[];
  readonly ids: readonly string[];
}

function readTemplate(db: Database.Database, conversationId: string): Template {
  const all = <T>(table: string): T[] =>
    db.prepare<[string], T>(`SELECT * FROM ${table} WHERE conversation_id = ?`).all(conversationId);
  const [conversation] = all<Template['conversation']>('conversations');
  const [sets, runs] = [all<Template['sets'][number]>('sets'), all<Template['runs'][number]>('runs')];
  if (conversation === undefined) throw new Error('the conversation is not on disk');
  const ids = [conversationId, ...sets.map((set) => set['delegation_id'] ?? ''), ...runs.map(({ run_id }) => run_id)];
  return { conversation, sets, runs, ids };
}

function copyConversation(db: Database.Database, template: Template, copy: number): void {
  const pattern = new RegExp(template.ids.join('|'), 'g');
  // Ids end in hexadecimal digits: the last five say which copy it is.
  const renamed = (text: string): string =>
    text.replace(pattern, (id) => id.slice(0, -5) + copy.toString(16).padStart(5, '0'));
  const insert = (table: string, row: Record<string, unknown>): void => {
    const names = Object.keys(row);
    const values = names.map((name) => (typeof row[name] === 'string' ? renamed(row[name]) : row[name]));
    db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(values);
  };
  const older = { ...template.conversation, updated_at: Number(template.conversation['updated_at']) - copy * 60_000 };
  insert('conversations', older);
  for (const set of template.sets) insert('sets', set);
  for (const run of template.runs) insert('runs', run);
}

const TOOL = JSON.stringify({
  type: 'tool_call',
  call_id: 'call_1',
  name: 'edit',
  title: 'Editing src/chapter.ts',
  arguments: '{"path":"src/chapter.ts"}',
  status: 'ok',
  display: null,
  seconds: 0.2,
});

/** Entries of three kinds by turns, and the words of each in the search. */
function writeTranscripts(db: Database.Database, { entries, longest }: Volume, longRun: string): void {
  const runs = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM runs').get()?.n ?? 1;
  const each = Math.max(1, Math.floor((entries - longest) / Math.max(1, runs - 1)));
  db.exec("DELETE FROM search_docs WHERE kind = 'entry'; DELETE FROM entries; DELETE FROM chunks;");
  db.exec('DROP TRIGGER entry_searched');
  db.exec('CREATE TEMP TABLE numbers (i INTEGER PRIMARY KEY)');
  db.prepare(
    'INSERT INTO numbers WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?) SELECT i FROM n',
  ).run(Math.max(longest, each));
  const write = db.prepare(
    `INSERT INTO entries (run_id, entry, at, meta, text)
     SELECT @run, i, 1800000000000 + i * 1000,
       CASE i % 3 WHEN 0 THEN '{"type":"text","partial":false}' WHEN 1 THEN @tool ELSE '{"type":"reasoning","seconds":2}' END,
       'Part ' || i || ' of the chapter: the orchard in **autumn**, apples and pears, and \`a line of code\`.'
     FROM numbers WHERE i < @count`,
  );
  const ids = db.prepare<[], { run_id: string }>('SELECT run_id FROM runs').all();
  db.transaction(() => {
    for (const { run_id } of ids) write.run({ run: run_id, count: run_id === longRun ? longest : each, tool: TOOL });
  })();
  db.exec(`
    INSERT INTO search_docs (kind, run_id, entry) SELECT 'entry', run_id, entry FROM entries;
    INSERT INTO search (rowid, text) SELECT doc, e.text FROM search_docs d JOIN entries e ON e.run_id = d.run_id AND e.entry = d.entry WHERE kind = 'entry';
  `);
}
