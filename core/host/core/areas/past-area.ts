import { existsSync } from 'node:fs';
import { err, ok } from '../../../kit/result.ts';
import type { UsageAnswer, UsageDay } from '../../../protocol/history.ts';
import type { Reader } from '../../../registry/reader/reader.ts';
import type { CoreService } from '../../service.ts';
import type { Core } from '../core.ts';
import { isDemo } from '../demo.ts';
import { locate, locateTree } from '../locate.ts';
import { databaseOf } from '../projects.ts';
import { batchOfSet } from '../rerun.ts';
import { reviewOf } from '../review.ts';
import { Templates } from '../templates.ts';
import { MAX_MOVES, MOVES_SQL, timelineOf, type StoredMove } from '../timeline.ts';

const USAGE_SQL = `SELECT day, sum(cost_usd) AS cost_usd, max(unknown) AS unknown, sum(tokens) AS tokens
  FROM usage WHERE day BETWEEN ? AND ? GROUP BY day ORDER BY day`;

/** What has been: timelines, batches to run again, reviews, templates, and what was used. Long reads run in the reader's thread. */
export function pastArea(core: Core, reader: Reader): Pick<CoreService, 'history' | 'templates' | 'usage'> {
  const templates = new Templates(core.options.home);
  return {
    history: {
      timeline: async ({ conversation_id }) => {
        const place = await locate(core.projects, conversation_id);
        if (!place.ok) return place;
        const path = databaseOf(core.options.home, place.value.engine.projectId);
        const moves = await reader.query<StoredMove>(path, MOVES_SQL, [conversation_id], { maxRows: MAX_MOVES });
        if (!moves.ok) return err({ code: 'storage', message: moves.error.message });
        return ok(timelineOf(moves.value.rows, moves.value.more));
      },
      batch: async ({ delegation_id, only }) => {
        const tree = await locateTree(core.projects, delegation_id);
        if (!tree.ok) return tree;
        const set = tree.value.sets.get(delegation_id);
        if (set === undefined) return err({ code: 'not_found', message: `There is no set ${delegation_id}.` });
        const batch = batchOfSet(tree.value, set, only, core.agents.of(tree.value.conversation.project_id));
        if (batch.tasks.length > 0) return ok({ batch });
        return err({ code: 'not_allowed', message: `Nothing in set ${set.set} has failed.` });
      },
      review: async ({ id }) => {
        const tree = await locateTree(core.projects, id);
        if (!tree.ok) return tree;
        const batch = await reviewOf(core, tree.value, id);
        if (!batch.ok) return batch;
        const { project_id, conversation_id } = tree.value.conversation;
        return ok({ project_id, conversation_id, batch: batch.value });
      },
    },
    templates: {
      list: async () => ok(await templates.list()),
      load: async ({ name }) => {
        const batch = await templates.load(name);
        return batch.ok ? ok({ batch: batch.value }) : batch;
      },
      save: ({ name, batch, replace }) => templates.save(name, batch, replace),
      remove: ({ name }) => templates.remove(name),
    },
    usage: {
      days: async ({ from, to, project_id }) => {
        // Nothing is spent in the Demo: it is shown only to who asks for it.
        const spending = core.projects.list().filter((row) => !isDemo(row));
        const ids = project_id === null ? spending.map((row) => row.project_id) : [project_id];
        const found = await Promise.all(ids.map((id) => usageOf(core, reader, id, [from, to])));
        const days = found.flatMap((one) => one.days).toSorted((x, y) => x.day.localeCompare(y.day));
        return ok({ days, problems: found.flatMap((one) => one.problems) });
      },
    },
  };
}

async function usageOf(core: Core, reader: Reader, project_id: string, days: [string, string]): Promise<UsageAnswer> {
  const path = databaseOf(core.options.home, project_id);
  if (!existsSync(path)) return { days: [], problems: [] };
  const found = await reader.query<StoredUsage>(path, USAGE_SQL, days);
  if (!found.ok) return { days: [], problems: [{ project_id, message: found.error.message }] };
  return { days: found.value.rows.map((row) => ({ ...row, unknown: row.unknown === 1, project_id })), problems: [] };
}

interface StoredUsage extends Omit<UsageDay, 'project_id' | 'unknown'> {
  readonly unknown: number;
}
