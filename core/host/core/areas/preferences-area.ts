import { ok } from '../../../kit/result.ts';
import type { GrantRow } from '../../../protocol/preferences.ts';
import { readGrants } from '../../../registry/store/read-rows.ts';
import type { ProjectEngine } from '../../engine/project-engine.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { KeyFile } from '../key-file.ts';
import { ifReadable } from '../storage-failure.ts';

/** What people have settled beyond the settings file: consent that still holds, and their keys. */
export function preferencesArea(core: Core): Pick<CoreService, 'grants' | 'keys'> {
  const keys = new KeyFile(core.options.home);
  return {
    grants: {
      list: async () => {
        const engines = await core.projects.openSoon();
        const found = engines.flatMap((engine) => ifReadable(() => grantsOf(engine)) ?? []);
        return ok(found.sort((a, b) => b.at - a.at));
      },
      remove: async ({ project_id, ...grant }) => {
        const engine = await core.projects.engine(project_id);
        if (!engine.ok) return engine;
        const revoked = await engine.value.revoke(grant);
        return revoked.ok ? ok({ done: true as const }) : revoked;
      },
    },
    keys: {
      get: async () => ok(keys.read()),
      set: async (change) => keys.set(change),
    },
  };
}

function grantsOf(engine: ProjectEngine): GrantRow[] {
  return readGrants(engine.db).map(({ of, scope, scope_id, tool, detail, at }) => ({
    project_id: engine.projectId,
    scope,
    scope_id,
    tool,
    detail,
    at,
    of: of === null ? null : nameIn(of),
  }));
}

/** What people call the run or set of a stored row. */
function nameIn(row: string): string | null {
  const { label, goal, title, set } = JSON.parse(row) as Record<'label' | 'goal' | 'title', string | null> & {
    readonly set: number | null;
  };
  return label ?? title ?? goal?.slice(0, 200) ?? (set === null ? null : `set ${set}`);
}
