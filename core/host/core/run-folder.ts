import { existsSync } from 'node:fs';
import { err, type Result } from '../../kit/result.ts';
import type { ApiError } from '../../protocol/errors.ts';
import type { Core } from './core.ts';
import { unknownProject } from './projects.ts';
import { findRun } from './run-changes.ts';

/** The folder that a person means by a project, or by a run of it: the run's worktree if it has its own. */
export async function folderOf(core: Core, projectId: string, runId: string | null): Promise<Result<string, ApiError>> {
  const project = core.projects.get(projectId);
  if (project === undefined) return unknownProject(projectId);
  if (runId === null) return { ok: true, value: project.path };
  const found = await findRun(core, runId);
  if (!found.ok) return found;
  const { worktree } = found.value.run;
  if (worktree === null) return { ok: true, value: project.path };
  if (existsSync(worktree.path)) return { ok: true, value: worktree.path };
  return err({ code: 'not_allowed', message: `The worktree of the run is not there any more (${worktree.state}).` });
}
