import { ok, type Result } from '../../kit/result.ts';
import type { FileChange } from '../../protocol/changes.ts';
import { gitFailure } from './git-folder.ts';
import { openWorktree, type OpenWorktree } from './open-worktree.ts';
import { tipOf } from './own-branch.ts';
import { takeSnapshot } from './snapshot.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { OwnAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** Everything that a run did in its worktree, committed or not (W4). */
export interface WorktreeDiff {
  readonly files: readonly FileChange[];
  readonly patch: string;
  /** The patch is longer than what was asked for, and ends early. */
  readonly cut: boolean;
  /** Repositories of the run's own making, which are not in the diff. */
  readonly nested: readonly string[];
}

const MAX_PATCH_BYTES = 4 * 1024 * 1024;
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '--end-of-options'];

/** The diff of a worktree against its base commit, with untracked files. Runs no diff program of the repository. */
export async function diffOf(
  worktree: Worktree,
  access: OwnAccess,
  maxPatchBytes = MAX_PATCH_BYTES,
): Promise<Result<WorktreeDiff, WorktreeError>> {
  const opened = await openWorktree(worktree, access);
  if (!opened.ok) return opened;
  const end = await workCommit(opened.value, worktree, `Work of ${worktree.branch}`);
  if (!end.ok) return end;
  const { folder } = opened.value.repository;
  const range = [worktree.base_commit, end.value];
  const names = await folder.read(['diff-tree', '-r', '-z', '--name-status', ...PLAIN, ...range]);
  const counts = await folder.read(['diff-tree', '-r', '-z', '--numstat', ...PLAIN, ...range]);
  const patch = await folder.read(['diff-tree', '-r', '-p', ...PLAIN, ...range], {
    maxBytes: maxPatchBytes,
    atLimit: 'cut',
  });
  const fault = [names, counts, patch].find((answer) => !answer.ok);
  if (fault !== undefined) return gitFailure(fault, `The diff of ${worktree.branch} could not be made.`);
  return ok({
    files: fileChanges(names.stdout, counts.stdout),
    patch: patch.stdout,
    cut: patch.cut,
    nested: opened.value.inspection.nested,
  });
}

/** A commit with all of the worktree's work. */
export async function workCommit(
  { checkout, inspection }: OpenWorktree,
  { branch }: Worktree,
  message: string,
): Promise<Result<string, WorktreeError>> {
  if (checkout !== null) {
    const snapshot = await takeSnapshot(checkout, inspection.nested, { message });
    return snapshot.ok ? ok(snapshot.value.commit) : snapshot;
  }
  const commit = tipOf(inspection.branch);
  return commit === null
    ? failure('nothing_to_apply', `Folder and branch ${branch} are not there any more.`)
    : ok(commit);
}

const STATUS: Readonly<Record<string, FileChange['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type_changed',
};

/** Joins what `--name-status -z` and `--numstat -z` print of the same diff. */
export function fileChanges(names: string, counts: string): FileChange[] {
  const lines = lineCounts(counts);
  const parts = names.split('\0');
  const files: FileChange[] = [];
  for (let at = 0; at + 1 < parts.length;) {
    const letter = (parts[at] ?? '').slice(0, 1);
    const moved = letter === 'R' || letter === 'C';
    const path = parts[at + (moved ? 2 : 1)] ?? '';
    const old_path = moved ? (parts[at + 1] ?? null) : null;
    files.push({
      path,
      old_path,
      status: STATUS[letter] ?? 'modified',
      ...(lines.get(path) ?? { additions: null, deletions: null }),
    });
    at += moved ? 3 : 2;
  }
  return files;
}

function lineCounts(counts: string): Map<string, Pick<FileChange, 'additions' | 'deletions'>> {
  const found = new Map<string, Pick<FileChange, 'additions' | 'deletions'>>();
  const parts = counts.split('\0');
  for (let at = 0; at + 1 < parts.length;) {
    const [added = '', deleted = '', name = ''] = (parts[at] ?? '').split('\t');
    // A renamed file has an empty name here, followed by the old and the new one.
    const moved = name === '';
    found.set(moved ? (parts[at + 2] ?? '') : name, { additions: countOrNull(added), deletions: countOrNull(deleted) });
    at += moved ? 3 : 1;
  }
  return found;
}

function countOrNull(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}
