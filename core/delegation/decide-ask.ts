import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from '../protocol/errors.ts';
import type { WorkerEvent } from '../protocol/frames.ts';
import { isEnded } from '../protocol/lifecycle.ts';
import type { AskRow, ChainLink, RunRow } from '../protocol/rows.ts';
import { taskName } from './lines/set-lines.ts';
import { moveRun } from './move.ts';
import type { Step } from './step.ts';
import type { ConversationTree } from './tree.ts';

/** How an ask is answered: a scope of consent, a refusal, or the text that answers a question (A2). */
export type AskChoice = 'once' | 'run' | 'set' | 'project' | 'deny' | 'text';

/** The chain from the root to the run, as the inbox shows it. */
export function chainOf(tree: ConversationTree, run: RunRow): ChainLink[] {
  const parent = run.parent_run_id === null ? undefined : tree.runs.get(run.parent_run_id);
  const above = parent === undefined ? [{ run_id: null, words: 'You' }] : chainOf(tree, parent);
  return [...above, { run_id: run.run_id, words: `${run.tag} ${taskName(run, 60)}`.trim() }];
}

/** Opens a permission or question of a run. The same key sent again is the same ask (D4). */
export function decideAsk(step: Step, run: RunRow, event: Extract<WorkerEvent, { type: 'ask' }>): void {
  const known = [...step.tree.asks.values()].some(({ key, row }) => row.run_id === run.run_id && key === event.key);
  if (known) return;
  const { key, kind, title, tool, detail, diff } = event;
  const ask_id = step.context.newId('ask', 12);
  step.emit({
    type: 'ask_opened',
    v: 1,
    key,
    row: {
      ask_id,
      run_id: run.run_id,
      conversation_id: run.conversation_id,
      project_id: run.project_id,
      kind,
      title,
      tool,
      detail,
      diff,
      chain: chainOf(step.tree, run),
      opened_at: step.context.now,
      state: 'open',
      choice: null,
      note: null,
      answered_by: null,
    },
  });
  moveRun(step, run.run_id, 'waiting', kind);
  step.effect({ type: 'settle_ask', run_id: run.run_id, ask_id });
}

/** The worker no longer needs the answer, because its run was stopped or the call was cut. */
export function decideAskClosed(step: Step, run: RunRow, key: string): void {
  for (const ask of step.tree.asks.values()) {
    if (ask.row.run_id !== run.run_id || ask.key !== key || ask.row.state !== 'open') continue;
    step.emit({
      type: 'ask_settled',
      v: 1,
      ask_id: ask.row.ask_id,
      state: 'closed',
      choice: null,
      note: null,
      by: null,
    });
  }
}

/** Answers an ask, once: a second answer is told who was first (A2). */
export function decideAnswer(
  step: Step,
  askId: string,
  answer: { readonly choice: AskChoice; readonly note: string | null; readonly by: string },
): Result<AskRow, ApiError> {
  const ask = step.tree.asks.get(askId);
  if (ask === undefined) return err({ code: 'not_found', message: `There is no question or permission ${askId}.` });
  if (ask.row.state !== 'open') {
    const who =
      ask.row.answered_by === null ? 'is closed: its run has ended' : `was already answered by ${ask.row.answered_by}`;
    return err({ code: 'already_answered', message: `This ${ask.row.kind} ${who}.` });
  }
  if ((answer.choice === 'text') !== (ask.row.kind === 'question') && answer.choice !== 'deny') {
    const fix = ask.row.kind === 'question' ? 'Answer it with text.' : 'Choose once, run, set, project or deny.';
    return err({ code: 'invalid_input', message: `That does not answer a ${ask.row.kind}. ${fix}` });
  }
  const { choice, note, by } = answer;
  step.emit({ type: 'ask_settled', v: 1, ask_id: askId, state: 'answered', choice, note, by });
  const run = step.tree.runs.get(ask.row.run_id);
  if (run !== undefined && !isEnded(run.state)) {
    step.effect({
      type: 'send',
      run_id: run.run_id,
      frame: {
        type: 'answer',
        key: ask.key,
        choice: choice === 'deny' || choice === 'text' ? choice : 'allow',
        remember: choice === 'run' || choice === 'set' || choice === 'project',
        note,
      },
    });
  }
  return ok(step.tree.asks.get(askId)?.row ?? ask.row);
}
