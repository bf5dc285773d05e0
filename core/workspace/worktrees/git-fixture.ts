import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { systemRandom } from '../../kit/random.ts';
import { prepareWorktree, type WorktreeRequest } from './prepare-worktree.ts';
import type { Result } from '../../kit/result.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import type { WorktreeError } from './worktree-error.ts';

/** The value of a result that must be one. */
export function value<T>(result: Result<T, WorktreeError>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** A folder for one test with real git in it: a home without configuration, a project, a data folder. For tests. */
export class GitFixture {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'espalier-worktree-')));
  readonly project = join(this.root, 'project');
  readonly data = join(this.root, 'data');
  readonly dataFolder = this.data;
  readonly environment: Record<string, string>;

  constructor() {
    this.environment = { PATH: process.env['PATH'] ?? '', HOME: join(this.root, 'home'), GIT_DIR: '/nowhere' };
    for (const folder of [this.project, this.data, this.environment['HOME'] ?? ''])
      mkdirSync(folder, { recursive: true });
  }

  /** A project with one commit of two files. */
  static withCommit(): GitFixture {
    const fixture = new GitFixture();
    fixture.git(['init', '--quiet', '--initial-branch=main']);
    fixture.git(['config', 'user.name', 'Ada']);
    fixture.git(['config', 'user.email', 'ada@example.com']);
    fixture.write('a.txt', 'one\ntwo\nthree\n');
    fixture.write('folder/b.txt', 'b\n');
    fixture.commit('first');
    return fixture;
  }

  /** What git prints, run as the user would, with all that the repository configures. */
  git(args: readonly string[], cwd = this.project): string {
    const { PATH, HOME } = this.environment;
    const env = { PATH, HOME, GIT_CONFIG_NOSYSTEM: '1', GIT_ALLOW_PROTOCOL: 'file' };
    return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  }

  write(path: string, content: string, cwd = this.project): void {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), content);
  }

  commit(message: string, cwd = this.project): string {
    this.git(['add', '--all'], cwd);
    const name = ['-c', 'user.name=Agent', '-c', 'user.email=agent@example.com'];
    this.git([...name, 'commit', '--quiet', '--message', message], cwd);
    return this.git(['rev-parse', 'HEAD'], cwd);
  }

  request(more: Partial<WorktreeRequest> = {}): WorktreeRequest {
    return {
      run_id: 'run_0123456789ab',
      project: this.project,
      conversationSlug: 'Fix the parser',
      slugSource: 'Mend it',
      dataFolder: this.data,
      environment: this.environment,
      random: systemRandom,
      wasGiven: () => false,
      ...more,
    };
  }

  /** A worktree; throws when it cannot be made. */
  async worktree(more: Partial<WorktreeRequest> = {}): Promise<Worktree> {
    return value(await prepareWorktree(this.request(more)));
  }

  branches(): string[] {
    return this.git(['for-each-ref', '--format=%(refname:short)', 'refs/heads/espalier'])
      .split('\n')
      .filter((line) => line !== '');
  }

  /** Every file of a checkout with its content, and what git says of HEAD, index and status. Not what else is in `.git`. */
  fingerprint(cwd = this.project): string {
    const hash = createHash('sha256');
    for (const path of filesBelow(cwd)) hash.update(`${relative(cwd, path)}\0`).update(contentOf(path));
    hash.update(this.git(['rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD'], cwd));
    hash.update(this.git(['ls-files', '--stage'], cwd));
    return hash.update(this.git(['--no-optional-locks', 'status', '--porcelain'], cwd)).digest('hex');
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== '.git')
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)]))
    .sort();
}

function contentOf(path: string): Buffer | string {
  try {
    return readFileSync(path);
  } catch {
    return readlinkSync(path); // A link that leads nowhere.
  }
}
