import { makeId } from '../../protocol/ids.ts';
import type { ConversationRow } from '../../protocol/rows.ts';
import type { CoreOptions } from './core-options.ts';

/** A new conversation's row. */
export function newConversation(
  options: Pick<CoreOptions, 'clock' | 'random'>,
  projectId: string,
  title: string,
): ConversationRow {
  const now = options.clock.now();
  return {
    conversation_id: makeId('conv', (length) => options.random.hex(length)),
    project_id: projectId,
    title,
    created_at: now,
    updated_at: now,
    lead_run_id: null,
    scripted: false,
    archived: false,
    paused: false,
    held: 0,
    sets: 0,
    runs: 0,
    ended: 0,
    working: 0,
    needs_you: 0,
    unseen_failures: 0,
    failed: 0,
    stopped: 0,
    caveats: 0,
    tokens: 0,
    cost_usd: 0,
  };
}
