import { ok, type Result } from '../../kit/result.ts';
import { type GitFolder, gitFailure } from './git-folder.ts';
import type { WorktreeError } from './worktree-error.ts';

/** A commit to write. */
export interface NewCommit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** Who wrote it, when that is somebody else than the user. */
  readonly author?: Readonly<Record<string, string>>;
}

/** Stands for a user who has told git no name. */
const NOBODY: Readonly<Record<string, string>> = {
  GIT_AUTHOR_NAME: 'Espalier',
  GIT_AUTHOR_EMAIL: 'espalier@localhost',
  GIT_COMMITTER_NAME: 'Espalier',
  GIT_COMMITTER_EMAIL: 'espalier@localhost',
};

/** Writes a commit object; moves no branch. */
export async function commitTree(folder: GitFolder, commit: NewCommit): Promise<Result<string, WorktreeError>> {
  const known =
    (await folder.ask(['var', 'GIT_COMMITTER_IDENT'])) !== null &&
    (await folder.ask(['var', 'GIT_AUTHOR_IDENT'])) !== null;
  const args = ['commit-tree', ...commit.parents.flatMap((parent) => ['-p', parent]), commit.tree];
  const environment = { ...(known ? {} : NOBODY), ...commit.author };
  const answer = await folder.write(args, { input: commit.message, environment });
  if (!answer.ok) return gitFailure(answer, 'A commit could not be written. Make room on the disk, then try again.');
  return ok(answer.stdout.trim());
}
