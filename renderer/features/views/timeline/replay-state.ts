import type { RunRow } from '../../../../core/protocol/rows.ts';
import { countMarks, markOf, MARKS, type Mark } from '../../../shared/status.ts';
import type { Life, Stretch } from './lives.ts';

function markOfStretch({ kind, reason }: Stretch): Mark {
  switch (kind) {
    case 'queued':
    case 'running':
    case 'waiting':
    case 'paused':
      return kind;
    case 'needs':
      return reason === 'question' ? 'question' : 'permission';
  }
}

/** The mark that a run had at a moment (epoch ms); null if it was not there yet. */
export function markAt(run: RunRow, life: Life | undefined, at: number): Mark | null {
  const stretches = life?.stretches ?? [];
  const first = stretches[0]?.from ?? run.queued_at;
  if (at < first) return null;
  if (life?.endedAt != null && at >= life.endedAt) return markOf(run);
  const now = stretches.findLast(({ from }) => from <= at);
  return now === undefined ? 'queued' : markOfStretch(now);
}

/** How many of these runs had each mark at a moment, in the fixed order of marks. */
export function countsAt(
  runs: Iterable<RunRow>,
  lives: ReadonlyMap<string, Life>,
  at: number,
): readonly (readonly [mark: Mark, count: number])[] {
  const marks: Mark[] = [];
  for (const run of runs) {
    const mark = run.lead || isReplacedAt(run, lives, at) ? null : markAt(run, lives.get(run.run_id), at);
    if (mark !== null) marks.push(mark);
  }
  const counts = countMarks(marks);
  return MARKS.flatMap((mark) => {
    const count = counts.get(mark);
    return count === undefined ? [] : [[mark, count] as const];
  });
}

/** How many tasks of a set had ended by a moment: a task that was tried again had not. */
export function endedBy(runs: Iterable<RunRow>, lives: ReadonlyMap<string, Life>, at: number): number {
  let ended = 0;
  for (const run of runs) {
    const end = lives.get(run.run_id)?.endedAt ?? null;
    if (end !== null && end <= at && !isReplacedAt(run, lives, at)) ended += 1;
  }
  return ended;
}

/** Whether a later run had its slot by then (C5). */
function isReplacedAt(run: RunRow, lives: ReadonlyMap<string, Life>, at: number): boolean {
  const next = run.retried_by ?? run.continued_by;
  const begun = next === null ? undefined : lives.get(next)?.stretches[0]?.from;
  return begun !== undefined && begun <= at;
}
