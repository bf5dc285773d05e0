import { closedGates, type Gate, type GatedRun } from '../protocol/pause.ts';
import type { Step } from './step.ts';

/** The closed gates that a run is within, or would be, the nearest first (R9). */
export function gatesAround({ tree, context }: Step, run: GatedRun): Gate[] {
  return closedGates(run, {
    app: context.paused,
    conversation: tree.conversation,
    set: (id) => tree.sets.get(id),
    run: (id) => tree.runs.get(id),
  });
}

/** A gate in words: `the pause of set 2`. */
export function gateWords({ tree }: Step, { type, id }: Gate): string {
  switch (type) {
    case 'app':
      return 'the pause of everything';
    case 'conversation':
      return 'the pause of its conversation';
    case 'set':
      return `the pause of set ${tree.sets.get(id ?? '')?.set ?? '?'}`;
    case 'run':
      return `the pause of ${tree.runs.get(id ?? '')?.tag || 'the lead'}`;
  }
}
