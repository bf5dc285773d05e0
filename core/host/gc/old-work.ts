import { changeWorktree } from '../../delegation/decide-close.ts';
import { err, ok } from '../../kit/result.ts';
import { isLive } from '../../protocol/lifecycle.ts';
import type { ConversationRow } from '../../protocol/rows.ts';
import { readConversations, readEndedWorktrees } from '../../registry/store/read-rows.ts';
import { expireDiscarded, listDiscarded } from '../../workspace/worktrees/discard-worktree.ts';
import { removeUnneeded, whyUnneeded } from '../../workspace/worktrees/merged-worktree.ts';
import { inTurn } from '../../workspace/worktrees/repository-turns.ts';
import type { WorktreeAccess } from '../../workspace/worktrees/worktree-access.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { bytesOf, DAY_MS, daysOf, type Candidate } from './candidate.ts';

/** W4: so long a ref keeps what was discarded. */
const DISCARDED_MS = 30 * DAY_MS;

/** Kept worktrees of ended runs in which nothing is that the project does not have. */
export async function unneededWorktrees(
  engine: ProjectEngine,
  access: WorktreeAccess,
  dataFolder: string,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const { row, worktree } of readEndedWorktrees(engine.db)) {
    // What was kept as a branch was kept on purpose; one in which a later run goes on is that run's.
    if (row.worktree?.state !== 'kept' || row.continued_by !== null) continue;
    const reason = await whyUnneeded(worktree, { ...access, dataFolder });
    if (reason === null) continue;
    const item = {
      kind: 'worktree' as const,
      project_id: engine.projectId,
      what: worktree.path,
      bytes: bytesOf(worktree.path),
      reason,
    };
    const remove = (): Promise<string | null> =>
      inTurn(engine.projectId, async () => {
        const now = engine.tree(row.conversation_id)?.runs.get(row.run_id)?.worktree;
        if (now?.state !== 'kept') return 'It is used again.';
        const removed = await removeUnneeded(worktree, { ...access, dataFolder });
        if (!removed.ok) return removed.error.message;
        await engine.fact(row.conversation_id, (step) =>
          changeWorktree(step, row.run_id, { ...now, state: 'removed' }),
        );
        return null;
      });
    found.push({ item, remove });
  }
  return found;
}

/** Refs of a project's repository that have kept discarded work for their 30 days. */
export async function expiredRefs(
  engine: ProjectEngine,
  project: string,
  access: WorktreeAccess,
  now: number,
): Promise<Candidate[]> {
  const before = now - DISCARDED_MS;
  const listed = await listDiscarded(project, access, before);
  if (!listed.ok) return []; // No repository: nothing was discarded in it.
  return listed.value.map(({ ref, at }) => ({
    item: {
      kind: 'discarded_ref',
      project_id: engine.projectId,
      what: ref,
      bytes: 0,
      reason: `Discarded ${daysOf(now - at)} ago.`,
    },
    remove: async () => {
      const expired = await expireDiscarded(project, access, before);
      return expired.ok ? null : expired.error.message;
    },
  }));
}

/** Conversations that have not changed for longer than the settings want them kept, with nothing in them that would be lost elsewhere. */
export function oldConversations(
  engine: ProjectEngine,
  days: number,
  now: number,
  removed: (id: string) => void,
): Candidate[] {
  const isOld = (row: ConversationRow): boolean => now - row.updated_at >= days * DAY_MS;
  const mayGo = ({ conversation_id }: ConversationRow): boolean => holdsNothing(engine, conversation_id);
  return readConversations(engine.db)
    .filter((row) => isOld(row) && mayGo(row))
    .map(({ conversation_id, title, updated_at }) => ({
      item: {
        kind: 'conversation',
        project_id: engine.projectId,
        what: conversation_id,
        bytes: 0,
        reason: `“${title}” has not changed for ${daysOf(now - updated_at)}; conversations are kept for ${String(days)}.`,
      },
      remove: async () => {
        const gone = await engine.command(conversation_id, (_, flush) => {
          if (!holdsNothing(engine, conversation_id)) return err({ code: 'not_allowed', message: 'It is used again.' });
          flush.removed.push(conversation_id);
          return ok(null);
        });
        if (gone.ok) removed(conversation_id);
        return gone.ok ? null : gone.error.message;
      },
    }));
}

/** Nothing of it is live, and no worktree or branch is left that only its rows know of. */
function holdsNothing(engine: ProjectEngine, conversationId: string): boolean {
  const runs = [...(engine.tree(conversationId)?.runs.values() ?? [])];
  return runs.every((run) => !isLive(run.state) && !['kept', 'branch', 'at_work'].includes(run.worktree?.state ?? ''));
}
