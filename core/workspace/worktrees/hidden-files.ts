import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitFolder } from './git-folder.ts';
import { isAbsent } from './is-absent.ts';
import { failedProbe, type Measured } from './probe.ts';

/**
 * Files whose changes git was told not to look at (`assume-unchanged`, or `skip-worktree` although the file is there): what is in
 * them, no status tells.
 */
export async function hiddenFiles(checkout: GitFolder): Promise<Measured<string[]>> {
  const answer = await checkout.read(['ls-files', '-v', '-z']);
  if (!answer.ok) return failedProbe('ls-files', answer);
  const hidden: string[] = [];
  for (const line of answer.stdout.split('\0')) {
    const [tag = '', path] = [line.slice(0, 1), line.slice(2)];
    const assumed = tag !== tag.toUpperCase();
    if (assumed || (tag === 'S' && (await isThere(join(checkout.path, path))))) hidden.push(path);
  }
  return { found: hidden };
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => !isAbsent(error),
  );
}
