import { addAmounts, type Amount, type DayFigures } from '../../delegation/budget.ts';
import { sumUsage } from '../../delegation/day-usage.ts';
import { heldIn } from '../../delegation/holds.ts';
import type { ConversationTree, DayUsage } from '../../delegation/tree.ts';
import { readUsage } from '../../registry/store/read-rows.ts';
import type { Trees } from './trees.ts';

/**
 * What the conversations of a project have used on a day, and what their runs hold (R5). For conversations in memory that is what was decided,
 * also before it is committed, so that two decisions never give the same money away; for the others, what is stored.
 */
export class DayLedger {
  readonly #trees: Trees;
  #stored: { readonly day: string; readonly usage: Map<string, DayUsage> } | null = null;
  /** Conversations that were at work and have to be read anew. */
  readonly #forgotten = new Set<string>();

  constructor(trees: Trees) {
    this.#trees = trees;
  }

  /** Throws when the database cannot be read. */
  figures(day: string): DayFigures {
    for (const id of this.#forgotten) {
      this.#trees.get(id);
      this.#forgotten.delete(id);
    }
    const usage = new Map(this.#read(day));
    let held: Amount = { cost_usd: 0, tokens: 0 };
    for (const tree of this.#trees.all()) {
      const used = tree.usage.get(day);
      if (used !== undefined) usage.set(tree.conversation.conversation_id, used);
      if (tree.holds.size > 0) held = addAmounts(held, heldIn(tree));
    }
    return { spent: sumUsage(usage.values()), held };
  }

  /** These conversations are not in memory any more: what is stored counts again. */
  forgot(conversationIds: Iterable<string>): void {
    this.#stored = null;
    for (const id of conversationIds) if (id !== '') this.#forgotten.add(id);
  }

  /** It was let go of, and all of it is stored: its share of what was read before goes on to count as it is now. */
  left({ conversation, usage }: ConversationTree): void {
    const used = this.#stored === null ? undefined : usage.get(this.#stored.day);
    if (used !== undefined) this.#stored?.usage.set(conversation.conversation_id, used);
  }

  #read(day: string): ReadonlyMap<string, DayUsage> {
    if (this.#stored?.day !== day) {
      const rows = this.#trees.read((db) => readUsage(db, 'day', day));
      this.#stored = { day, usage: new Map(rows.map((row) => [row.conversation_id, row])) };
    }
    return this.#stored.usage;
  }
}
