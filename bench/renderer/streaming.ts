import type { StandIn } from '../measure/stand-in.ts';
import { stamp } from './page-watch.ts';

/** An answer ends after so many deltas, as answers do, and the next one begins. */
const DELTAS_PER_ANSWER = 200;

/** Counters and activity come so often from a worker at work. */
const NEWS_MS = 1000;

const TICK_MS = 4;

/** What was sent. */
export interface Streamed {
  readonly deltas: number;
  /** ms by which the sender itself was late at most. */
  readonly late: number;
}

/** Numbers of stamps go on over all stretches. */
let firstNumber = 0;

/** All stand-ins write `perSecond` deltas each for `ms`, spread evenly over the time; each delta has a stamp. */
export async function stream(standIns: readonly StandIn[], perSecond: number, ms: number): Promise<Streamed> {
  const period = 1000 / perSecond;
  const began = performance.now();
  const sent = standIns.map(() => 0);
  const news = standIns.map((_, at) => (NEWS_MS * at) / standIns.length);
  const first = firstNumber;
  let late = 0;
  const tick = (): void => {
    const now = performance.now() - began;
    standIns.forEach((standIn, at) => {
      const phase = (period * at) / standIns.length;
      for (let next = sent[at] ?? 0; next * period + phase <= Math.min(now, ms); next += 1) {
        sent[at] = next + 1;
        late = Math.max(late, now - (next * period + phase));
        standIn.write(`${stamp(first + next)} of what is written `);
        if ((next + 1) % DELTAS_PER_ANSWER === 0) standIn.endAnswer();
      }
      if (now < (news[at] ?? 0)) return;
      news[at] = now + NEWS_MS;
      standIn.tell({ type: 'activity', text: `Writing part ${sent[at] ?? 0}` });
    });
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      tick();
      if (performance.now() - began < ms) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
  firstNumber += Math.max(...sent);
  return { deltas: sent.reduce((sum, each) => sum + each, 0), late };
}
