import { readFile } from 'node:fs/promises';
import type { ProcessIdentity } from './process-entry.ts';

/**
 * A tag that a process cannot lose by accident. Every process that the tagged one starts has it too: it survives fork,
 * exec, a new session, a cleared environment and closed descriptors, so that a daemon which left the tree before it was ever seen is
 * still found. It is the soft RLIMIT_LOCKS: the kernel keeps and inherits the limit, shows it in `/proc/<pid>/limits`
 * to everybody, and has not enforced it since Linux 2.6, so a value there has no other effect.
 */
export function tagFor(runId: string): number {
  // Loaded here only: a worker has this file for its other half, and would start a fifth slower.
  const digest = process.getBuiltinModule('node:crypto').createHash('sha256').update(runId).digest();
  return 2 ** 48 + digest.readUIntBE(0, 6);
}

/** The tag in the text of `/proc/<pid>/limits`; null for a process without one. */
export function parseTag(limits: string): number | null {
  const soft = /^Max file locks\s+(\d+)\s/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

/**
 * Tags a process; what it starts from then on inherits the tag. True when the tag is seen on the process afterwards; false
 * where that cannot be had (no `prlimit` program, another platform), which only makes later proofs more careful.
 */
export async function tagProcess(identity: ProcessIdentity, runId: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const tag = tagFor(runId);
  await new Promise<void>((resolve) => {
    const args = ['--pid', String(identity.pid), `--locks=${tag}:`];
    // Loaded when it is needed: whoever only starts looks at no other process.
    const { execFile } = process.getBuiltinModule('node:child_process');
    execFile('prlimit', args, { timeout: 2000 }, () => resolve());
  });
  return hasTag(identity.pid, tag);
}

/** True when the process has the tag. */
export async function hasTag(pid: number, tag: number): Promise<boolean> {
  const limits = await readFile(`/proc/${pid}/limits`, 'latin1').catch(() => '');
  return parseTag(limits) === tag;
}
