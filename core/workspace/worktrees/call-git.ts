import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import type { Git } from './find-git.ts';

/** One entry of git's configuration. */
export type ConfigEntry = readonly [key: string, value: string];

/** A call of git. */
export interface GitCall {
  readonly cwd: string;
  readonly args: readonly string[];
  /** Configuration beside {@link SAFE_CONFIG}; later entries win. */
  readonly config?: readonly ConfigEntry[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Reading takes no lock that another git would have to wait for. */
  readonly reads: boolean;
  /** Default: 60 seconds. */
  readonly timeoutMs?: number;
  /** Default: 64 MB. */
  readonly maxBytes?: number;
  /** What happens with more output: `fail` *(default)*, or `cut` and count it as success. */
  readonly atLimit?: 'fail' | 'cut';
  readonly signal?: AbortSignal;
}

/** What came of a call. `code` is null when git did not end by itself. */
export interface GitAnswer {
  readonly ok: boolean;
  readonly code: number | null;
  readonly stdout: string;
  /** Git's words, or why it did not end. */
  readonly stderr: string;
  readonly cut: boolean;
  readonly aborted: boolean;
}

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;

/**
 * What a repository's own configuration may not decide: everything that starts a program, asks somebody, hides a file, or works on
 * after the call (W5, B41). Filters and merge drivers have names of their own; `program-overrides.ts` deals with them.
 */
const SAFE_CONFIG: readonly ConfigEntry[] = [
  ['core.hooksPath', devNull],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.ignoreStat', 'false'],
  ['core.longpaths', 'true'],
  ['core.quotePath', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['color.ui', 'false'],
  ['diff.noprefix', 'false'],
  ['diff.mnemonicPrefix', 'false'],
  ['status.showUntrackedFiles', 'all'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
];

const SAFE_ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
  // A list that names no transport: nothing is fetched, whatever a configuration allows (`ext::` runs programs).
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_LAZY_FETCH: '1',
};

/** Runs git to its end, within bounds of time and output. Never rejects. */
export function callGit(git: Git, call: GitCall): Promise<GitAnswer> {
  if (call.signal?.aborted === true) return Promise.resolve(notRun('stopped before it began', true));
  return new Promise((resolve) => {
    let child;
    try {
      child = spawn(git.binary, call.reads ? ['--no-optional-locks', ...call.args] : call.args, {
        cwd: call.cwd,
        env: { ...git.environment, ...SAFE_ENVIRONMENT, ...configVariables(call.config ?? []), ...call.environment },
        // A group of its own: what git started is ended with it.
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      resolve(notRun(error instanceof Error ? error.message : String(error), false));
      return;
    }
    new RunningCall(child, call, resolve);
  });
}

function notRun(stderr: string, aborted: boolean): GitAnswer {
  return { ok: false, code: null, stdout: '', stderr, cut: false, aborted };
}

/** As variables and not as `-c`: there, a `=` in the name of a section could not be told from the one before the value. */
function configVariables(more: readonly ConfigEntry[]): Record<string, string> {
  const entries = [...SAFE_CONFIG, ...more];
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(entries.length) };
  for (const [at, [key, value]] of entries.entries()) {
    variables[`GIT_CONFIG_KEY_${at}`] = key;
    variables[`GIT_CONFIG_VALUE_${at}`] = value;
  }
  return variables;
}

class RunningCall {
  readonly #child: ReturnType<typeof spawn>;
  readonly #call: GitCall;
  readonly #resolve: (answer: GitAnswer) => void;
  readonly #stdout: Buffer[] = [];
  #bytes = 0;
  #stderr = '';
  /** Why we ended it. */
  #ended: 'timeout' | 'limit' | 'cut' | 'aborted' | null = null;
  readonly #timer: NodeJS.Timeout;
  readonly #onAbort = (): void => {
    this.#end('aborted');
  };

  constructor(child: ReturnType<typeof spawn>, call: GitCall, resolve: (answer: GitAnswer) => void) {
    this.#child = child;
    this.#call = call;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => {
      this.#end('timeout');
    }, call.timeoutMs ?? TIMEOUT_MS);
    call.signal?.addEventListener('abort', this.#onAbort, { once: true });
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#take(chunk);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (this.#stderr.length < MAX_STDERR) this.#stderr += text;
    });
    // Git may end without reading all of its input; that is its own affair.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input ?? '');
    child.once('error', (error) => {
      this.#settle(null, error.message);
    });
    child.once('close', (code) => {
      this.#settle(code, null);
    });
  }

  #take(chunk: Buffer): void {
    const room = (this.#call.maxBytes ?? MAX_BYTES) - this.#bytes;
    if (chunk.length <= room) {
      this.#stdout.push(chunk);
      this.#bytes += chunk.length;
      return;
    }
    if (room > 0) this.#stdout.push(chunk.subarray(0, room));
    this.#bytes += Math.max(0, room);
    this.#end(this.#call.atLimit === 'cut' ? 'cut' : 'limit');
  }

  #end(why: 'timeout' | 'limit' | 'cut' | 'aborted'): void {
    if (this.#ended !== null) return;
    this.#ended = why;
    const { pid } = this.#child;
    try {
      if (pid !== undefined && process.platform !== 'win32') process.kill(-pid, 'SIGKILL');
      else this.#child.kill('SIGKILL');
    } catch {
      this.#child.kill('SIGKILL'); // The group has ended already; its leader may not have been reaped.
    }
  }

  #settle(code: number | null, fault: string | null): void {
    clearTimeout(this.#timer);
    this.#call.signal?.removeEventListener('abort', this.#onAbort);
    const cut = this.#ended === 'cut';
    this.#resolve({
      ok: cut || (code === 0 && this.#ended === null),
      code: this.#ended === null ? code : null,
      stdout: Buffer.concat(this.#stdout).toString('utf8'),
      stderr: fault ?? this.#why() ?? this.#stderr.trim(),
      cut,
      aborted: this.#ended === 'aborted',
    });
  }

  #why(): string | null {
    const { args, timeoutMs = TIMEOUT_MS } = this.#call;
    switch (this.#ended) {
      case 'timeout':
        return `git ${args[0] ?? ''} did not end within ${timeoutMs / 1000} s`;
      case 'limit':
        return `git ${args[0] ?? ''} printed too much`;
      case 'aborted':
        return 'stopped';
      case 'cut':
      case null:
        return null;
    }
  }
}
