import { mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { destination, pino } from 'pino';
import type { Logger } from '../../kit/logger.ts';

/** A log larger than this is set aside at the next start; one older log is kept. */
const MAX_LOG_BYTES = 8 * 1024 * 1024;
/** Lines that cannot be written now are held up to this; more are dropped. */
const MAX_HELD_BYTES = 1024 * 1024;
const LEVELS: ReadonlySet<string> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']);

/** A logger that appends JSON lines to `logs/core.log` of the data folder (0600). `level` is that of `ESPALIER_LOG`. */
export function openLog(home: string, level = 'info'): Logger {
  const folder = join(home, 'logs');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'core.log');
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(file, join(folder, 'core.1.log'));
  // Written at once: the lines before a crash are the ones that matter, and there are few.
  const lines = destination({ dest: file, append: true, mode: 0o600, sync: true, maxLength: MAX_HELD_BYTES });
  // On a full disk the core goes on, and a line that cannot be written is no reason to end it (B23).
  lines.on('error', () => undefined);
  const log = pino({ level: LEVELS.has(level) ? level : 'info', base: { pid: process.pid } }, lines);
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
  };
}
