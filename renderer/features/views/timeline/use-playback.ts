import { useEffect, useEffectEvent } from 'react';
import { showMoment, useReplay } from '../../../app/replay.ts';
import type { TimeScale } from './time-scale.ts';

/** So often a replay moves on: smooth enough, and a drawing each time. */
const STEP_MS = 50;

/** Moves the shown moment on while the replay plays, over folded gaps at once; at the end it shows what is now. */
export function usePlayback(scale: TimeScale): void {
  const playing = useReplay((state) => state.playing);
  const step = useEffectEvent((passed: number) => {
    const { at, speed } = useReplay.getState();
    const work = scale.workAt(at ?? scale.from) + passed * speed;
    if (work >= scale.work) showMoment(null);
    else useReplay.setState({ at: scale.timeOfWork(work) });
  });
  useEffect(() => {
    if (!playing) return;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      step(now - last);
      last = now;
    }, STEP_MS);
    return () => {
      clearInterval(timer);
    };
  }, [playing]);
}
