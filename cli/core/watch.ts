import { ProgressLines } from '../../core/host/progress/progress-lines.ts';
import type { FeedMessage } from '../../core/protocol/feed.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { AskPrompter } from './ask-prompter.ts';
import { toFailure } from './api-failure.ts';
import { follow } from './follow.ts';
import type { Interrupts } from './interrupts.ts';
import type { CoreLine } from './line.ts';
import { OwnFeed } from './own-feed.ts';

/** Work that was started and is waited for. */
export interface WatchOptions {
  readonly context: CommandContext;
  readonly line: CoreLine;
  readonly interrupts: Interrupts;
  /** This command, as others see it. */
  readonly name: string;
  readonly conversationId: string;
  /** What Ctrl-C stops. */
  readonly stopId: string;
  /** Whether the message shows that the work has ended. */
  isOver(message: FeedMessage): boolean;
}

/** How the waiting ended: by itself, by a first Ctrl-C that stopped the work, or by a second that killed it. */
export type WatchEnd = 'over' | 'stopped' | 'killed';

/**
 * Follows started work to its end and shows its progress. Ctrl-C once stops it and waits for the end, twice kills; a core
 * that goes meanwhile is replaced by the next.
 */
export async function watchToEnd(options: WatchOptions): Promise<WatchEnd> {
  const { context, line, name, interrupts } = options;
  const { terminal } = context;
  const lines = new ProgressLines();
  const feed = new OwnFeed(options.conversationId);
  const prompter = new AskPrompter(terminal, () => line.access.client, name);
  const killed = Promise.withResolvers<'killed'>();
  const stop = (): void => {
    prompter.close();
    if (interrupts.count > 1) return killed.resolve('killed');
    terminal.note('Stopping; Ctrl-C again kills.');
    line.access.client.runs.stop({ id: options.stopId }).catch((error: unknown) => {
      terminal.note(`espalier: it could not be stopped: ${reasonOf(error)}`);
    });
  };
  interrupts.each(stop);
  // Pressed while the work was handed over: now it is known what is to be stopped.
  if (interrupts.count > 0) stop();
  const followed = async (): Promise<'over'> => {
    for (;;) {
      const end = await follow({
        client: line.access.client,
        name,
        canAnswer: terminal.isInteractive,
        scopes: [{ type: 'app' }, { type: 'conversation', conversation_id: options.conversationId }],
        onMessage: (all) => {
          const storage = feed.storageLine(all);
          if (storage !== null) terminal.note(storage);
          const message = feed.own(all);
          if (message === null) return false;
          for (const text of lines.take(message)) terminal.note(text);
          if (terminal.isInteractive && interrupts.count === 0) prompter.take(message);
          return options.isOver(message);
        },
      });
      if (end === 'done') return 'over';
      await line.reopen();
    }
  };
  try {
    const end = await Promise.race([followed(), killed.promise]);
    return end === 'over' && interrupts.count > 0 ? 'stopped' : end;
  } finally {
    prompter.close();
    interrupts.close();
  }
}

function reasonOf(error: unknown): string {
  try {
    return toFailure(error).message;
  } catch {
    return 'the core cannot be reached';
  }
}

/** The status of work that was watched; `clean` says that everything completed without caveat. */
export function statusOf(end: WatchEnd, clean: boolean): ExitStatus {
  if (end !== 'over') return EXIT.interrupted;
  return clean ? EXIT.done : EXIT.refused;
}
