import { isEnded } from '../../core/protocol/lifecycle.ts';
import type { RunRow } from '../../core/protocol/rows.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Reading } from './cores.ts';

/** With no core up nobody looks after what is stored as at work: it may have ended long ago, which the next core finds out (B42). */
export function noteLeftAtWork(terminal: Terminal, { isStored }: Reading, runs: readonly RunRow[]): void {
  const isLeft = ({ state, reason }: RunRow): boolean =>
    !isEnded(state) && !(state === 'waiting' && (reason === 'user' || reason === 'paused'));
  if (!isStored || !runs.some(isLeft)) return;
  terminal.note('No core runs. What stands here as at work was so when the last one ended; the next takes it up.');
}
