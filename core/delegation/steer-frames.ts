import type { RunRow } from '../protocol/rows.ts';
import type { Step } from './step.ts';
import { openSteers } from './tree.ts';

/** Sends the steering messages that a worker may not know of yet. What a lead is to hear after its answer comes as its next message. */
export function sendSteers(step: Step, run: RunRow): void {
  for (const { steer_id, mode, text } of openSteers(step.tree, run.run_id)) {
    if (run.lead && mode === 'follow_up') continue;
    step.effect({ type: 'send', run_id: run.run_id, frame: { type: 'steer', steer_id, mode, text } });
  }
}
