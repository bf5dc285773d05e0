import { ok } from '../../../kit/result.ts';
import type { GcItem } from '../../../protocol/gc.ts';
import type { Candidate } from '../../gc/candidate.ts';
import { oldBackups, oldProjectFiles } from '../../gc/old-files.ts';
import { expiredRefs, oldConversations, unneededWorktrees } from '../../gc/old-work.ts';
import { staleSockets } from '../../gc/stale-sockets.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { storageFailure } from '../storage-failure.ts';

/** Upkeep of the data folder. */
export function storageArea(core: Core): Pick<CoreService, 'storage'> {
  return {
    storage: {
      gc: async ({ dry_run }) => {
        const items: GcItem[] = [];
        for (const candidate of await candidates(core)) items.push(await settle(candidate, dry_run));
        const bytes = items.reduce((sum, item) => sum + (dry_run || item.done ? item.bytes : 0), 0);
        return ok({ dry_run, items, bytes });
      },
    },
  };
}

async function settle({ item, remove }: Candidate, dryRun: boolean): Promise<GcItem> {
  if (dryRun) return { ...item, done: false, error: null };
  const error = await remove();
  return { ...item, done: error === null, error };
}

async function candidates(core: Core): Promise<Candidate[]> {
  const { home, environment, clock } = core.options;
  const { fileDays, conversationDays } = core.settings.value.retention;
  const now = clock.now();
  const files = { home, now, fileDays };
  const found: Candidate[] = [];
  for (const engine of await core.projects.openSoon()) {
    const project = core.projects.get(engine.projectId)?.path ?? '';
    try {
      found.push(...(await unneededWorktrees(engine, { environment }, home)));
      found.push(...(await expiredRefs(engine, project, { environment }, now)));
      found.push(...oldProjectFiles(engine, files));
      if (conversationDays !== undefined)
        found.push(...oldConversations(engine, conversationDays, now, (id) => tellRemoved(core, id)));
    } catch (thrown) {
      // What cannot be read is not known to be unneeded; the banner tells of it.
      if (storageFailure(thrown) === null) throw thrown;
    }
  }
  return [...found, ...oldBackups(files), ...(await staleSockets())];
}

function tellRemoved(core: Core, id: string): void {
  core.publish([{ conversation_id: id, run_id: null, change: { type: 'removed', what: 'conversation', id } }]);
}
