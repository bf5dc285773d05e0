import type { WorkNow } from '../../protocol/desktop.ts';

/** What quitting has to do with: runs with a worker go on without the app; nothing starts without a core. */
export interface QuitFacts extends Omit<WorkNow, 'names'> {
  /** There is a tray to stay in. */
  readonly hasTray: boolean;
}

export type QuitChoice = 'stay' | 'stop_all' | 'quit' | 'cancel';

/** The question at quitting (ui.md). `buttons` in their order; the first is the default one. */
export interface QuitQuestion {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly { readonly choice: QuitChoice; readonly label: string }[];
}

/** What is asked when the app is to quit; null when there is no work, and it just quits. */
export function quitQuestion({ atWork, queued, asks, hasTray }: QuitFacts): QuitQuestion | null {
  if (atWork + queued + asks === 0) return null;
  const detail = [
    atWork > 0
      ? `If you quit, ${runs(atWork)} at work ${go(atWork)} on and ${is(atWork)} picked up at the next start.`
      : null,
    queued > 0 ? `${runs(queued)} in the queue ${wait(queued)} until then.` : null,
    asks > 0 ? `${asks} open ${asks === 1 ? 'question waits' : 'questions wait'} until then.` : null,
  ];
  return {
    message: `${runs(atWork + queued)} ${is(atWork + queued)} not done yet.`,
    detail: detail.filter((line) => line !== null).join('\n'),
    buttons: [
      ...(hasTray ? [{ choice: 'stay' as const, label: 'Stay in the Tray' }] : []),
      { choice: 'quit', label: atWork > 0 ? 'Quit, Let Them Work' : 'Quit' },
      { choice: 'stop_all', label: 'Stop All and Quit' },
      { choice: 'cancel', label: 'Cancel' },
    ],
  };
}

const runs = (count: number): string => `${count} ${count === 1 ? 'run' : 'runs'}`;
const is = (count: number): string => (count === 1 ? 'is' : 'are');
const go = (count: number): string => (count === 1 ? 'goes' : 'go');
const wait = (count: number): string => (count === 1 ? 'waits' : 'wait');
