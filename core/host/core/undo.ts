import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { err, ok, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { KeptFile, UNDO_FOLDER, UNDO_LIST } from '../../protocol/sent-prompt.ts';
import { readAttemptIds } from '../../registry/store/read-rows.ts';
import { openInside, type FileState } from '../../workspace/containment/open-inside.ts';
import { removeInside } from '../../workspace/containment/remove-inside.ts';
import { writeInside } from '../../workspace/containment/write-inside.ts';
import type { Core } from './core.ts';
import { readLines } from './attempt-lines.ts';
import type { FoundRun } from './run-changes.ts';

/** What a run's calls did to one file: the bytes before the first of them, and the hash after the last. */
interface Kept {
  readonly folder: string;
  readonly before: string | null;
  readonly after: string;
}

/**
 * Puts a file back to what it was before the run's own calls first wrote it (ui.md, *Undo*). Refused if it is not what the run left: then
 * somebody else has worked on it, and nothing is touched.
 */
export async function undoFile(core: Core, found: FoundRun, path: string): Promise<Result<{ done: true }, ApiError>> {
  const { run, engine } = found;
  if (run.worktree !== null) return refused('The run had a worktree of its own. Discard that instead.');
  const project = core.projects.get(run.project_id);
  if (project === undefined) return refused('The project of the run is not attached any more.');
  const kept = await keptOf(core, engine.projectId, readAttemptIds(engine.db, run.run_id), path);
  if (kept === null) return refused(`What "${path}" was before is not kept: it was too large, or its time was up.`);
  const now = await readNow(project.path, path);
  if (!now.ok) return now;
  if (now.value.hash !== kept.after) return refused(`"${path}" has changed since the run wrote it.`);
  const done =
    kept.before === null
      ? await removeInside(project.path, path, now.value.state)
      : await putBack(project.path, path, join(kept.folder, kept.before), now.value.state);
  return done.ok ? ok({ done: true }) : refused(done.error.message);
}

async function putBack(root: string, path: string, from: string, expected: FileState) {
  const bytes = await readFile(from).catch(() => null);
  if (bytes === null) return err({ message: `What "${path}" was before cannot be read (${from}).` });
  return writeInside(root, path, bytes, { expected });
}

async function keptOf(core: Core, projectId: string, attempts: readonly string[], path: string): Promise<Kept | null> {
  const all: Kept[] = [];
  for (const attempt of attempts) {
    const folder = join(core.attempts.folder(projectId, attempt), 'spill', UNDO_FOLDER);
    const entries = await readLines(join(folder, UNDO_LIST), KeptFile);
    all.push(...entries.filter((entry) => entry.path === path).map(({ before, after }) => ({ folder, before, after })));
  }
  const [first] = all;
  const last = all.at(-1);
  return first === undefined || last === undefined ? null : { ...first, after: last.after };
}

async function readNow(root: string, path: string): Promise<Result<{ hash: string; state: FileState }, ApiError>> {
  const opened = await openInside(root, path);
  if (!opened.ok) return refused(opened.error.message);
  const { handle, state } = opened.value;
  try {
    const hash = createHash('sha256')
      .update(await handle.readFile())
      .digest('hex');
    return ok({ hash, state });
  } finally {
    await handle.close();
  }
}

function refused(message: string): Result<never, ApiError> {
  return err({ code: 'not_allowed', message: `${message} Nothing was changed.` });
}
