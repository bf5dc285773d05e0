import type { AskRow, ConversationRow, ProjectRow } from './rows.ts';

// What one commit changes has one moment, and a clock has few of them: without a second key, rows of the same moment would stand in another order
// after each reading, and in another one in each client.

/** Projects, the last used first. */
export function byLastUse(
  a: Pick<ProjectRow, 'used_at' | 'project_id'>,
  b: Pick<ProjectRow, 'used_at' | 'project_id'>,
) {
  return b.used_at - a.used_at || byText(a.project_id, b.project_id);
}

type Changed = Pick<ConversationRow, 'updated_at' | 'conversation_id'>;

/** Conversations, the last changed first. */
export function byLastChange(a: Changed, b: Changed): number {
  return b.updated_at - a.updated_at || byText(a.conversation_id, b.conversation_id);
}

type Opened = Pick<AskRow, 'opened_at' | 'project_id'>;

/** Asks, the oldest first. Those of a project stay in the order in which they are given, which is that of their opening. */
export function byOpening(a: Opened, b: Opened): number {
  return a.opened_at - b.opened_at || byText(a.project_id, b.project_id);
}

/** As SQLite orders text. */
function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
