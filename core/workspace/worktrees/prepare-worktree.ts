import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../kit/random.ts';
import { ok, type Result } from '../../kit/result.ts';
import { isInside } from '../containment/resolve-inside.ts';
import { type Claim, claimBranch, pathTooLong } from './claim-branch.ts';
import { findGit } from './find-git.ts';
import { type GitFolder, gitFailure, openGitFolder } from './git-folder.ts';
import { copyIncludedFiles } from './included-files.ts';
import { lockReason } from './lock-worktree.ts';
import { realAncestor } from './real-ancestor.ts';
import { inProgress, openRepository, type Repository } from './repository.ts';
import { inTurn } from './repository-turns.ts';
import { fillSubmodules } from './submodules.ts';
import { markMaker } from './worktree-place.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { WorktreeAccess } from './worktree-access.ts';
import { failure, WITHOUT_ISOLATION, type WorktreeError } from './worktree-error.ts';

/** A worktree to make. */
export interface WorktreeRequest extends WorktreeAccess {
  readonly run_id: string;
  /** The attached folder. */
  readonly project: string;
  /** Becomes the branch's middle part. */
  readonly conversationSlug: string;
  /** Label or goal of the task; the branch's last part is made of it. */
  readonly slugSource: string;
  /** Worktrees go into `worktrees/` below it. */
  readonly dataFolder: string;
  /** Default: what the project has checked out, a detached commit too. */
  readonly baseRef?: string;
  readonly random: Random;
  /** See {@link claimBranch}. */
  readonly wasGiven: (branch: string) => boolean;
}

const CHECKOUT_MS = 10 * 60_000;
const ADD_TRIES = 3;
const TOO_LONG = /file ?name too long|'\$GIT_DIR' too big/i;

/**
 * Makes the worktree and branch of one run, outside the repository, locked while the run lives (W1). The project's checkout is not touched.
 * Fails, leaving nothing behind, when isolation cannot be had; the message names the way out (W2).
 */
export async function prepareWorktree(request: WorktreeRequest): Promise<Result<Worktree, WorktreeError>> {
  const git = await findGit(request.environment, request.project);
  if (!git.ok) return git;
  const repository = await openRepository(git.value, request.project, request.signal);
  if (!repository.ok) return repository;
  const base = await baseCommit(repository.value, request.baseRef ?? 'HEAD');
  if (!base.ok) return base;
  const root = await worktreesFolder(request.dataFolder, repository.value);
  if (!root.ok) return root;
  const claim = await claimBranch({
    repository: repository.value.folder,
    run_id: request.run_id,
    conversation: request.conversationSlug,
    slugSource: request.slugSource,
    commit: base.value,
    root: root.value,
    random: request.random,
    wasGiven: request.wasGiven,
  });
  if (!claim.ok) return claim;
  const filled = await fill(repository.value, claim.value, base.value, request);
  if (!filled.ok) {
    await takeBack(repository.value, claim.value, base.value);
    return filled;
  }
  const { branch, path } = claim.value;
  return ok({
    run_id: request.run_id,
    path,
    folder: join(path, repository.value.prefix),
    branch,
    base_commit: base.value,
    repository: repository.value.top,
    notes: filled.value,
  });
}

/** The commit to start from. A detached HEAD is that very commit (B24). */
export async function baseCommit({ folder, prefix }: Repository, ref: string): Promise<Result<string, WorktreeError>> {
  const commit = await folder.ask(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  if (commit === null || commit === '') {
    if ((await folder.ask(['rev-parse', '--verify', '--quiet', 'HEAD'])) === null) {
      return failure('no_commits', `The repository has no commits yet. Make a first commit, ${WITHOUT_ISOLATION}.`);
    }
    return failure(
      'unknown_base',
      `There is no commit "${ref}" in the repository. Name another one, ${WITHOUT_ISOLATION}.`,
    );
  }
  if (prefix !== '' && (await folder.ask(['cat-file', '-t', `${commit}:${prefix}`])) !== 'tree') {
    return failure(
      'folder_not_committed',
      `The project's folder ${prefix} is not in commit ${commit.slice(0, 12)}, so a worktree would not have it. Commit it, ${WITHOUT_ISOLATION}.`,
    );
  }
  return ok(commit);
}

/** Where worktrees go; refused inside the checkout, where they would be files of the project. */
async function worktreesFolder(dataFolder: string, { top }: Repository): Promise<Result<string, WorktreeError>> {
  const folder = join(await realAncestor(dataFolder), 'worktrees');
  const realTop = await realpath(top);
  if (!isInside(realTop, folder)) return ok(folder);
  return failure(
    'data_folder_inside_repository',
    `The data folder ${dataFolder} is inside the repository. Choose another one (ESPALIER_HOME), ${WITHOUT_ISOLATION}.`,
  );
}

async function fill(
  repository: Repository,
  { branch, path }: Claim,
  commit: string,
  { run_id, signal }: WorktreeRequest,
): Promise<Result<string[], WorktreeError>> {
  const reason = lockReason(run_id);
  const added = await addWorktree(repository, ['--lock', '--reason', reason, path, branch]);
  if (TOO_LONG.test(added.stderr)) return pathTooLong(path);
  if (!added.ok) return gitFailure(added, `No worktree can be made. Mend the repository, ${WITHOUT_ISOLATION}.`);
  const opened = await openGitFolder(repository.folder.git, path, 'none', signal);
  if (!opened.ok) return opened;
  const checkout = opened.value;
  const [head = '', entry = ''] = ((await checkout.ask(['rev-parse', 'HEAD', '--absolute-git-dir'])) ?? '').split('\n');
  // A tag of the branch's name would have been taken for it.
  if (head !== commit) {
    return failure(
      'git_failed',
      `The worktree is not at the commit that it was made for. Try again, ${WITHOUT_ISOLATION}.`,
    );
  }
  const marked = await markMaker(entry, run_id);
  if (!marked.ok) return marked;
  const written = await checkout.write(['reset', '--hard', '--quiet', '--no-recurse-submodules'], {
    timeoutMs: CHECKOUT_MS,
  });
  if (!written.ok) {
    if (TOO_LONG.test(written.stderr)) return pathTooLong(path);
    return gitFailure(
      written,
      `The files of the worktree could not be written. Make room, or mend the repository, ${WITHOUT_ISOLATION}.`,
    );
  }
  const busy = await inProgress(repository.gitDir);
  return ok([
    ...(busy === null ? [] : [`In the project ${busy} is in progress; the worktree starts from its current commit.`]),
    ...(await filterNotes(checkout)),
    ...(await fillSubmodules(checkout, repository.commonDir, reason)),
    ...(await copyIncludedFiles(repository.folder, path)),
  ]);
}

/** Another git may be changing the list of worktrees at this moment, which makes this one fail. */
async function addWorktree({ folder, commonDir }: Repository, where: readonly string[]) {
  const add = () =>
    inTurn(commonDir, () =>
      folder.write(['worktree', 'add', '--quiet', '--no-checkout', ...where], { timeoutMs: CHECKOUT_MS }),
    );
  let answer = await add();
  for (let tries = 1; !answer.ok && !answer.aborted && tries < ADD_TRIES; tries += 1) answer = await add();
  return answer;
}

/** Filters do not run in a checkout of ours; their files are as they are stored (B26). */
async function filterNotes(checkout: GitFolder): Promise<string[]> {
  const args = ['grep', '--cached', '-h', '-o', '-I', '-E', 'filter=[A-Za-z0-9_.-]+', '--', ':(glob)**/.gitattributes'];
  const printed = await checkout.ask(args);
  const filters = [...new Set((printed ?? '').split('\n').filter((line) => line !== ''))].map((line) =>
    line.slice('filter='.length),
  );
  return filters.map((filter) =>
    filter === 'lfs'
      ? 'Files kept in Git LFS are pointer files here.'
      : `Files with the filter "${filter}" are here as they are stored: the filter was not run.`,
  );
}

/** Undoes a claim whose worktree could not be made. What cannot be undone stays: it is empty, and nobody else gets its names. */
async function takeBack({ folder, commonDir }: Repository, { branch, path }: Claim, commit: string): Promise<void> {
  const undo = folder.unstoppable();
  // The folder last: as long as it is there, a core that goes meanwhile leaves to the next one what it goes by.
  await undo.write(['update-ref', '-d', `refs/heads/${branch}`, commit]);
  const args = ['worktree', 'remove', '--force', '--force', path];
  const removed = await inTurn(commonDir, () => undo.write(args));
  await rm(path, { recursive: true, force: true });
  // Half made: git takes its entry away once the folder is gone.
  if (!removed.ok) await inTurn(commonDir, () => undo.write(args));
}
