import { ok, type Result } from '../../kit/result.ts';
import { workCommit } from './diff-worktree.ts';
import { type GitFolder, gitFailure, openGitFolder } from './git-folder.ts';
import { joinCommits } from './merge-trees.ts';
import { moveFiles, type NotMoved } from './move-files.ts';
import { openWorktree } from './open-worktree.ts';
import { inProgress } from './repository.ts';
import type { ApplyMode, Worktree } from '../../protocol/worktree.ts';
import type { OwnAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** How a worktree is applied. */
export interface ApplyRequest extends OwnAccess {
  readonly mode: ApplyMode;
  /** Of the commit that is made; default: names the branch. */
  readonly message?: string;
  /** Called when the result is made, before the project's checkout is touched, which it is not when this fails; see `finish-change.ts`. */
  readonly beforeMove?: (move: Applied) => Promise<Result<null, WorktreeError>>;
}

/** What was applied. */
export interface Applied {
  /** Commit of the project before. */
  readonly from: string;
  /** Commit of the project now. */
  readonly to: string;
}

/**
 * Brings a run's work, also what it did not commit, into what the project has checked out (W4). The result is computed first: with a
 * conflict, or when the project has changes of its own in a file that would be replaced, nothing is done and the error names the
 * files. Other changes of the project's checkout stay.
 */
export async function applyWorktree(
  worktree: Worktree,
  request: ApplyRequest,
): Promise<Result<Applied, WorktreeError>> {
  const opened = await openWorktree(worktree, request);
  if (!opened.ok) return opened;
  const { repository } = opened.value;
  const busy = await inProgress(repository.gitDir);
  if (busy !== null) {
    return failure('busy', `In the project ${busy} is in progress. Finish it or give it up, then apply again.`);
  }
  const message = request.message ?? `Work of ${worktree.branch}`;
  const theirs = await workCommit(opened.value, worktree, message);
  if (!theirs.ok) return theirs;
  const project = await openGitFolder(repository.folder.git, repository.top, 'own', request.signal);
  if (!project.ok) return project;
  const ours = await project.value.ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (ours === null) return failure('no_commits', 'The project has no commit checked out to apply to.');
  if (theirs.value === worktree.base_commit) return nothingToApply();
  const joined = await joinCommits(project.value, {
    mode: request.mode,
    ours,
    theirs: theirs.value,
    base: worktree.base_commit,
    message,
  });
  if (!joined.ok) return joined;
  if (await isSameTree(project.value, ours, joined.value)) return nothingToApply();
  const move = { from: ours, to: joined.value };
  return (await notNoted(request, move)) ?? moveCheckout(project.value, move, worktree.branch);
}

async function notNoted({ beforeMove }: ApplyRequest, move: Applied) {
  const noted = await beforeMove?.(move);
  return noted?.ok === false ? noted : null;
}

function nothingToApply() {
  return failure('nothing_to_apply', 'The project has all of this work already. Nothing was changed.');
}

async function isSameTree(folder: GitFolder, one: string, other: string): Promise<boolean> {
  const trees = await folder.ask(['rev-parse', `${one}^{tree}`, `${other}^{tree}`]);
  const [first, second] = (trees ?? '').split('\n');
  return first !== undefined && first === second;
}

/** Files first, all or none; then the branch, if it is still where it was; else the files go back. */
export async function moveCheckout(
  project: GitFolder,
  { from, to }: Applied,
  branch: string,
): Promise<Result<Applied, WorktreeError>> {
  const undo = project.unstoppable();
  const moved = await moveFiles(undo, from, to);
  if (!moved.ok) return notMoved(moved.error);
  const set = await undo.write(['update-ref', '-m', `espalier: apply ${branch}`, 'HEAD', to, from]);
  if (set.ok) return ok({ from, to });
  const back = await moveFiles(undo, to, from);
  if (!back.ok) return gitFailure(set, `HEAD of the project could not be moved, and its files are those of ${to} now.`);
  return gitFailure(set, 'HEAD of the project could not be moved. Nothing was changed; apply again.');
}

function notMoved(why: NotMoved) {
  if (why.type === 'refused') {
    const { paths } = why;
    return failure(
      'project_changed',
      `The project has changes of its own in files that would be replaced: ${paths.join(', ')}. Commit or put them away, then apply again. Nothing was changed.`,
      paths,
    );
  }
  if (why.type === 'unreadable') {
    return failure(
      'git_failed',
      `What the project has at ${why.path} cannot be read (${why.why}). Mend that, then apply again. Nothing was changed.`,
      [why.path],
    );
  }
  const what = why.isFull
    ? 'The disk of the project is full, so its files could not be written.'
    : 'The files of the project could not be written.';
  const { left } = why;
  if (left.length === 0) return gitFailure(why.answer, `${what} Nothing was changed; apply again when that is mended.`);
  return failure(
    'git_failed',
    `${what} These are not as they were, and HEAD still has them: ${left.join(', ')}. Make room, then run: git checkout-index --force --index -- <file>.`,
    left,
  );
}
