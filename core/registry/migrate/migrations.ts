import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One forward step of a schema; plain data, so that it can be sent to a thread. */
export interface Migration {
  /** The `user_version` of the database after this step: 1, 2, 3 … */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the SQL, hexadecimal; a released migration never changes. */
  readonly sha256: string;
}

const FILE_NAME = /^(\d{4})-([a-z0-9-]+)\.sql$/;

/**
 * Reads the `NNNN-name.sql` files of a folder, in order. Other kinds of files are left alone. A wrong name, a gap or a
 * number used twice is a bug of the build and throws.
 */
export function loadMigrations(folder: string): readonly Migration[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, index) => {
    const [, number, name] = FILE_NAME.exec(file) ?? [];
    if (number === undefined || name === undefined) throw new Error(`Not a migration name (NNNN-name.sql): ${file}`);
    if (Number(number) !== index + 1) throw new Error(`Migrations are not numbered 1, 2, 3 …: ${file}`);
    const sql = readFileSync(join(folder, file), 'utf8');
    return { version: index + 1, name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
  });
}
