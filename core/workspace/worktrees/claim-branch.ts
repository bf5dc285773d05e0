import { chmod, mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../kit/random.ts';
import { ok, type Result } from '../../kit/result.ts';
import { type GitFolder, gitFailure } from './git-folder.ts';
import { failure, WITHOUT_ISOLATION, type WorktreeError } from './worktree-error.ts';
import { BRANCH_ROOT, branchOf, type WorktreeName, worktreeName } from './worktree-names.ts';

/** A branch and an empty folder that nobody else has. */
export interface Claim {
  readonly branch: string;
  readonly path: string;
}

/** What a claim is made for. */
export interface ClaimRequest {
  readonly repository: GitFolder;
  readonly run_id: string;
  readonly conversation: string;
  readonly slugSource: string;
  readonly commit: string;
  /** Folder of all worktrees. */
  readonly root: string;
  readonly random: Random;
  /**
   * Whether a run has had this branch's name. It is not given again, also when branch and folder are gone: a core that was killed while it took them away
   * leaves that to the next one, which goes by the name.
   */
  readonly wasGiven: (branch: string) => boolean;
}

/** Names are random from the second try on, so that even hundreds of equal tasks seldom need a third. */
const MAX_TRIES = 30;

/** Failures that are not about a name (a lock left behind, a full disk): tried again so often under other names. */
const MAX_FAULTS = 4;

type Attempt = Claim | 'taken' | 'conversation_taken' | WorktreeError;

/**
 * Claims a branch and a folder. Both are created only if they are not there, by one atomic step each, so that tasks with the same name get
 * different ones whoever starts them, and nothing of another task is touched (W1, B27).
 */
export async function claimBranch(request: ClaimRequest): Promise<Result<Claim, WorktreeError>> {
  let { conversation } = request;
  let faults = 0;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const hex = tries === 0 ? null : request.random.hex(tries < 10 ? 4 : 8);
    const attempt = await tryName(request, worktreeName(conversation, request.slugSource, hex));
    if (attempt === 'conversation_taken')
      conversation = `${request.conversation.slice(0, 16)}-${request.random.hex(4)}`;
    else if (attempt !== 'taken') {
      if ('branch' in attempt) return ok(attempt);
      faults += 1;
      if (attempt.code !== 'git_failed' || faults >= MAX_FAULTS) return { ok: false, error: attempt };
    }
  }
  return failure(
    'git_failed',
    `No free branch was found for the task. Remove old branches below ${BRANCH_ROOT}/, ${WITHOUT_ISOLATION}.`,
  );
}

/** What the log of a branch begins with; tells whose it is. */
export function claimMessage(runId: string): string {
  return `espalier: worktree of ${runId}`;
}

async function tryName(request: ClaimRequest, name: WorktreeName): Promise<Attempt> {
  const branch = branchOf(name);
  if (request.wasGiven(branch)) return 'taken';
  const path = join(request.root, name.conversation, name.slug);
  const folder = await claimFolder(path);
  if (folder !== 'claimed') return folder;
  const { repository, commit } = request;
  // Not to be stopped: git may have made the branch when it is killed, and nobody would know whose it is.
  const created = await repository
    .unstoppable()
    .write(['update-ref', '--create-reflog', '-m', claimMessage(request.run_id), '--stdin'], {
      input: `create refs/heads/${branch} ${commit}\n`,
    });
  if (created.ok) return { branch, path };
  await rmdir(path);
  if (await isRef(repository, `refs/heads/${BRANCH_ROOT}`)) {
    return failure(
      'branch_blocked',
      `A branch called "${BRANCH_ROOT}" stands where the branches of tasks go. Rename it (git branch -m ${BRANCH_ROOT} another-name), ${WITHOUT_ISOLATION}.`,
    ).error;
  }
  if (await isRef(repository, `refs/heads/${BRANCH_ROOT}/${name.conversation}`)) return 'conversation_taken';
  if (await hasRefs(repository, `refs/heads/${branch}`)) return 'taken';
  return gitFailure(created, `No branch can be made in ${repository.path}. Mend it, ${WITHOUT_ISOLATION}.`).error;
}

async function claimFolder(path: string): Promise<'claimed' | 'taken' | WorktreeError> {
  try {
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    await mkdir(path, { mode: 0o700 });
    // Whatever the umask: what agents write is for the user alone (D7).
    await chmod(path, 0o700);
    return 'claimed';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return 'taken';
    if (code === 'ENAMETOOLONG') return pathTooLong(path).error;
    return failure(
      'git_failed',
      `No folder for a worktree can be made: ${message}. Make room in the data folder, ${WITHOUT_ISOLATION}.`,
    ).error;
  }
}

/** The paths of a worktree there would be longer than the system allows. */
export function pathTooLong(path: string) {
  return failure(
    'path_too_long',
    `The paths of a worktree at ${path} would be too long for this system. Choose a data folder with a shorter path (ESPALIER_HOME), ${WITHOUT_ISOLATION}.`,
  );
}

async function isRef(repository: GitFolder, ref: string): Promise<boolean> {
  return (await repository.read(['show-ref', '--verify', '--quiet', ref])).ok;
}

async function hasRefs(repository: GitFolder, ref: string): Promise<boolean> {
  const found = await repository.ask(['for-each-ref', '--count=1', '--format=%(refname)', ref]);
  return found !== null && found !== '';
}
