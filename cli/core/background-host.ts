import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../core/kit/make-folder.ts';

/** A core that was started in the background. */
export interface BackgroundHost {
  /** Why it ended, once it has; null while it runs. */
  failed(): string | null;
}

/** Starts this program again as the core of the data folder, detached from the terminal and from us. */
export function spawnBackgroundHost({
  home,
  environment,
}: {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): BackgroundHost {
  const folder = join(home, 'logs');
  makeFolder(folder);
  const path = join(folder, 'background.log');
  const log = openSync(path, 'a', 0o600);
  let ended: string | null = null;
  // Loaded when it is needed: most commands start nothing.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'host-in-background'], {
    detached: true,
    cwd: home,
    env: { ...environment, ESPALIER_HOME: home },
    stdio: ['ignore', log, log],
    windowsHide: true,
  });
  closeSync(log);
  child.on('error', (error) => (ended = `The core in the background could not be started: ${error.message}`));
  child.on('exit', (code) => (ended = `The core in the background ended with status ${String(code)}; see ${path}.`));
  child.unref();
  return { failed: () => ended };
}
