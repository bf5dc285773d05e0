import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../core/kit/clock.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import type { ProjectRow } from '../../core/protocol/rows.ts';
import { loadMigrations } from '../../core/registry/migrate/migrations.ts';
import {
  markPossiblyLive,
  readAppState,
  readPossiblyLive,
  readProjects,
  removeProject,
  writeAppState,
  writeProject,
} from '../../core/registry/store/projects.ts';
import type { WriterHandle } from '../../core/registry/writers/handle.ts';
import { createWriterRegistry } from '../../core/registry/writers/registry.ts';

const MIGRATIONS = loadMigrations(import.meta.dirname);
const folder = mkdtempSync(join(tmpdir(), 'espalier-app-'));
const registry = createWriterRegistry({ clock: systemClock, logger: silentLogger, migrationsFor: () => MIGRATIONS });
let databases = 0;

afterAll(async () => {
  await registry.drainAll();
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<WriterHandle> {
  const opened = await registry.acquire(join(folder, `app-${(databases += 1)}.db`));
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

const project = (id: string, used_at: number): ProjectRow => ({
  project_id: id,
  path: `/home/me/${id}`,
  name: id,
  added_at: 1,
  used_at,
  trusted: false,
  definitions: null,
  present: true,
  git: false,
});

test('attached folders are read with the last used first, and can be taken off', async () => {
  const app = await open();
  await app.write((db) => [project('a', 1), project('b', 2)].map((row) => writeProject(db, row)));
  expect(readProjects(app.db).map(({ project_id }) => project_id)).toEqual(['b', 'a']);
  await app.write((db) => writeProject(db, project('a', 3)));
  await app.write((db) => removeProject(db, 'b'));
  expect(readProjects(app.db)).toEqual([project('a', 3)]);
});

test('one folder is one project', async () => {
  const app = await open();
  await app.write((db) => writeProject(db, project('a', 1)));
  const twice = app.write((db) => writeProject(db, { ...project('b', 1), path: '/home/me/a' }));
  await expect(twice).rejects.toThrow(/UNIQUE/);
});

test('D5: projects that may be live are marked until a recovery finds nothing; a changed row keeps the mark', async () => {
  const app = await open();
  await app.write((db) => {
    for (const row of [project('a', 1), project('b', 2)]) writeProject(db, row);
    markPossiblyLive(db, 'a', true);
    writeProject(db, project('a', 9));
  });
  expect(readPossiblyLive(app.db)).toEqual(['a']);
  await app.write((db) => markPossiblyLive(db, 'a', false));
  expect(readPossiblyLive(app.db)).toEqual([]);
});

test('R9: what holds for the whole app survives as it was written', async () => {
  const app = await open();
  expect(readAppState(app.db, 'paused')).toBeUndefined();
  for (const paused of [true, false, true]) await app.write((db) => writeAppState(db, 'paused', paused));
  expect(readAppState(app.db, 'paused')).toBe(true);
});
