import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../core/kit/clock.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { loadMigrations } from '../../core/registry/migrate/migrations.ts';
import { createWriterRegistry } from '../../core/registry/writers/registry.ts';

const MIGRATIONS = loadMigrations(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'espalier-failures-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The conversations' rows after the database of an older build was opened by this one. */
async function upgraded(seed: readonly string[]): Promise<string[]> {
  const path = join(folder, 'project.db');
  const open = async <T>(count: number, use: (run: (sql: string) => void, all: () => string[]) => T): Promise<T> => {
    const migrationsFor = () => MIGRATIONS.slice(0, count);
    const registry = createWriterRegistry({ clock: systemClock, logger: silentLogger, migrationsFor });
    const opened = await registry.acquire(path);
    if (!opened.ok) throw new Error(opened.error.message);
    let value: T | undefined;
    await opened.value.write((db) => {
      const rows = () => db.all<{ row: string }>('SELECT row FROM conversations ORDER BY conversation_id');
      value = use(
        (sql) => void db.run(sql),
        () => rows().map(({ row }) => row),
      );
    });
    await registry.drainAll();
    return value as T;
  };
  await open(2, (run) => {
    for (const sql of seed) run(sql);
  });
  return open(MIGRATIONS.length, (_run, all) => all());
}

test('a conversation of an older build tells its failures, its stopped runs, its caveats and when one failed last', async () => {
  const run = (id: string, of: string, outcome: string, row: object) =>
    `INSERT INTO runs (run_id, conversation_id, state, outcome, row, task) VALUES ('${id}', '${of}', 'ended', '${outcome}', '${JSON.stringify(row)}', '{}')`;
  const conversation = (id: string, row: string) =>
    `INSERT INTO conversations (conversation_id, updated_at, row) VALUES ('${id}', 1, '${row}')`;
  const ended = { failure_line: null, retried_by: null, continued_by: null, ended_at: 9 };
  const rows = await upgraded([
    conversation('a', '{"title":"A"}'),
    conversation('b', '{"title":"B"}'),
    run('a1', 'a', 'failed', { ...ended, failure_line: 'It broke', ended_at: 5 }),
    run('a2', 'a', 'lost', { ...ended, failure_line: 'Gone', retried_by: 'a3', ended_at: 4 }),
    run('a3', 'a', 'completed', ended),
    run('a4', 'a', 'stopped', ended),
    run('b1', 'b', 'completed', { ...ended, caveats: [] }),
    run('b2', 'b', 'completed', { ...ended, caveats: [{ type: 'truncated' }] }),
    run('b3', 'b', 'completed', { ...ended, caveats: [{ type: 'truncated' }], retried_by: 'b1' }),
  ]);
  expect(rows.map((row) => JSON.parse(row) as unknown)).toEqual([
    { title: 'A', failed: 1, stopped: 1, caveats: 0, failed_at: 5 },
    { title: 'B', failed: 0, stopped: 0, caveats: 1 },
  ]);
});
