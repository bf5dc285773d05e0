import type { FeedMessage } from '../../core/protocol/feed.ts';

/** The feed of one conversation, apart from that of the app. */
export class OwnFeed {
  readonly #conversationId: string;

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
}
