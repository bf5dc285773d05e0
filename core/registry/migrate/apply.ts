import Database from 'better-sqlite3';
import { backupDatabase } from '../reader/backup-database.ts';
import type { Migration } from './migrations.ts';

/**
 * Applies every step beyond the database's version in one transaction, version included: a kill in the middle leaves
 * the old schema, the end leaves the new one, nothing else exists (case 44). Foreign keys are off meanwhile, so that a
 * table can be rebuilt, and all checked before the commit. Returns the versions before and after.
 * Throws what SQLite throws; a script that ends the transaction itself is a bug and throws too.
 */
export function applyMigrations(
  raw: Database.Database,
  migrations: readonly Migration[],
): { from: number; to: number } {
  raw.pragma('foreign_keys = OFF');
  raw.pragma('synchronous = FULL');
  raw.exec('BEGIN IMMEDIATE');
  try {
    const from = raw.pragma('user_version', { simple: true }) as number;
    for (const migration of migrations) if (migration.version > from) applyOne(raw, migration);
    if ((raw.pragma('foreign_key_check') as unknown[]).length > 0) throw new Error('A migration broke a foreign key');
    raw.exec('COMMIT');
    return { from, to: raw.pragma('user_version', { simple: true }) as number };
  } finally {
    if (raw.inTransaction) raw.exec('ROLLBACK');
    raw.pragma('foreign_keys = ON');
  }
}

function applyOne(raw: Database.Database, { version, name, sql }: Migration): void {
  raw.exec(sql);
  if (!raw.inTransaction) throw new Error(`Migration ${name} ended the transaction it runs in`);
  raw.pragma(`user_version = ${String(version)}`);
}

/** Where the copy of a database goes before it is migrated away from `version`. */
export function migrationBackupPath(path: string, version: number): string {
  return `${path}.v${String(version)}.bak`;
}

/**
 * Brings an existing database up to date: first a backup beside it ({@link migrationBackupPath}), then
 * {@link applyMigrations}. Blocks for as long as that takes, so it belongs in a storage thread. Throws what SQLite throws.
 */
export function upgradeDatabase(path: string, migrations: readonly Migration[]): { from: number; to: number } {
  const raw = new Database(path, { fileMustExist: true, timeout: 0 });
  try {
    const version = raw.pragma('user_version', { simple: true }) as number;
    backupDatabase(raw, migrationBackupPath(path, version));
    return applyMigrations(raw, migrations);
  } finally {
    raw.close();
  }
}
