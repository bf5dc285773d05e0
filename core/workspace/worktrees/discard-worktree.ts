import { ok, type Result } from '../../kit/result.ts';
import { findGit } from './find-git.ts';
import { type GitFolder, gitFailure } from './git-folder.ts';
import { keepWork } from './keep-work.ts';
import { openWorktree } from './open-worktree.ts';
import { branchFault } from './own-branch.ts';
import { deleteBranch, removeFolder } from './remove-worktree.ts';
import { openRepository } from './repository.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { OwnAccess, WorktreeAccess } from './worktree-access.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

/** How a worktree is discarded. */
export interface DiscardRequest extends OwnAccess {
  /** Also when something in it cannot be kept by a ref (`would_lose`): the user has seen what. */
  readonly acceptLoss?: boolean;
  /** Called when a ref keeps everything, before folder and branch go, which they do not when this fails; `tip` is where the branch is. See `finish-change.ts`. */
  readonly beforeRemoval?: (tip: string | null) => Promise<Result<null, WorktreeError>>;
}

/** What keeps the discarded work. */
export interface Discarded {
  readonly ref: string;
  readonly commit: string;
}

const DISCARDED = 'refs/espalier/discarded';
const MAX_REFS = 20;

/**
 * Removes a worktree and its branch. Before that, everything in it but ignored files becomes one commit that a ref keeps, so that it can be
 * undone (W4); {@link expireDiscarded} ends that.
 */
export async function discardWorktree(
  worktree: Worktree,
  request: DiscardRequest,
): Promise<Result<Discarded, WorktreeError>> {
  const opened = await openWorktree(worktree, request);
  if (!opened.ok) return opened;
  const { repository, checkout, inspection } = opened.value;
  const fault = branchFault(worktree.branch, inspection.branch);
  // Nothing else of it is left.
  if (checkout === null && fault !== null) return failure('git_failed', `${fault} Nothing was changed.`);
  const name = `${DISCARDED}/${refName(worktree.run_id)}`;
  const commit = await keepWork(opened.value, worktree, {
    message: `Discarded work of ${worktree.branch}`,
    submoduleRef: name,
    always: true,
    acceptLoss: request.acceptLoss === true,
  });
  if (!commit.ok) return commit;
  const ref = await createRef(repository.folder, name, commit.value);
  if (!ref.ok) return ref;
  // A branch that is not its own stays. What came to its own since is not kept yet: then that stays too.
  const tip = fault === null ? inspection.branch.tip : null;
  const noted = await request.beforeRemoval?.(tip);
  if (noted?.ok === false) return noted;
  const removed = await removeFolder({
    repository: repository.folder,
    commonDir: repository.commonDir,
    worktree,
    dataFolder: request.dataFolder,
    force: true,
  });
  if (!removed.ok) return removed;
  if (tip !== null) await deleteBranch(repository.folder, worktree.branch, tip);
  return ok({ ref: ref.value, commit: commit.value });
}

function refName(runId: string): string {
  return runId.replaceAll(/[^A-Za-z0-9_-]/g, '-');
}

/** Never over an earlier one: a removal may have failed half-way, and what it kept was more. */
async function createRef(folder: GitFolder, name: string, commit: string): Promise<Result<string, WorktreeError>> {
  for (let n = 1; ; n += 1) {
    const ref = n === 1 ? name : `${name}-${String(n)}`;
    const created = await folder.write(['update-ref', '--stdin'], { input: `create ${ref} ${commit}\n` });
    if (created.ok) return ok(ref);
    const taken = (await folder.read(['show-ref', '--verify', '--quiet', ref])).ok;
    if (!taken || n >= MAX_REFS)
      return gitFailure(created, 'The work could not be kept by a ref. Nothing was removed.');
  }
}

/** A ref that keeps discarded work. */
export interface DiscardedRef {
  readonly ref: string;
  readonly commit: string;
  /** Epoch ms. */
  readonly at: number;
}

/** What was discarded in a project's repository before `before` (milliseconds since the epoch). */
export async function listDiscarded(
  project: string,
  access: WorktreeAccess,
  before: number,
): Promise<Result<readonly DiscardedRef[], WorktreeError>> {
  const git = await findGit(access.environment, project);
  if (!git.ok) return git;
  const repository = await openRepository(git.value, project, access.signal);
  if (!repository.ok) return repository;
  const format = '--format=%(committerdate:unix) %(objectname) %(refname)';
  const listed = await repository.value.folder.read(['for-each-ref', format, DISCARDED]);
  if (!listed.ok) return gitFailure(listed, 'The discarded work cannot be listed.');
  const refs = listed.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [seconds, commit = '', ref = ''] = line.split(' ');
      return { ref, commit, at: Number(seconds) * 1000 };
    });
  return ok(refs.filter(({ at }) => at < before));
}

/** Lets go of what was discarded before `before` (milliseconds since the epoch). Answers how many refs went. */
export async function expireDiscarded(
  project: string,
  access: WorktreeAccess,
  before: number,
): Promise<Result<number, WorktreeError>> {
  const git = await findGit(access.environment, project);
  if (!git.ok) return git;
  const repository = await openRepository(git.value, project, access.signal);
  if (!repository.ok) return repository;
  const listed = await listDiscarded(project, access, before);
  if (!listed.ok) return listed;
  let gone = 0;
  for (const { ref, commit } of listed.value) {
    if ((await repository.value.folder.write(['update-ref', '-d', ref, commit])).ok) gone += 1;
  }
  return ok(gone);
}
