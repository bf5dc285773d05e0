import { readFileSync, readdirSync } from 'node:fs';
import { afterAll } from 'vitest';

/** How long a child that was told to end may take to be reaped before the file fails. */
const GRACE_MS = 3_000;

/** Children of this process that still run (zombies are ended already), as `pid command`. Linux only: elsewhere empty. */
function liveChildren(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc/self/task')
    .flatMap((task) => readOrEmpty(`/proc/self/task/${task}/children`).trim().split(' '))
    .filter((pid) => pid !== '' && isRunning(pid))
    .map((pid) => `${pid} ${readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()}`);
}

/** The state letter follows the command name, which is in parentheses and may itself hold spaces. */
function isRunning(pid: string): boolean {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
  return state !== '' && state !== 'Z' && state !== 'X';
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // the process ended between the listing and the reading
  }
}

// After each test file nothing may be left running: a leaked child is a failure of the file that leaked it.
afterAll(async () => {
  const deadline = performance.now() + GRACE_MS;
  while (liveChildren().length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const left = liveChildren();
  if (left.length > 0) throw new Error(`left running after this file:\n${left.join('\n')}`);
});
