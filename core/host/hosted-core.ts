import type { FeedHub } from './live/feed-hub.ts';
import type { CoreService } from './service.ts';

/** A core that runs in this process and holds the lock of its data folder (D2). */
export interface HostedCore {
  readonly service: CoreService;
  readonly hub: FeedHub;
  /** Changes with every start of the core. */
  readonly boot: string;
  /**
   * Commits everything and gives the data folder up. Workers at work go on alone and are adopted by the next core (D5),
   * unless `endAll` says to end them with their whole process trees first.
   */
  close(options?: { readonly endAll?: boolean }): Promise<void>;
}
