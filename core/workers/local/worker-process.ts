import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CancelTimer, Clock } from '../../kit/clock.ts';
import type { ProcessIdentity, ProcessSource } from '../../kit/process-tree/process-entry.ts';
import type { SpawnError } from '../../kit/process-tree/spawn-failure.ts';
import { RUN_MARKER } from '../../kit/process-tree/tool-environment.ts';
import { err, ok } from '../../kit/result.ts';
import type { Result } from '../../kit/result.ts';
import { spawnDetached } from '../processes/spawn-detached.ts';
import type { ExitInfo } from '../processes/spawn-detached.ts';
import { ATTEMPT_FILES } from '../wire/spool-file.ts';
import { encodeStartInput } from '../wire/start-input.ts';
import type { StartInput } from '../wire/start-input.ts';

/** A worker's process. */
export interface WorkerProcess {
  readonly identity: ProcessIdentity;
  /** Resolves when it is gone; with null when nobody can know how (it was another core's child). */
  readonly ended: Promise<ExitInfo | null>;
}

/** How workers are started. */
export interface WorkerProgram {
  readonly execPath: string;
  readonly args: readonly string[];
  /** What the worker's environment is taken from. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Starts a worker process whose output files lie in `folder`, which is made. `runId` marks it; a pooled worker has none. */
export async function startWorker(
  program: WorkerProgram,
  input: StartInput,
  place: { readonly folder: string; readonly runId: string | null },
  source: ProcessSource,
): Promise<Result<WorkerProcess, SpawnError>> {
  const made = await mkdir(place.folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => error);
  if (made instanceof Error) {
    const message = `The folder of the worker cannot be made: ${made.message}`;
    return err({ code: 'failed', message, command: program.execPath, cause: made });
  }
  const started = await spawnDetached(
    {
      command: program.execPath,
      args: program.args,
      env: workerEnvironment(program.environment, place.runId),
      cwd: program.cwd,
      stdoutPath: join(place.folder, ATTEMPT_FILES.stdout),
      stderrPath: join(place.folder, ATTEMPT_FILES.stderr),
      stdinBytes: encodeStartInput(input),
    },
    source,
  );
  if (!started.ok) return started;
  const { identity, waitExit } = started.value;
  return ok({ identity, ended: waitExit() });
}

/**
 * The environment of a worker process: what a program needs to run here and to reach servers, named one by one, so that no key of the user's
 * shell is in it; as Node, if this is Electron. What tools get comes with the assignment.
 */
function workerEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  runId: string | null,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(base)) {
    if (value !== undefined && KEPT.test(name)) environment[name] = value;
  }
  if (runId !== null) environment[RUN_MARKER] = runId;
  if (process.versions.electron !== undefined) environment.ELECTRON_RUN_AS_NODE = '1';
  return environment;
}

const KEPT = new RegExp(
  `^(${[
    'PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TMP|TEMP|XDG_[A-Z]+_(HOME|DIR)',
    // Proxies and certificates.
    '(HTTP|HTTPS|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|NODE_USE_SYSTEM_CA',
    // Windows.
    'SystemRoot|SystemDrive|windir|ComSpec|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|USERNAME|ProgramData|ProgramFiles.*',
  ].join('|')})$`,
  'i',
);

/** Case 18 leaves 2 s from a death to its report. On Linux a look costs microseconds, elsewhere it starts a program. */
const LOOK_EVERY_MS = process.platform === 'linux' ? 250 : 1000;

/** Looks after workers that an earlier core started, whose exit nobody tells us. One timer for all. */
export class AdoptedWatch {
  readonly #source: ProcessSource;
  readonly #clock: Clock;
  readonly #watched = new Map<ProcessIdentity, () => void>();
  #cancel: CancelTimer | null = null;

  constructor(source: ProcessSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  /** The process as one that is watched from now on. */
  watch(identity: ProcessIdentity): WorkerProcess {
    const ended = new Promise<null>((resolve) => this.#watched.set(identity, () => resolve(null)));
    void this.#look();
    this.#cancel ??= this.#clock.every(LOOK_EVERY_MS, () => void this.#look());
    return { identity, ended };
  }

  /** Resolves when it is known which of them are gone by now. */
  looked(): Promise<void> {
    return this.#look();
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#watched.clear();
  }

  async #look(): Promise<void> {
    const asked = [...this.#watched.keys()];
    const living = await this.#source.living(asked).catch(() => null);
    if (living === null) return; // The platform's means failed; the next look may do better.
    for (const identity of asked) {
      if (living.includes(identity)) continue;
      this.#watched.get(identity)?.();
      this.#watched.delete(identity);
    }
    if (this.#watched.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }
}
