import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeFolder } from '../../core/kit/make-folder.ts';
import type { CommandContext } from '../command-context.ts';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * Opens an address in the browser. The token in it must not be in a process's arguments, where every user of the machine
 * reads it: the browser gets a private page that leads on. Answers what removes that page; it is no error if nothing opens.
 */
export async function openInBrowser({ home, terminal }: CommandContext, url: string): Promise<() => void> {
  const folder = join(home, 'run');
  makeFolder(folder);
  const page = join(folder, 'open.html');
  const forget = (): void => rmSync(page, { force: true });
  forget();
  writeFileSync(page, `<!doctype html><meta http-equiv="refresh" content="0;url=${url}">\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  const [command = 'xdg-open', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, pathToFileURL(page).href], { stdio: 'ignore', detached: true });
  child.unref();
  await new Promise<void>((resolve) => {
    child.once('spawn', () => resolve());
    child.once('error', () => {
      terminal.note('No browser could be opened; visit the address above.');
      resolve();
    });
  });
  return forget;
}
