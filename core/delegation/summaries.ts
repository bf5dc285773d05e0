import { cutMiddle } from '../kit/cut-middle.ts';
import type { ResultEntry } from '../protocol/result-entry.ts';
import type { EndedTask } from './result-text.ts';
import type { Step } from './step.ts';

/** Share of what is left of the parent's context that the summaries of a set may fill (P5). */
const CONTEXT_SHARE = 0.5;

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

/** The summaries of a set as its parent reads them: together at most half of what is left of its context (P5). */
export function summariesFor(step: Step, tasks: readonly EndedTask[], contextChars: number | null): string[] {
  const texts = tasks.map(({ result }) => result.summary.trim());
  const total = contextChars === null ? Number.POSITIVE_INFINITY : Math.floor(contextChars * CONTEXT_SHARE);
  const lengths = texts.map(({ length }) => length);
  const shares = shareOut(lengths, total, step.context.limits.summaryChars);
  return tasks.map(({ row, result }, index) => {
    const text = texts[index] ?? '';
    const share = shares[index] ?? 0;
    if (text.length <= share) return text;
    return cut(text, share, result.summary_path ?? spill(step, row.project_id, row.run_id, result.summary));
  });
}

function spill(step: Step, projectId: string, run_id: string, text: string): string {
  const path = step.context.summaryPath(projectId, run_id);
  step.effect({ type: 'write_summary', run_id, path, text });
  return path;
}

function cut(text: string, limit: number, path: string): string {
  return cutMiddle(text, limit, (missing) => {
    return `[… ${missing.toLocaleString('en-US')} characters cut; the whole text is in ${path} …]`;
  }).text;
}
