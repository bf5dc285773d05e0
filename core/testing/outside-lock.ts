import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Another program that holds the write lock of a database. */
export interface OutsideLock extends AsyncDisposable {
  /** Lets go, and waits until it has. */
  release(): Promise<void>;
}

// The native module is named by its path: the program has no folder of its own to find it from.
const PROGRAM = `
  const [module, path] = process.argv.slice(1);
  const { default: Database } = await import(module);
  const db = new Database(path);
  db.exec('BEGIN IMMEDIATE');
  console.log('locked');
  process.stdin.once('end', () => { db.exec('COMMIT'); db.close(); }).resume();
`;

/** Locks a database from another process, as a backup tool or a shell does (B20). */
export async function lockOutside(path: string): Promise<OutsideLock> {
  const module = new URL('../../node_modules/better-sqlite3/lib/index.js', import.meta.url);
  const args = ['--input-type=module', '--eval', PROGRAM, fileURLToPath(module), path];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
  const release = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return { release, [Symbol.asyncDispose]: release };
}
