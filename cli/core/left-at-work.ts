import type { Clock } from '../../core/kit/clock.ts';
import { isEnded } from '../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../core/protocol/rows.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Reading } from './cores.ts';

/** The moment to which times of runs are told, epoch ms: now, or without a core, when nobody knows how long they went on, before all of them. */
export function momentOf({ isStored }: Reading, clock: Pick<Clock, 'now'>): number {
  return isStored ? 0 : clock.now();
}

/** With no core up nobody looks after what is stored as at work: it may have ended long ago, which the next core finds out (B42). */
export function noteLeftAtWork(terminal: Terminal, { isStored }: Reading, runs: readonly RunRow[]): void {
  const isLeft = ({ state, reason }: RunRow): boolean =>
    !isEnded(state) && !(state === 'waiting' && (reason === 'user' || reason === 'paused'));
  if (!isStored || !runs.some(isLeft)) return;
  terminal.note('No core runs. What stands here as at work was so when the last one ended; the next takes it up.');
}
