import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ok, type Result } from '../../kit/result.ts';
import type { Git } from './find-git.ts';
import { isAbsent } from './is-absent.ts';
import { type GitFolder, gitFailure, openGitFolder } from './git-folder.ts';
import { failure, WITHOUT_ISOLATION, type WorktreeError } from './worktree-error.ts';

/** The repository that a project belongs to. */
export interface Repository {
  /** Calls in the top folder of the project's checkout; no filter runs. */
  readonly folder: GitFolder;
  /** Top of the checkout. */
  readonly top: string;
  /** From the top to the project, with `/` at its end; empty when the project is the top. */
  readonly prefix: string;
  /** What all worktrees share. */
  readonly commonDir: string;
  /** The checkout's own part of it. */
  readonly gitDir: string;
}

/** Finds the repository of a project, or says why it has none that worktrees can be made of (W2). */
export async function openRepository(
  git: Git,
  project: string,
  signal?: AbortSignal,
): Promise<Result<Repository, WorktreeError>> {
  const opened = await openGitFolder(git, project, 'none', signal);
  const kind = opened.ok
    ? await opened.value.read(['rev-parse', '--is-bare-repository', '--is-inside-work-tree'])
    : { ok: false, code: null, stdout: '', stderr: opened.error.message, cut: false, aborted: false };
  if (!opened.ok || !kind.ok) {
    if (/not a git repository/i.test(kind.stderr)) return notARepository(project);
    return gitFailure(kind, `The repository of ${project} cannot be opened. Mend it, ${WITHOUT_ISOLATION}.`);
  }
  const [bare, inside] = kind.stdout.split('\n');
  if (bare === 'true') {
    return failure(
      'bare_repository',
      `${project} is a bare repository without files of its own. Attach a clone of it, ${WITHOUT_ISOLATION}.`,
    );
  }
  if (inside !== 'true') return notARepository(project);
  return describe(git, opened.value, signal);
}

function notARepository(project: string) {
  return failure(
    'not_a_repository',
    `${project} is not in a git repository. Make one (git init, and a first commit), ${WITHOUT_ISOLATION}.`,
  );
}

async function describe(git: Git, folder: GitFolder, signal?: AbortSignal): Promise<Result<Repository, WorktreeError>> {
  const args = [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-common-dir',
    '--git-dir',
    '--show-prefix',
  ];
  const answer = await folder.read(args);
  const [top, commonDir, gitDir, prefix = ''] = answer.stdout.split('\n');
  if (!answer.ok || !top || !commonDir || !gitDir) {
    return gitFailure(answer, `The repository of ${folder.path} cannot be read. Mend it, ${WITHOUT_ISOLATION}.`);
  }
  // `core.worktree` may name any folder above, such as the user's home: what is applied would be written there.
  const place = await nearestRepository(folder.path);
  if (place === null || (await realPath(top)) !== place) {
    return failure(
      'git_failed',
      `The repository of ${folder.path} has its checkout elsewhere, at ${top} (core.worktree in its configuration). Unset that, ${WITHOUT_ISOLATION}.`,
    );
  }
  const atTop = await openGitFolder(git, top, 'none', signal);
  return atTop.ok ? ok({ folder: atTop.value, top, prefix, commonDir, gitDir }) : atTop;
}

async function realPath(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** The nearest folder above that has a `.git`, without links. */
async function nearestRepository(path: string): Promise<string | null> {
  for (let folder = (await realPath(path)) ?? path; ; folder = dirname(folder)) {
    if (await exists(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return null;
  }
}

/** What a checkout is in the middle of. */
const IN_PROGRESS: readonly (readonly [file: string, what: string])[] = [
  ['rebase-merge', 'a rebase'],
  ['rebase-apply', 'a rebase'],
  ['MERGE_HEAD', 'a merge'],
  ['CHERRY_PICK_HEAD', 'a cherry-pick'],
  ['REVERT_HEAD', 'a revert'],
  ['BISECT_LOG', 'a bisect'],
];

/** What the checkout is in the middle of (`a rebase`), or null. */
export async function inProgress(gitDir: string): Promise<string | null> {
  for (const [file, what] of IN_PROGRESS) {
    if (await exists(join(gitDir, file))) return what;
  }
  return null;
}

/** Whether something is at `path`, or may be: what cannot be looked at counts as there. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => !isAbsent(error),
  );
}
