import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { RUN_MARKER, toolEnvironment } from '../../kit/process-tree/tool-environment.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { resolveInside } from '../../workspace/containment/resolve-inside.ts';
import { keyVariables } from '../core/assignments.ts';
import type { Core } from '../core/core.ts';
import { folderOf } from '../core/run-folder.ts';
import { editorCommand, type EditorCommand } from './editor-command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface OpenInEditor {
  readonly project_id: string;
  readonly run_id: string | null;
  readonly path: string;
  readonly line: number | null;
}

/** Opens a file in the person's editor. Answers when the program has been started; it goes on without us. */
export async function openEditor(
  core: Core,
  { project_id, run_id, path, line }: OpenInEditor,
): Promise<Result<{ editor: string; path: string }, ApiError>> {
  const folder = await folderOf(core, project_id, run_id);
  if (!folder.ok) return folder;
  const place = await resolveInside(folder.value, path);
  if (!place.ok) return err({ code: 'not_allowed', message: place.error.message });
  if (!place.value.exists) return err({ code: 'not_found', message: `${path} is not there (any more).` });
  const { environment } = core.options;
  const command = editorCommand(
    { path: place.value.path, line: line ?? 1 },
    { setting: core.settings.value.editor, environment, find: (program) => onPath(program, environment) },
  );
  if (!command.ok) return err({ code: 'not_allowed', message: command.error });
  const env = toolEnvironment(environment, { runId: '', drop: keyVariables(core.settings.value) });
  Reflect.deleteProperty(env, RUN_MARKER); // It belongs to no run: no sweep of runs may find it.
  const failed = await begin(command.value, folder.value, env);
  if (failed !== null)
    return err({ code: 'not_allowed', message: `${command.value.name} could not be started: ${failed}` });
  return ok({ editor: command.value.name, path: place.value.path });
}

/** Starts a program that outlives us; answers why that failed, or null. */
function begin({ program, args }: EditorCommand, cwd: string, env: Environment): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: 'ignore', windowsHide: true });
  child.once('spawn', () => {
    child.unref();
    resolve(null);
  });
  child.once('error', (error) => {
    resolve(error.message);
  });
  return promise;
}

const WINDOWS_ENDINGS = ['.exe', '.cmd', '.bat', ''];

/** Absolute path of a program that can be executed, by its name on the PATH or as it is. */
function onPath(program: string, environment: Environment): string | null {
  const folders = isAbsolute(program) ? [''] : (environment['PATH'] ?? environment['Path'] ?? '').split(delimiter);
  const endings = process.platform === 'win32' ? WINDOWS_ENDINGS : [''];
  for (const folder of folders) {
    if (folder !== '' && !isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = (folder === '' ? program : join(folder, program)) + ending;
      if (isProgram(file)) return file;
    }
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
