import { cutMiddle } from '../kit/cut-middle.ts';
import type { ResultEntry } from '../protocol/result-entry.ts';
import type { EndedTask, Told } from './result-text.ts';
import type { Step } from './step.ts';

/** Share of what is left of the parent's context that the summaries of a set may fill (P5). */
const CONTEXT_SHARE = 0.5;
/** Characters, a hundred thousand tokens. */
const UNKNOWN_CONTEXT = 400_000;

/**
 * Shares `total` out over texts of these lengths, none of which gets more than `each`: a short one gets what it needs, and the long ones share
 * what is left alike.
 */
export function shareOut(lengths: readonly number[], total: number, each: number): number[] {
  const order = lengths.map((_, index) => index).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
  const shares = lengths.map(() => 0);
  let left = Math.max(0, total);
  order.forEach((index, at) => {
    const fair = Math.floor(left / (order.length - at));
    const share = Math.min(lengths[index] ?? 0, each, fair);
    shares[index] = share;
    left -= share;
  });
  return shares;
}

/** A summary that is longer than the limit is kept head and tail, with the path of the whole text, which is written there (P5, T6). */
export function boundSummary(step: Step, projectId: string, entry: ResultEntry): ResultEntry {
  const { summary, run_id } = entry;
  if (summary.length <= step.context.limits.summaryChars) return entry;
  const path = spill(step, projectId, run_id, summary);
  const text = cut(summary, step.context.limits.summaryChars, path);
  return { ...entry, summary: text, summary_truncated: true, summary_path: path };
}

/**
 * The results of a set as its parent reads them: together at most half of what is left of its context (P5). One that does not say how much that is (an
 * agent outside of us) gets what every model of today can read.
 */
export function toldOf(step: Step, tasks: readonly EndedTask[], contextChars: number | null): Told[] {
  const whole = tasks.map(({ result: { summary, output } }) => ({
    summary: summary.trim(),
    output: output === undefined ? null : JSON.stringify(output),
  }));
  const lengths = whole.flatMap(({ summary, output }) => [summary.length, output?.length ?? 0]);
  const total = Math.floor((contextChars ?? UNKNOWN_CONTEXT) * CONTEXT_SHARE);
  const shares = shareOut(lengths, total, step.context.limits.summaryChars);
  return tasks.map(({ row, result }, index) => {
    const { summary, output } = whole[index] ?? { summary: '', output: null };
    const path = (): string => result.summary_path ?? spill(step, row.project_id, row.run_id, result.summary);
    const outputPath = (): string => spill(step, row.project_id, `${row.run_id}-output`, output ?? '');
    return {
      summary: bounded(summary, shares[2 * index] ?? 0, path),
      output: output === null ? null : bounded(output, shares[2 * index + 1] ?? 0, outputPath),
    };
  });
}

function bounded(text: string, share: number, path: () => string): string {
  return text.length <= share ? text : cut(text, share, path());
}

/** `name`: that of the run, or one that begins with it. */
function spill(step: Step, projectId: string, name: string, text: string): string {
  const path = step.context.summaryPath(projectId, name);
  step.effect({ type: 'write_summary', run_id: name.replace(/-output$/, ''), path, text });
  return path;
}

function cut(text: string, limit: number, path: string): string {
  return cutMiddle(text, limit, (missing) => {
    return `[… ${missing.toLocaleString('en-US')} characters cut; the whole text is in ${path} …]`;
  }).text;
}
