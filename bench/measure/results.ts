import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';

/** Folder of the package. */
export const ROOT = join(import.meta.dirname, '..', '..');

/** Where and of what a result was measured. */
export interface Circumstances {
  /** ISO date and time. */
  readonly at: string;
  /** Short commit hash, with `+` when the checkout had changes; `unknown` outside a repository. */
  readonly commit: string;
  readonly machine: string;
  /** Load of the machine over the last minute, when the bench ended: with what it did itself. */
  readonly load: number;
}

export function circumstances(): Circumstances {
  const cores = availableParallelism();
  const machine = `${cores} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, ${process.platform}`;
  return { at: new Date().toISOString(), commit: commit(), machine, load: Math.round((loadavg()[0] ?? 0) * 10) / 10 };
}

/** Writes `bench/results/<name>.json` and returns its path. */
export function writeResults(name: string, result: Circumstances & Readonly<Record<string, unknown>>): string {
  const folder = join(ROOT, 'bench', 'results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.json`);
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`);
  return path;
}

function commit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    const changed = git('status', '--porcelain', '--', 'core', 'cli', 'bin', 'package-lock.json') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? '+' : ''}`;
  } catch {
    return 'unknown';
  }
}
