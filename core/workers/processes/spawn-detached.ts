import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { ProcessIdentity, ProcessSource } from '../../kit/process-tree/process-entry.ts';
import { spawnError } from '../../kit/process-tree/spawn-failure.ts';
import type { SpawnError } from '../../kit/process-tree/spawn-failure.ts';
import { err, ok } from '../../kit/result.ts';
import type { Result } from '../../kit/result.ts';

/** A program to start so that it outlives us. */
export interface DetachedProgram {
  readonly command: string;
  /** Passed byte for byte, never through a shell (B04). Never holds secrets (K4). */
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Created exclusively with mode 0600, no link followed (D7). Files, never pipes: a pipe to a dead core kills its writer. */
  readonly stdoutPath: string;
  readonly stderrPath: string;
  /** Written to its standard input, which is then closed; the way for a start token (K4). */
  readonly stdinBytes: Uint8Array;
}

/** How a process ended, from its parent's view. */
export interface ExitInfo {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process in a session of its own, that does not keep us alive. */
export interface DetachedProcess {
  readonly pid: number;
  readonly identity: ProcessIdentity;
  /** Resolves when it has ended and was reaped. Only for what this very process spawned; an adopted worker is watched by identity. */
  waitExit(): Promise<ExitInfo>;
}

const EXCLUSIVE =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** Starts a program detached. A start that fails leaves no process and no files. */
export async function spawnDetached(
  program: DetachedProgram,
  source: ProcessSource,
): Promise<Result<DetachedProcess, SpawnError>> {
  const opened = await openOutputs(program);
  if (!opened.ok) return opened;
  const handles = opened.value;
  try {
    return ok(await start(program, handles, source));
  } catch (error) {
    await Promise.all([program.stdoutPath, program.stderrPath].map((path) => unlink(path).catch(() => undefined)));
    return err(await spawnError(program.command, program.cwd, error));
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

async function start(
  program: DetachedProgram,
  handles: readonly FileHandle[],
  source: ProcessSource,
): Promise<DetachedProcess> {
  const child = spawn(program.command, program.args, {
    cwd: program.cwd,
    env: { ...program.env },
    detached: true,
    windowsHide: true,
    stdio: ['pipe', ...handles.map((handle) => handle.fd)],
  });
  if (child.pid === undefined) await once(child, 'spawn');
  const pid = child.pid as number;
  child.on('error', () => undefined); // Only a failed start matters, and that has been told.
  const exit = new Promise<ExitInfo>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  feed(child, program.stdinBytes);
  child.unref();
  // One that was reaped before it could be looked at gets an identity that fits nobody.
  const identity = (await source.identify(pid)) ?? { pid, startTime: 'ended' };
  return { pid, identity, waitExit: () => exit };
}

function feed(child: ChildProcess, bytes: Uint8Array): void {
  const { stdin } = child;
  if (stdin === null) return;
  // It may end, or close its input, without reading; its exit tells.
  stdin.on('error', () => undefined);
  stdin.end(bytes);
  (stdin as Socket).unref();
}

async function openOutputs(program: DetachedProgram): Promise<Result<FileHandle[], SpawnError>> {
  const handles: FileHandle[] = [];
  const { command } = program;
  for (const path of [program.stdoutPath, program.stderrPath]) {
    const handle = await open(path, EXCLUSIVE, 0o600).catch((error: unknown) => error as NodeJS.ErrnoException);
    if (!(handle instanceof Error)) {
      handles.push(handle);
      continue;
    }
    await Promise.all(handles.map((each) => each.close()));
    if (handles.length > 0) await unlink(program.stdoutPath).catch(() => undefined);
    const code = handle.code === 'EEXIST' || handle.code === 'ELOOP' ? 'output_exists' : 'failed';
    return err({
      code,
      message: `The output file cannot be created: ${path} (${handle.code})`,
      command,
      cause: handle,
    });
  }
  return ok(handles);
}
