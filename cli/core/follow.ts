import { isLost } from './lost-line.ts';
import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { FeedMessage, Scope } from '../../core/protocol/feed.ts';

/** What to follow. */
export interface FollowOptions {
  readonly client: ApiClient;
  /** This command, as others see it. */
  readonly name: string;
  /** A person sits here who can answer asks (A1). */
  readonly canAnswer: boolean;
  readonly scopes: readonly Scope[];
  /** Ends it, with a throw. */
  readonly signal?: AbortSignal;
  /** Takes a message in; true when there is nothing more to wait for. */
  onMessage(message: FeedMessage): boolean | Promise<boolean>;
}

/** Follows the feed until `onMessage` has seen enough (`done`), or until the core is gone (`lost`). */
export async function follow(options: FollowOptions): Promise<'done' | 'lost'> {
  const { client, name, canAnswer, scopes, signal } = options;
  try {
    const feed = await client.live.subscribe({ client: name, can_answer: canAnswer, scopes: [...scopes] }, { signal });
    let subscription_id = '';
    for await (const message of feed) {
      if (message.type === 'hello') subscription_id = message.subscription_id;
      // A lost acknowledgement is made good by the next.
      else client.live.ack({ subscription_id, rev: message.rev }).catch(() => undefined);
      if (await options.onMessage(message)) return 'done';
    }
    return 'lost';
  } catch (error) {
    if (isLost(error)) return 'lost';
    throw error;
  }
}
