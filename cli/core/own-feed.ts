import type { FeedMessage } from '../../core/protocol/feed.ts';
import type { AppRow } from '../../core/protocol/rows.ts';

/** The feed of one conversation and of the app, apart from each other. */
export class OwnFeed {
  readonly #conversationId: string;
  #banner: string | null = null;

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /** What of a message is of the conversation; null when nothing is. */
  own(message: FeedMessage): FeedMessage | null {
    if (message.type === 'hello') return message;
    if (message.type === 'snapshot') return message.snapshot.scope.type === 'app' ? null : message;
    const changes = message.changes.filter((change) => {
      switch (change.type) {
        case 'app':
        case 'project':
        case 'removed':
          return false;
        case 'conversation':
        case 'ask':
        case 'run':
          return change.row.conversation_id === this.#conversationId;
        case 'set':
        case 'steer':
        case 'entry':
        case 'delta':
        case 'entry_meta':
        case 'entry_end':
          return true;
      }
    });
    return changes.length === 0 ? null : { ...message, changes };
  }

  /** A line when the core begins to be unable to store, or can again (D1): until then nothing new is told of the conversation. */
  storageLine(message: FeedMessage): string | null {
    const row = appOf(message);
    if (row === null || row.storage_banner === this.#banner) return null;
    this.#banner = row.storage_banner;
    return this.#banner ?? 'Everything can be stored again; work goes on.';
  }
}

function appOf(message: FeedMessage): AppRow | null {
  if (message.type === 'hello') return null;
  if (message.type === 'snapshot') return message.snapshot.app;
  return message.changes.reduce<AppRow | null>((last, change) => (change.type === 'app' ? change.row : last), null);
}
