import { slotRuns, type ConversationTree } from '../../delegation/tree.ts';
import { err, ok, type Result } from '../../kit/result.ts';
import type { BatchInput } from '../../protocol/batch.ts';
import type { ApiError } from '../../protocol/errors.ts';
import { isEnded } from '../../protocol/lifecycle.ts';
import type { RunRow } from '../../protocol/rows.ts';
import type { Core } from './core.ts';
import { changesOf } from './run-changes.ts';

/** A review reads; what it may say and see has a bound, so that a large set still fits into a model's window. */
const MAX_TEXT = 24_000;
const MAX_DIFFS = 160_000;

/**
 * The batch of a review (ui.md, *Review*): one task for another agent, with what each run was asked, what it said last and what it changed
 * as context. Nothing is started. `id` is a run or a set; every run of it must have ended.
 */
export async function reviewOf(core: Core, tree: ConversationTree, id: string): Promise<Result<BatchInput, ApiError>> {
  const run = tree.runs.get(id);
  const runs = run === undefined ? slotRuns(tree, id) : [run];
  if (runs.length === 0) return err({ code: 'not_found', message: `There is no run or set ${id} to review.` });
  if (runs.some(({ state }) => !isEnded(state))) {
    return err({ code: 'not_allowed', message: 'Runs of it are still at work. Review it when they have ended.' });
  }
  const each = Math.floor(MAX_DIFFS / runs.length);
  const parts = await Promise.all(runs.map((one) => partOf(core, tree, one, each)));
  return ok(reviewBatch(wordsOf(tree, id, run), parts));
}

interface ReviewWords {
  readonly title: string;
  readonly label: string;
  readonly what: string;
}

function wordsOf(tree: ConversationTree, id: string, run: RunRow | undefined): ReviewWords {
  if (run !== undefined) {
    const name = run.label ?? run.goal.slice(0, 60);
    return { title: `Review of ${name}`, label: `Review ${run.tag}`.trim(), what: 'the work of one run' };
  }
  const set = `set ${tree.sets.get(id)?.set ?? ''}`.trim();
  return { title: `Review of ${set}`, label: `Review ${set}`, what: `the work of ${set}` };
}

function reviewBatch({ title, label, what }: ReviewWords, parts: readonly string[]): BatchInput {
  const goal = [
    `Review ${what}. The context has what was asked, what was answered, and the diff.`,
    'Read the changed files where the diff is not enough. Say what is wrong, risky or missing, with file and line, the worst first;',
    'say what you checked and found right; end with a verdict: accept, accept with changes, or reject. Change nothing.',
  ];
  return { title, tasks: [{ goal: goal.join(' '), label, context: parts.join('\n\n') }] };
}

async function partOf(core: Core, tree: ConversationTree, run: RunRow, maxDiff: number): Promise<string> {
  const result = tree.facts.get(run.run_id)?.result;
  const changes = await changesOf(core, run.run_id);
  const patch = changes.ok ? changes.value.patch : `The changes could not be read: ${changes.error.message}`;
  const where = run.worktree === null ? '' : `\nIt worked in ${run.worktree.path} (branch ${run.worktree.branch}).`;
  return [
    `# ${run.tag} ${run.label ?? ''}`.trim(),
    `Asked: ${cut(run.goal, MAX_TEXT)}${where}`,
    `Ended: ${run.words}${run.error === null ? '' : ` (${cut(run.error, 2_000)})`}`,
    `Answered: ${cut(result?.summary ?? run.summary ?? '', MAX_TEXT)}`,
    patch === '' ? 'Changed: nothing.' : `Changed:\n${cut(patch, maxDiff)}`,
  ].join('\n\n');
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}\n… (${text.length - most} characters more)`;
}
