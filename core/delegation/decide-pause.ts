import { placeReason } from './decide-dispatch.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';

/** The app was paused or resumed: runs that could start say what holds them (R9, case 31). Their order stays. */
export function decidePause(step: Step): void {
  for (const run of step.tree.runs.values()) {
    if (run.state === 'queued' && run.reason !== 'dependency') moveRun(step, run.run_id, 'queued', placeReason(step));
  }
}
