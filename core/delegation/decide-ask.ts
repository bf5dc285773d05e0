import { err, ok, type Result } from '../kit/result.ts';
import type { ApiError } from '../protocol/errors.ts';
import type { WorkerEvent } from '../protocol/frames.ts';
import { isSteerable, needsPerson } from '../protocol/lifecycle.ts';
import type { Asker, AskRow, ChainLink, RunRow } from '../protocol/rows.ts';
import { tellAnswer } from './ask-answers.ts';
import { taskName } from './lines/set-lines.ts';
import { askPlaceAgain, isPlaced, moveRun } from './move.ts';
import type { Step } from './step.ts';
import { asksOf, type ConversationTree } from './tree.ts';

/** How an ask is answered: a scope of consent, a refusal, or the text that answers a question (A2). */
export type AskChoice = 'once' | 'run' | 'set' | 'project' | 'deny' | 'text';

/** Characters of a run's name in an ask. */
const NAMED = 60;

/** The chain from the root to the run, as the inbox shows it. */
function chainOf(tree: ConversationTree, run: RunRow): ChainLink[] {
  const parent = run.parent_run_id === null ? undefined : tree.runs.get(run.parent_run_id);
  const above = parent === undefined ? [{ run_id: null, words: 'You' }] : chainOf(tree, parent);
  return [...above, { run_id: run.run_id, words: `${run.tag} ${taskName(run, NAMED)}`.trim() }];
}

const askerOf = (run: RunRow): Asker => ({
  agent: run.agent,
  name: taskName(run, NAMED),
  tag: run.tag,
  set: run.set,
  permission: run.permission,
});

/** Opens a permission or question of a run. The same key sent again is the same ask (D4); a run that is being stopped asks nobody. */
export function decideAsk(step: Step, run: RunRow, event: Extract<WorkerEvent, { type: 'ask' }>): void {
  if (!isSteerable(run.state) || asksOf(step.tree, run.run_id).some(({ key }) => key === event.key)) return;
  const { key, kind, title, tool, detail, diff } = event;
  const ask_id = step.context.newId('ask');
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
      asker: askerOf(run),
      opened_at: step.context.now,
      state: 'open',
      choice: null,
      note: null,
      answered_by: null,
    },
  });
  moveRun(step, run.run_id, 'waiting', kind);
  step.effect({ type: 'settle_ask', run_id: run.run_id, ask_id });
  if (kind === 'question') tellParent(step, run, title);
}

/** A question is put to the parent too, which may answer it (C1); it hears of it at its next safe boundary. */
function tellParent(step: Step, { run_id, parent_run_id, tag }: RunRow, title: string): void {
  if (parent_run_id === null) return;
  const text = `${tag} (${run_id}) asks: ${title} You can answer with {"action": "answer", "run_id": "${run_id}", "message": "…"}; people can too.`;
  step.effect({ type: 'send', run_id: parent_run_id, frame: { type: 'notice', text } });
}

/** The worker no longer needs the answer, because its run was stopped or the call was cut. */
export function decideAskClosed(step: Step, run: RunRow, key: string): void {
  const ask = asksOf(step.tree, run.run_id).find((other) => other.key === key && other.row.state === 'open');
  if (ask === undefined) return;
  const { ask_id } = ask.row;
  step.emit({ type: 'ask_settled', v: 1, ask_id, state: 'closed', choice: null, note: null, by: null });
}

/** Answers an ask, once: a second answer is told who was first (A2). */
export function decideAnswer(
  step: Step,
  askId: string,
  answer: { readonly choice: AskChoice; readonly note: string | null; readonly by: string },
): Result<AskRow, ApiError> {
  const ask = step.tree.asks.get(askId);
  if (ask === undefined) return err({ code: 'not_found', message: `There is no question or permission ${askId}.` });
  const problem = problemOf(ask.row, answer.choice);
  if (problem !== null) return err(problem);
  step.emit({ type: 'ask_settled', v: 1, ask_id: askId, state: 'answered', ...answer });
  const { row = ask.row } = step.tree.asks.get(askId) ?? {};
  tellAnswer(step, { key: ask.key, row });
  goOn(step, row.run_id);
  return ok(row);
}

function problemOf({ state, kind, answered_by }: AskRow, choice: AskChoice): ApiError | null {
  if (state !== 'open') {
    const who =
      answered_by === null ? 'is closed: nobody waits for the answer' : `was already answered by ${answered_by}`;
    return { code: 'already_answered', message: `This ${kind} ${who}.` };
  }
  if (choice === 'deny' || (choice === 'text') === (kind === 'question')) return null;
  const fix = kind === 'question' ? 'Answer it with text.' : 'Choose once, run, set, project or deny.';
  return { code: 'invalid_input', message: `That does not answer a ${kind}. ${fix}` };
}

/** With its last ask answered, a run no longer waits for a person; its worker says what it does next. */
function goOn(step: Step, runId: string): void {
  const run = step.tree.runs.get(runId);
  if (run === undefined || !needsPerson(run.state, run.reason)) return;
  if (asksOf(step.tree, runId).some(({ row }) => row.state === 'open')) return;
  if (isPlaced(run)) moveRun(step, runId, 'running');
  else askPlaceAgain(step, runId);
}
