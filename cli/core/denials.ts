import { oneLineOf } from '../../core/host/export/plain-words.ts';
import type { FeedMessage } from '../../core/protocol/feed.ts';

/** Who a permission was denied by when nobody could be asked (A1). */
const NOBODY = 'nobody';

/** Tells of permissions that were denied because nobody was there, and how to allow them beforehand. */
export class Denials {
  readonly #told = new Set<string>();

  /** The lines that a message of the feed adds. */
  take(message: FeedMessage): string[] {
    if (message.type === 'hello') return [];
    const rows =
      message.type === 'snapshot'
        ? message.snapshot.asks
        : message.changes.flatMap((change) => (change.type === 'ask' ? [change.row] : []));
    return rows.flatMap(({ ask_id, kind, title, detail, answered_by }) => {
      if (answered_by !== NOBODY || this.#told.has(ask_id)) return [];
      this.#told.add(ask_id);
      const what = oneLineOf(title.includes(detail) ? title : `${title}: ${detail}`, 120);
      const advice = this.#told.size > 1 || kind === 'question' ? '' : ' A wider --permission allows such beforehand.';
      return [`✗ denied, nobody can be asked here: ${what}.${advice}`];
    });
  }
}
