import { basename, delimiter } from 'node:path';
import type { Clock } from '../../kit/clock.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface LoginShellOptions {
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  /** Runs a program and answers its output; null when it failed or was ended by the signal. */
  readonly run?: (
    program: string,
    args: readonly string[],
    environment: Environment,
    signal: AbortSignal,
  ) => Promise<string | null>;
}

/** A shell that asks something at its start would never end. */
const PATIENCE_MS = 5_000;
const MARK = '__espalier_path__';
/** What a login shell may bring that tools need; a session's own variables stay ours. */
const TAKEN = ['PATH', 'LANG', 'LC_ALL', 'SSH_AUTH_SOCK'] as const;

/**
 * The environment that a terminal of the person has (B03): an app that is started from the desktop gets the bare PATH of the system. What this process
 * has already comes after what the shell adds, so nothing gets lost; without an answer of the shell the environment is as it was.
 */
export async function loginShellEnvironment(options: LoginShellOptions): Promise<Environment> {
  const { environment, platform, clock, run = runProgram } = options;
  if (platform === 'win32') return environment;
  const shell = loginShellOf(options);
  const late = new AbortController();
  const cancel = clock.after(PATIENCE_MS, () => late.abort());
  const print = TAKEN.map((name) => `printf '%s%s\\n' '${MARK}${name}=' "$${name}"`).join('; ');
  const said = await run(
    shell,
    [...flagsOf(shell), print],
    { ...environment, ESPALIER_RESOLVING_ENVIRONMENT: '1' },
    late.signal,
  );
  cancel();
  return said === null ? environment : merge(environment, readMarked(said));
}

/** The shell that is asked. */
export function loginShellOf({ environment, platform }: Pick<LoginShellOptions, 'environment' | 'platform'>): string {
  return environment['SHELL'] ?? (platform === 'darwin' ? '/bin/zsh' : '/bin/sh');
}

/** Interactive, as people set PATH in files that only such a shell reads; but not where that needs a terminal. */
function flagsOf(shell: string): string[] {
  return basename(shell) === 'sh' || basename(shell) === 'dash' ? ['-l', '-c'] : ['-i', '-l', '-c'];
}

function readMarked(said: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of said.split('\n')) {
    const at = line.indexOf(MARK);
    const [name = '', ...value] = at === -1 ? [] : line.slice(at + MARK.length).split('=');
    if (value.length > 0 && value.join('=') !== '') found.set(name, value.join('='));
  }
  return found;
}

function merge(environment: Environment, found: ReadonlyMap<string, string>): Environment {
  const merged: Record<string, string | undefined> = { ...environment };
  for (const name of TAKEN) {
    const value = found.get(name);
    if (value === undefined) continue;
    if (name === 'PATH')
      merged['PATH'] = [...new Set(`${value}${delimiter}${environment['PATH'] ?? ''}`.split(delimiter))]
        .filter((part) => part !== '')
        .join(delimiter);
    else merged[name] ??= value;
  }
  return merged;
}

function runProgram(
  program: string,
  args: readonly string[],
  environment: Environment,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    // Loaded when it is needed: a terminal's PATH is taken as it is.
    const { spawn } = process.getBuiltinModule('node:child_process');
    // Its own session: an interactive shell would take the terminal that the app was started from.
    const child = spawn(program, [...args], { env: environment, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    const end = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
      resolve(null);
    };
    signal.addEventListener('abort', end, { once: true });
    child.once('error', () => resolve(null));
    child.once('close', () => resolve(said.includes(MARK) ? said : null));
  });
}
