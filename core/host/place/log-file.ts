import { openSync, renameSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../kit/clock.ts';
import { silentLogger, type Logger } from '../../kit/logger.ts';
import { makeFolder } from '../../kit/make-folder.ts';

/** A log larger than this is set aside at the next start; one older log is kept. */
const MAX_LOG_BYTES = 8 * 1024 * 1024;
/** As numbers, the way log viewers of Node programs know them. */
const LEVELS = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60, silent: Number.POSITIVE_INFINITY };

/**
 * A logger that appends JSON lines to `logs/core.log` of the data folder (0600). `level` is that of `ESPALIER_LOG`; one that is none is `info`. Where no
 * file can be had nothing is logged: whoever opens the folder itself says what is wrong with it.
 */
export function openLog(home: string, level = 'info'): Logger {
  try {
    return openFile(home, level);
  } catch {
    return silentLogger;
  }
}

function openFile(home: string, level: string): Logger {
  const folder = join(home, 'logs');
  makeFolder(folder);
  const path = join(folder, 'core.log');
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(path, join(folder, 'core.1.log'));
  const file = openSync(path, 'a', 0o600);
  const lowest = isLevel(level) ? LEVELS[level] : LEVELS.info;
  const write = (of: number, fields: Record<string, unknown>, msg: string): void => {
    if (of < lowest) return;
    try {
      // Written at once: the lines before a crash are the ones that matter, and there are few.
      writeSync(file, `${JSON.stringify({ level: of, time: systemClock.now(), pid: process.pid, ...fields, msg })}\n`);
    } catch {
      // On a full disk the core goes on, and a line that cannot be written is no reason to end it (B23).
    }
  };
  return {
    debug: (fields, message) => write(LEVELS.debug, fields, message),
    info: (fields, message) => write(LEVELS.info, fields, message),
    warn: (fields, message) => write(LEVELS.warn, fields, message),
    error: (fields, message) => write(LEVELS.error, fields, message),
  };
}

function isLevel(level: string): level is keyof typeof LEVELS {
  return Object.hasOwn(LEVELS, level);
}
