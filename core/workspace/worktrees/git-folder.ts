import { ok, type Result } from '../../kit/result.ts';
import { callGit, type ConfigEntry, type GitAnswer, type GitCall } from './call-git.ts';
import type { Git } from './find-git.ts';
import { type Programs, programOverrides } from './program-overrides.ts';
import { failure, type WorktreeError } from './worktree-error.ts';

type CallOptions = Omit<Partial<GitCall>, 'cwd' | 'args' | 'reads'>;

/** A folder in which git is called, with what its repository may not run switched off. */
export class GitFolder {
  readonly git: Git;
  readonly path: string;
  readonly #config: readonly ConfigEntry[];
  readonly #signal: AbortSignal | undefined;

  constructor(git: Git, path: string, config: readonly ConfigEntry[], signal?: AbortSignal) {
    this.git = git;
    this.path = path;
    this.#config = config;
    this.#signal = signal;
  }

  /** The same folder for calls that must be made although the work was stopped: undoing it. */
  unstoppable(): GitFolder {
    return new GitFolder(this.git, this.path, this.#config);
  }

  /** A call that changes nothing and takes no lock. */
  read(args: readonly string[], options: CallOptions = {}): Promise<GitAnswer> {
    return this.#call(args, options, true);
  }

  /** A call that may write. */
  write(args: readonly string[], options: CallOptions = {}): Promise<GitAnswer> {
    return this.#call(args, options, false);
  }

  /** What is printed, without the last line end; null if git says no. For questions whose answer may be no. */
  async ask(args: readonly string[], options: CallOptions = {}): Promise<string | null> {
    const answer = await this.read(args, options);
    return answer.ok ? answer.stdout.replace(/\n$/, '') : null;
  }

  #call(args: readonly string[], options: CallOptions, reads: boolean): Promise<GitAnswer> {
    const config = [...this.#config, ...(options.config ?? [])];
    const signal = this.#signal === undefined ? {} : { signal: this.#signal };
    return callGit(this.git, { ...signal, ...options, cwd: this.path, args, config, reads });
  }
}

/** Opens a folder of a repository for calls; fails when even its configuration cannot be read. */
export async function openGitFolder(
  git: Git,
  path: string,
  programs: Programs,
  signal?: AbortSignal,
): Promise<Result<GitFolder, WorktreeError>> {
  const config = await programOverrides(git, path, programs);
  if (config === null) return failure('git_failed', `The git configuration for ${path} cannot be read.`);
  return ok(new GitFolder(git, path, config, signal));
}

/** A failed call as an error; `sentence` says what was tried and what to do. */
export function gitFailure(answer: GitAnswer, sentence: string) {
  if (answer.aborted) return failure('aborted', 'Stopped before it was done.');
  return failure('git_failed', `${sentence} Git says: ${shortened(answer.stderr)}`);
}

const MAX_WORDS = 400;

/** Git's words, short enough for a line that people read. */
export function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
}
