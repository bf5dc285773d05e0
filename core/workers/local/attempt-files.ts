import { mkdir, rename, rmdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../kit/process-tree/process-entry.ts';
import type { ProcessScanner } from '../../kit/process-tree/process-scanner.ts';
import type { Assignment } from '../../protocol/frames.ts';
import type { AttemptProcesses } from '../processes/attempt-tree.ts';
import { ATTEMPT_FILES, spoolPath } from '../wire/spool-file.ts';

/** The two files that a worker writes its standard output and error to. */
export interface OutputPaths {
  readonly stdout: string;
  readonly stderr: string;
}

/** Where the outputs of a worker started in `folder` are. */
export function outputPaths(folder: string): OutputPaths {
  return { stdout: join(folder, ATTEMPT_FILES.stdout), stderr: join(folder, ATTEMPT_FILES.stderr) };
}

/**
 * Moves the outputs of a pooled worker into the folder of the attempt that it got; it goes on writing to the same files. On another
 * file system they stay where they are.
 */
export async function moveOutputs(from: string, to: string): Promise<OutputPaths> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const [old, moved] = [outputPaths(from), outputPaths(to)];
  const stdout = await rename(old.stdout, moved.stdout).then(
    () => moved.stdout,
    () => old.stdout,
  );
  const stderr = await rename(old.stderr, moved.stderr).then(
    () => moved.stderr,
    () => old.stderr,
  );
  await rmdir(from).catch(() => undefined); // Not empty, if they stayed.
  return { stdout, stderr };
}

/** What the supervision of an attempt's tree goes by. */
export function processesOf(
  scanner: ProcessScanner,
  root: ProcessIdentity,
  attempt: { readonly id: string; readonly runId: string },
  outputs: OutputPaths,
  assignment: Assignment | null,
): AttemptProcesses {
  return {
    scanner,
    root,
    runId: attempt.runId,
    attemptKey: attempt.id,
    outputPaths: [outputs.stdout, outputs.stderr],
    worktree: assignment?.isolated === true ? assignment.workspace : null,
  };
}

/** Removes what is of no more use once every event is committed: the spool, outputs with nothing in them, a folder with nothing in it. */
export async function tidyAttempt(folder: string, outputs: OutputPaths): Promise<void> {
  await unlink(spoolPath(folder)).catch(() => undefined); // Most attempts have none.
  for (const path of [outputs.stdout, outputs.stderr]) {
    const found = await stat(path).catch(() => null);
    if (found?.size === 0) await unlink(path).catch(() => undefined);
  }
  await rmdir(folder).catch(() => undefined); // What was written stays.
}
