import type { CoreFrame } from '../protocol/frames.ts';
import { isOutside } from '../protocol/rows.ts';
import { isPlaced } from './move.ts';
import type { Step } from './step.ts';
import { asksOf, type AskRecord } from './tree.ts';

/**
 * Tells a run the answer to its ask. One that has given its place back, for children of other calls, hears it with its place: what is allowed is work
 * (R1). The ask is settled all the same, at once (A2, C1).
 */
export function tellAnswer(step: Step, ask: AskRecord): void {
  const run = step.tree.runs.get(ask.row.run_id);
  if (run !== undefined && !isOutside(run) && !isPlaced(run)) {
    step.tree.memory.unheard.add(ask.row.ask_id);
    return;
  }
  step.tree.memory.unheard.delete(ask.row.ask_id);
  step.effect({ type: 'send', run_id: ask.row.run_id, frame: answerFrame(ask) });
}

/** The run has its place back: tells it what was answered meanwhile. Answers how many there were. */
export function sendHeldAnswers(step: Step, runId: string): number {
  const held = asksOf(step.tree, runId).filter(({ row }) => step.tree.memory.unheard.has(row.ask_id));
  for (const ask of held) tellAnswer(step, ask);
  return held.length;
}

/** Answers again the asks that a worker, back after a cut, still waits for (D4). */
export function resendAnswers(step: Step, runId: string, openAsks: readonly string[]): void {
  for (const ask of asksOf(step.tree, runId)) {
    if (ask.row.state === 'answered' && openAsks.includes(ask.key)) tellAnswer(step, ask);
  }
}

function answerFrame({ key, row: { choice, note } }: AskRecord): CoreFrame {
  const isScope = choice === 'run' || choice === 'set' || choice === 'project';
  const given = choice === 'deny' || choice === 'text' ? choice : 'allow';
  return { type: 'answer', key, choice: given, remember: isScope, note };
}
