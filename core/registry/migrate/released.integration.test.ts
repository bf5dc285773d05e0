import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { applyMigrations } from './apply.ts';
import { loadMigrations } from './migrations.ts';
// File name → SHA-256 of every migration that has been in a release; a line is added with each release, never changed.
import released from './released.json' with { type: 'json' };

const migrationsOf = (set: string): ReturnType<typeof loadMigrations> =>
  loadMigrations(fileURLToPath(new URL(`../../../migrations/${set}`, import.meta.url)));

const SETS: [set: string, hashes: Readonly<Record<string, string>>][] = Object.entries(released);

test.each(SETS)('D6: released migrations of %s have not changed', (set, hashes) => {
  const present = migrationsOf(set).map(({ version, name, sha256 }) => [
    `${String(version).padStart(4, '0')}-${name}.sql`,
    sha256,
  ]);
  expect(Object.fromEntries(present)).toMatchObject(hashes);
});

test.each(SETS)('D6: the migrations of %s make a sound database of STRICT tables only', (set) => {
  const db = new Database(':memory:');
  const migrations = migrationsOf(set);
  expect(applyMigrations(db, migrations)).toEqual({ from: 0, to: migrations.length });
  const tables = db
    .prepare("SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  expect(tables.length).toBeGreaterThan(0);
  expect(tables.filter((table) => (table as { strict: number }).strict !== 1)).toEqual([]);
  db.close();
});
