import { ProgressLines } from '../../core/host/progress/progress-lines.ts';
import type { ApiClient } from '../../core/host/serve/local-connection.ts';
import type { FeedMessage, Scope } from '../../core/protocol/feed.ts';
import type { CommandContext } from '../command-context.ts';
import { EXIT, type ExitStatus } from '../exit-status.ts';
import { AskPrompter } from './ask-prompter.ts';
import { Denials } from './denials.ts';
import { follow } from './follow.ts';
import type { Interrupts } from './interrupts.ts';
import type { CoreLine } from './line.ts';
import { OwnFeed } from './own-feed.ts';
import { OwnWork } from './own-work.ts';
import { receiptLines } from './receipt-words.ts';
import { StorageLines } from './storage-waits.ts';
import { Stopping } from './stopping.ts';

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

/** How the waiting ended: by itself, by Ctrl-C that stopped the work, or by Ctrl-C that left it before its end. */
export type WatchEnd = 'over' | 'stopped' | 'left';

/**
 * Follows started work, with everything below it, to its end and shows its progress. Ctrl-C once stops it and waits for the end and the receipt, twice
 * kills; a core that goes meanwhile is replaced by the next.
 */
export async function watchToEnd(options: WatchOptions): Promise<WatchEnd> {
  const { context, line, name, interrupts, stopId } = options;
  const { terminal, clock } = context;
  const client = (): ApiClient => line.access.client;
  const lines = new ProgressLines();
  const feed = new OwnFeed(options.conversationId);
  const storageLines = new StorageLines();
  const work = new OwnWork(stopId);
  const denials = new Denials();
  const prompter = new AskPrompter(terminal, client, name);
  const stopping = new Stopping({ terminal, clock, interrupts, client, id: stopId });
  const press = (): void => {
    prompter.close();
    stopping.press();
  };
  interrupts.each(press);
  // Pressed while the work was handed over: now it is known what is to be stopped.
  if (interrupts.count > 0) press();
  let over = false;
  const take = (all: FeedMessage): boolean => {
    const storage = storageLines.take(all);
    if (storage !== null) terminal.note(storage);
    const message = feed.own(all);
    if (message === null) return false;
    for (const text of lines.take(message)) terminal.note(text);
    for (const text of denials.take(message)) terminal.note(text);
    if (terminal.isInteractive && interrupts.count === 0) prompter.take(message);
    work.take(message);
    over ||= options.isOver(message);
    return over && !work.isLive;
  };
  const followed = async (): Promise<'over'> => {
    const scopes: Scope[] = [{ type: 'app' }, { type: 'conversation', conversation_id: options.conversationId }];
    const followOptions = { name, canAnswer: terminal.isInteractive, scopes, onMessage: take };
    while ((await follow({ client: client(), ...followOptions })) === 'lost') {
      await line.reopen();
      stopping.ask();
    }
    return 'over';
  };
  try {
    const end = await Promise.race([followed(), stopping.left]);
    if (end === 'left' || interrupts.count === 0) return end;
    const receipt = await Promise.race([stopping.receipt, stopping.left]);
    if (receipt === 'left') return 'left';
    for (const text of receipt === null ? [] : receiptLines(receipt, false)) terminal.note(text);
    return 'stopped';
  } finally {
    prompter.close();
    interrupts.close();
  }
}

/** The status of work that was watched; `clean` says that everything completed without caveat. */
export function statusOf(end: WatchEnd, clean: boolean): ExitStatus {
  if (end !== 'over') return EXIT.interrupted;
  return clean ? EXIT.done : EXIT.refused;
}
