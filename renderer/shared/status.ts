import type { RunState, WaitReason } from '../../core/protocol/lifecycle.ts';
import type { Outcome } from '../../core/protocol/outcome.ts';
import type { RunRow } from '../../core/protocol/rows.ts';

/** The mark of a run: one per glyph, tile and bar segment of the status set. */
export const MARKS = [
  'completed',
  'caveat',
  'failed',
  'timed_out',
  'lost',
  'stopped',
  'running',
  'permission',
  'question',
  'waiting',
  'paused',
  'queued',
] as const;
export type Mark = (typeof MARKS)[number];

const MARK_OF_STATE = {
  queued: 'queued',
  starting: 'running',
  running: 'running',
  waiting: 'waiting',
  stopping: 'running',
  ended: 'lost',
} as const satisfies Record<RunState, Mark>;

const MARK_OF_REASON: Partial<Record<WaitReason, Mark>> = {
  permission: 'permission',
  question: 'question',
  paused: 'paused',
};

const MARK_OF_OUTCOME = {
  completed: 'completed',
  failed: 'failed',
  stopped: 'stopped',
  timed_out: 'timed_out',
  lost: 'lost',
} as const satisfies Record<Outcome, Mark>;

const lookUp = (table: Readonly<Record<string, Mark | undefined>>, word: string | null): Mark | undefined =>
  word !== null && Object.hasOwn(table, word) ? table[word] : undefined;

/** The mark of a run; a word of a newer build falls back to what is known beside it (T7). */
export function markOf(run: Pick<RunRow, 'state' | 'reason' | 'outcome' | 'caveats'>): Mark {
  const verdict = lookUp(MARK_OF_OUTCOME, run.outcome);
  if (verdict !== undefined) return verdict === 'completed' && run.caveats.length > 0 ? 'caveat' : verdict;
  const state = lookUp(MARK_OF_STATE, run.state) ?? 'waiting';
  return lookUp(MARK_OF_REASON, run.reason) ?? state;
}

interface MarkFacts {
  /** Failed, timed out or lost: red, filled, grows a failure line. */
  readonly broken: boolean;
  /** Waits for a person. */
  readonly needsYou: boolean;
  /** Neither ended nor waiting for its turn. */
  readonly active: boolean;
  /** Ended and calm: recedes. */
  readonly done: boolean;
}

const facts = (word: keyof MarkFacts | null): MarkFacts => ({
  broken: word === 'broken',
  needsYou: word === 'needsYou',
  active: word === 'active' || word === 'needsYou',
  done: word === 'done',
});

/** What each mark means for how a row looks. */
export const MARK_FACTS: Readonly<Record<Mark, MarkFacts>> = {
  completed: facts('done'),
  caveat: facts(null),
  failed: facts('broken'),
  timed_out: facts('broken'),
  lost: facts('broken'),
  stopped: facts('done'),
  running: facts('active'),
  permission: facts('needsYou'),
  question: facts('needsYou'),
  waiting: facts('active'),
  paused: facts('active'),
  queued: facts(null),
};

/** How many runs carry each mark; marks without a run are left out. */
export function countMarks(marks: Iterable<Mark>): ReadonlyMap<Mark, number> {
  const counts = new Map<Mark, number>();
  for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  return counts;
}
