import { setStatus, isFailure, totalsOf } from '../../../delegation/set-status.ts';
import { rootRuns, slotRuns } from '../../../delegation/tree.ts';
import { err, ok, type Result } from '../../../kit/result.ts';
import { isEnded, isLive } from '../../../protocol/lifecycle.ts';
import type { ApiError } from '../../../protocol/errors.ts';
import type { SetResult } from '../../../protocol/result-entry.ts';
import type { ConversationRow } from '../../../protocol/rows.ts';
import { countEntries, readEntries } from '../../../registry/store/entries.ts';
import type { ConversationTree } from '../../../delegation/tree.ts';
import type { CoreService } from '../../service.ts';
import { addTasks, retrySet } from '../controls.ts';
import type { Core } from '../core.ts';
import { locate, locateTree } from '../locate.ts';
import { allConversations } from '../snapshots.ts';

const DONE = ok({ done: true as const });

/** The result of a set as `run --json` prints it, once every slot has ended. */
function setResult(tree: ConversationTree, delegationId: string): SetResult | null {
  const set = tree.sets.get(delegationId);
  const runs = slotRuns(tree, delegationId);
  if (set === undefined || runs.some((run) => !isEnded(run.state))) return null;
  return {
    conversation_id: set.conversation_id,
    delegation_id: delegationId,
    set: set.set,
    status: setStatus(runs),
    results: runs.flatMap((run) => tree.facts.get(run.run_id)?.result ?? []),
    totals: totalsOf(tree, runs),
  };
}

/** What happened: conversations, sets, transcripts. */
export function historyArea(core: Core): Pick<CoreService, 'conversations' | 'sets' | 'transcript'> {
  return {
    conversations: {
      list: async ({ all }) => ok((await allConversations(core.projects)).filter((row) => all || !row.archived)),
      show: async ({ id }) => {
        const tree = await locateTree(core.projects, id);
        if (!tree.ok) return tree;
        const { conversation, sets, runs } = tree.value;
        return ok({
          conversation,
          sets: [...sets.values()],
          runs: [...runs.values()],
          totals: totalsOf(tree.value, rootRuns(tree.value)),
        });
      },
      rename: ({ id, title }) => change(core, id, { title }),
      archive: ({ id, archived }) => change(core, id, { archived }),
      remove: ({ id }) => remove(core, id),
      seen: async ({ id }) => {
        const rows =
          id === null ? await allConversations(core.projects) : [{ conversation_id: id, unseen_failures: 1 }];
        for (const row of rows) if (row.unseen_failures > 0) await markSeen(core, row.conversation_id);
        return DONE;
      },
    },
    sets: {
      show: async ({ id }) => {
        const tree = await locateTree(core.projects, id);
        const set = tree.ok ? tree.value.sets.get(id) : undefined;
        if (!tree.ok) return tree;
        if (set === undefined) return err({ code: 'not_found', message: `There is no set ${id}.` });
        return ok({ set, runs: slotRuns(tree.value, id), result: setResult(tree.value, id) });
      },
      add: (input) => addTasks(core, input),
      retry: (input) => retrySet(core, input),
    },
    transcript: {
      page: async ({ run_id, from, limit }) => {
        const place = await locate(core.projects, run_id);
        if (!place.ok) return place;
        const { db } = place.value.engine;
        return ok({ entries: readEntries(db, run_id, from, limit), entry_count: countEntries(db, run_id) });
      },
    },
  };
}

async function remove(core: Core, id: string): Promise<Result<{ done: true }, ApiError>> {
  const place = await locate(core.projects, id);
  if (!place.ok) return place;
  const removed = await place.value.engine.command(id, (step, flush) => {
    if ([...step.tree.runs.values()].some((run) => isLive(run.state))) {
      return err({
        code: 'not_allowed',
        message: 'Runs of this conversation are live. Stop them first; nothing was deleted.',
      });
    }
    flush.removed.push(id);
    return ok(null);
  });
  if (!removed.ok) return removed;
  core.publish([{ conversation_id: id, run_id: null, change: { type: 'removed', what: 'conversation', id } }]);
  return DONE;
}

async function change(
  core: Core,
  id: string,
  patch: { title?: string; archived?: boolean },
): Promise<Result<ConversationRow, ApiError>> {
  const place = await locate(core.projects, id);
  if (!place.ok) return place;
  return place.value.engine.command(place.value.conversation_id, (step) => {
    step.emit({ type: 'conversation_changed', v: 1, conversation_id: id, ...patch });
    return ok(step.tree.conversation);
  });
}

async function markSeen(core: Core, id: string): Promise<void> {
  const place = await locate(core.projects, id);
  if (!place.ok) return;
  await place.value.engine.command(place.value.conversation_id, (step) => {
    for (const run of [...step.tree.runs.values()]) {
      if (isFailure(run) && !run.seen) step.emit({ type: 'run_seen', v: 1, run_id: run.run_id });
    }
    return ok(null);
  });
}
