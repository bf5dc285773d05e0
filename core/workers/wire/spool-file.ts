import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the files in an attempt's private folder. The spool holds one event frame a line, as JSON. */
export const ATTEMPT_FILES = { stdout: 'stdout.log', stderr: 'stderr.log', spool: 'spool.ndjson' } as const;

/** Where the worker keeps what the core has not acknowledged. The file is made before the worker begins; without it nothing was begun. */
export function spoolPath(folder: string): string {
  return join(folder, ATTEMPT_FILES.spool);
}

/** Whether the worker of the attempt has begun, by what it leaves in the attempt's folder. */
export function hasBegun(folder: string): boolean {
  return existsSync(spoolPath(folder));
}
