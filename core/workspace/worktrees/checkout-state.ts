import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitFolder, openGitFolder } from './git-folder.ts';
import { hiddenFiles } from './hidden-files.ts';
import { isAbsent } from './is-absent.ts';
import { failedProbe, type FailedProbe, type Measured } from './probe.ts';
import { exists } from './repository.ts';
import { listSubmodules } from './submodules.ts';

/** What is in a checkout beside its commit. */
export interface CheckoutState {
  /** Null: not measured. */
  readonly dirty: boolean | null;
  /** Untracked folders that are repositories of their own. */
  readonly nested: readonly string[];
  readonly hasSubmodules: boolean;
  /** Submodules with commits or changes of their own, in words. */
  readonly notes: readonly string[];
  readonly failed?: FailedProbe;
}

/** A submodule that has files. */
export interface FilledSubmodule {
  /** From the top of the outermost checkout. */
  readonly path: string;
  readonly checkout: GitFolder;
  /** Commit that its parent names. */
  readonly commit: string;
}

/** Measures changes: of tracked files, untracked ones whatever the configuration shows, hidden ones, and in submodules (W3). */
export async function checkoutState(checkout: GitFolder): Promise<CheckoutState> {
  const state = { dirty: null, nested: [], hasSubmodules: true, notes: [] };
  const changed = await changes(checkout);
  if ('failed' in changed) return { ...state, failed: changed.failed };
  const hidden = await hiddenFiles(checkout);
  if ('failed' in hidden) return { ...state, failed: hidden.failed };
  const submodules = await submodulesState(checkout);
  if ('failed' in submodules) return { ...state, failed: submodules.failed };
  const { count, notes } = submodules.found;
  const hiddenNotes =
    hidden.found.length === 0 ? [] : [`Git was told not to look at ${String(hidden.found.length)} files.`];
  const dirty = changed.found.count > 0 || hidden.found.length > 0 || notes.length > 0;
  return { dirty, nested: changed.found.nested, hasSubmodules: count > 0, notes: [...notes, ...hiddenNotes] };
}

/** Counts paths with changes; of submodules only other commits count here, their files are measured on their own. */
async function changes(checkout: GitFolder): Promise<Measured<{ count: number; nested: string[] }>> {
  const args = ['status', '--porcelain=v2', '--untracked-files=all', '--ignore-submodules=dirty', '--no-renames', '-z'];
  const answer = await checkout.read(args);
  if (!answer.ok) return failedProbe('status', answer);
  const lines = answer.stdout.split('\0').filter((line) => line !== '' && !line.startsWith('#'));
  // With all untracked files shown, an untracked folder is one that git does not look into: another repository.
  const nested = lines.filter((line) => line.startsWith('? ') && line.endsWith('/')).map((line) => line.slice(2));
  return { found: { count: lines.length, nested } };
}

async function submodulesState(checkout: GitFolder): Promise<Measured<{ count: number; notes: string[] }>> {
  const listed = await listSubmodules(checkout);
  if (listed === null) return failedProbe('ls-files', { code: null, stderr: 'the submodules could not be listed' });
  const notes: string[] = [];
  for (const { path, commit } of listed) {
    const folder = join(checkout.path, path);
    if (!(await exists(join(folder, '.git')))) {
      // Git looks at nothing in the folder of a submodule that is not filled.
      const names = await readdir(folder).catch((error: unknown) => (isAbsent(error) ? [] : null));
      if (names === null) notes.push(`The submodule ${path} cannot be looked at.`);
      else if (names.length > 0) notes.push(`There are files in the empty submodule ${path}.`);
      continue;
    }
    const measured = await oneSubmodule(checkout, path, commit);
    if ('failed' in measured) return measured;
    notes.push(...measured.found);
  }
  return { found: { count: listed.length, notes } };
}

async function oneSubmodule(parent: GitFolder, path: string, commit: string): Promise<Measured<string[]>> {
  const opened = await openGitFolder(parent.git, join(parent.path, path), 'none');
  if (!opened.ok) return failedProbe('submodule', { code: null, stderr: opened.error.message });
  const count = await opened.value.read(['rev-list', '--count', 'HEAD', `^${commit}`]);
  if (!count.ok) return failedProbe('submodule rev-list', count);
  const inside = await checkoutState(opened.value);
  if (inside.failed !== undefined) return { failed: { ...inside.failed, probe: `submodule ${inside.failed.probe}` } };
  const commits = Number(count.stdout.trim());
  const notes = inside.notes.map((note) => `In the submodule ${path}: ${note}`);
  if (commits > 0) notes.push(`The submodule ${path} has ${String(commits)} commits of its own.`);
  if (inside.dirty === true && inside.notes.length === 0)
    notes.push(`The submodule ${path} has changes that are not committed.`);
  return { found: notes };
}

/** All submodules that have files, the innermost first; null when one cannot be read. */
export async function filledSubmodules(checkout: GitFolder, above = ''): Promise<FilledSubmodule[] | null> {
  const listed = await listSubmodules(checkout);
  if (listed === null) return null;
  const filled: FilledSubmodule[] = [];
  for (const { path, commit } of listed) {
    const folder = join(checkout.path, path);
    if (!(await exists(join(folder, '.git')))) continue;
    const opened = await openGitFolder(checkout.git, folder, 'own');
    const inner = opened.ok ? await filledSubmodules(opened.value, join(above, path)) : null;
    if (!opened.ok || inner === null) return null;
    filled.push(...inner, { path: join(above, path), checkout: opened.value, commit });
  }
  return filled;
}
