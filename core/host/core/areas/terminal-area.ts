import { existsSync } from 'node:fs';
import { err, type Result } from '../../../kit/result.ts';
import type { ApiError } from '../../../protocol/errors.ts';
import type { CoreService } from '../../service.ts';
import type { Terminals } from '../../terminals/terminals.ts';
import type { Core } from '../core.ts';
import { unknownProject } from '../projects.ts';
import { findRun } from '../run-changes.ts';

/** The bottom panel's terminals, in a project's folder or a run's worktree. */
export function terminalArea(core: Core, terminals: Terminals): Pick<CoreService, 'terminals'> {
  return {
    terminals: {
      list: async () => ({ ok: true, value: terminals.list() }),
      open: async ({ project_id, run_id, cols, rows }) => {
        const cwd = await folderOf(core, project_id, run_id);
        return cwd.ok ? terminals.open({ project_id, run_id, cwd: cwd.value, cols, rows }) : cwd;
      },
      read: ({ terminal_id, from }) => terminals.read(terminal_id, from),
      write: async ({ terminal_id, data }) => terminals.write(terminal_id, data),
      resize: async ({ terminal_id, cols, rows }) => terminals.resize(terminal_id, cols, rows),
      close: ({ terminal_id }) => terminals.close(terminal_id),
    },
  };
}

async function folderOf(core: Core, projectId: string, runId: string | null): Promise<Result<string, ApiError>> {
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
