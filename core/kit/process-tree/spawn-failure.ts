import { stat } from 'node:fs/promises';

/** Why a program could not be started. */
export interface SpawnError {
  readonly code:
    | 'not_found'
    | 'not_executable'
    | 'cwd_missing'
    | 'bad_argument'
    | 'too_large'
    | 'output_exists'
    | 'aborted'
    | 'failed';
  /** One line for people. */
  readonly message: string;
  readonly command: string;
  readonly cause?: unknown;
}

/** Turns what `spawn` threw or emitted into a value; ENOENT may mean the program or the working folder. */
export async function spawnError(command: string, cwd: string, cause: unknown): Promise<SpawnError> {
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const folder = await stat(cwd).catch(() => null);
  if (!folder?.isDirectory()) {
    return { code: 'cwd_missing', message: `The working folder does not exist: ${cwd}`, command, cause };
  }
  switch (code) {
    case 'ENOENT':
      return { code: 'not_found', message: `The program was not found: ${command}`, command, cause };
    case 'EACCES':
    case 'EPERM':
    case 'ENOEXEC':
      return { code: 'not_executable', message: `The program cannot be executed: ${command}`, command, cause };
    case 'E2BIG':
      return { code: 'too_large', message: `Arguments and environment of ${command} are too large`, command, cause };
    case 'ERR_INVALID_ARG_VALUE':
      return { code: 'bad_argument', message: `An argument of ${command} holds a NUL character`, command, cause };
    default: {
      const text = cause instanceof Error ? cause.message : String(cause);
      return { code: 'failed', message: `${command} could not be started: ${text}`, command, cause };
    }
  }
}
