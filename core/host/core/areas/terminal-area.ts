import type { CoreService } from '../../service.ts';
import type { Terminals } from '../../terminals/terminals.ts';
import type { Core } from '../core.ts';
import { folderOf } from '../run-folder.ts';

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
