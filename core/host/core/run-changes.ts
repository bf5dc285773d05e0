import { err, ok, type Result } from '../../kit/result.ts';
import type { RunChanges } from '../../protocol/changes.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { RunRow } from '../../protocol/rows.ts';
import type { Worktree } from '../../protocol/worktree.ts';
import { readCallChanges } from '../../registry/store/call-changes.ts';
import { diffOf } from '../../workspace/worktrees/diff-worktree.ts';
import type { WorktreeError } from '../../workspace/worktrees/worktree-error.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { callChanges } from './call-changes.ts';
import type { Core } from './core.ts';
import { locate } from './locate.ts';

/** Bytes of a patch that a client is sent. */
const MAX_PATCH = 2 * 1024 * 1024;

/** A run with its worktree. */
export interface FoundRun {
  readonly engine: ProjectEngine;
  readonly conversation_id: string;
  readonly run: RunRow;
  readonly worktree: Worktree | null;
}

/** Finds a run wherever it is. */
export async function findRun(core: Core, runId: string): Promise<Result<FoundRun, ApiError>> {
  const place = await locate(core.projects, runId);
  if (!place.ok) return place;
  const { engine, conversation_id } = place.value;
  const tree = engine.tree(conversation_id);
  const run = tree?.runs.get(runId);
  if (run === undefined) return err({ code: 'not_found', message: `There is no run ${runId}.` });
  return ok({ engine, conversation_id, run, worktree: tree?.facts.get(runId)?.worktree ?? null });
}

/** What a run changed: its worktree against its base, or what its own calls wrote (W4). */
export async function changesOf(core: Core, runId: string): Promise<Result<RunChanges, ApiError>> {
  const found = await findRun(core, runId);
  return found.ok ? show(core, found.value) : found;
}

async function show(core: Core, { engine, run, worktree }: FoundRun): Promise<Result<RunChanges, ApiError>> {
  const head = { run_id: run.run_id, worktree: run.worktree };
  if (worktree === null || run.worktree === null) {
    return ok({
      ...head,
      source: 'calls',
      nested: [],
      ...callChanges(readCallChanges(engine.db, run.run_id), MAX_PATCH),
    });
  }
  // Nothing was in it, or only a ref keeps it.
  if (run.worktree.state === 'removed' || run.worktree.state === 'discarded') {
    return ok({ ...head, source: 'worktree', files: [], patch: '', cut: false, nested: [] });
  }
  const { environment, home: dataFolder } = core.options;
  const diff = await diffOf(worktree, { environment, dataFolder }, MAX_PATCH);
  if (!diff.ok) return err(toApiError(diff.error));
  const { files, patch, cut, nested } = diff.value;
  return ok({ ...head, source: 'worktree', files: [...files], patch, cut, nested: [...nested] });
}

/** What git could not do, in the words of the API. */
export function toApiError({ code, message, paths }: WorktreeError): ApiError {
  const known = code === 'conflict' || code === 'would_lose' || code === 'storage' ? code : 'not_allowed';
  return { code: known, message, ...(paths === undefined ? {} : { paths: [...paths] }) };
}
