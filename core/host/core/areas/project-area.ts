import { ok } from '../../../kit/result.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { listFolder } from '../folders.ts';

const DONE = ok({ done: true as const });

/** Attached folders, and the folder chooser of the core. */
export function projectArea(core: Core): Pick<CoreService, 'projects' | 'folders'> {
  return {
    projects: {
      list: async () => ok(core.projects.list()),
      add: async ({ path }) => {
        const added = await core.projects.add(path, core.options.clock.now());
        if (added.ok)
          core.publish([{ conversation_id: '', run_id: null, change: { type: 'project', row: added.value } }]);
        return added;
      },
      remove: async ({ project_id }) => {
        const removed = await core.projects.remove(project_id);
        if (!removed.ok) return removed;
        core.publish([
          { conversation_id: '', run_id: null, change: { type: 'removed', what: 'project', id: project_id } },
        ]);
        return DONE;
      },
      trust: async ({ project_id, trusted }) => {
        const row = core.projects.get(project_id);
        if (row === undefined) return core.projects.remove(project_id);
        const saved = await core.projects.save({ ...row, trusted });
        if (saved.ok)
          core.publish([{ conversation_id: '', run_id: null, change: { type: 'project', row: saved.value } }]);
        return saved;
      },
    },
    folders: { list: async ({ path, name }) => listFolder(path, name) },
  };
}
