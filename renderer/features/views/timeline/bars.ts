import type { RunRow } from '../../../../core/protocol/rows.ts';
import { formatDuration, formatTime } from '../../../shared/format.ts';
import { MARK_FACTS, markOf, type Mark } from '../../../shared/status.ts';
import { viewStrings } from '../../../shared/view-strings.ts';
import { lifeAt, type Life, type Stretch, type StretchKind } from './lives.ts';
import { markAt } from './replay-state.ts';
import type { TimeScale } from './time-scale.ts';

/** How a bar is drawn: work by what became of it, waits by what they are for. */
export type BarLook =
  'running' | 'completed' | 'caveat' | 'failed' | 'stopped' | 'waiting' | 'needs' | 'paused' | 'queued';

export interface Bar {
  readonly x: number;
  readonly width: number;
  readonly look: BarLook;
  /** The work goes on at its right end. */
  readonly edge: boolean;
  /** The last work of a run that failed: carries the cross. */
  readonly cross: boolean;
}

/** Narrower than this nothing is seen. */
const LEAST_PX = 2;

function lookOf(kind: StretchKind, mark: Mark | null): BarLook {
  if (kind !== 'running') return kind;
  if (mark === null) return 'running';
  if (MARK_FACTS[mark].broken) return 'failed';
  return mark === 'completed' || mark === 'caveat' || mark === 'stopped' ? mark : 'running';
}

/** The bars of a run, at a moment (`at`) or as they are at `now`. */
export function barsOf(run: RunRow, life: Life, scale: TimeScale, now: number, at: number | null): readonly Bar[] {
  const seen = at === null ? life : lifeAt(life, at);
  const end = at ?? now;
  const mark = at === null ? markOf(run) : markAt(run, life, at);
  const lastWork = seen.stretches.findLastIndex(({ kind }) => kind === 'running');
  return seen.stretches.map(({ kind, from, to }, place): Bar => {
    const x = scale.x(from);
    const look = lookOf(kind, mark);
    return {
      x,
      width: Math.max(LEAST_PX, scale.x(to ?? end) - x),
      look,
      edge: look === 'running' && to === null && seen.endedAt === null,
      cross: look === 'failed' && place === lastWork,
    };
  });
}

const { doing, done, stretch: stretchWords, started: startedWords } = viewStrings.timeline;

/** The reason that is worth saying beside the word of a stretch. */
function reasonOf({ kind, reason }: Stretch): string | null {
  return kind === 'running' || kind === 'paused' || reason === null ? null : reason.replaceAll('_', ' ');
}

/** A life in words: `queued 19m (dependency), running 22m, started set 2 at 14:17`; of one that has ended `ran 22m`. */
export function lifeWords(
  life: Life,
  now: number,
  made: readonly { readonly set: number; readonly at: number }[],
): string {
  const sums = new Map<string, { readonly kind: StretchKind; readonly reason: string | null; ms: number }>();
  for (const stretch of life.stretches) {
    const reason = reasonOf(stretch);
    const key = `${stretch.kind} ${reason ?? ''}`;
    const sum = sums.get(key) ?? { kind: stretch.kind, reason, ms: 0 };
    sum.ms += (stretch.to ?? now) - stretch.from;
    sums.set(key, sum);
  }
  const all = [...sums.values()];
  // A blink in a queue is not worth a word, unless there is nothing else.
  const told = all.some(({ ms }) => ms >= 1000) ? all.filter(({ ms }) => ms >= 1000) : all.slice(-1);
  const verbs = life.endedAt === null ? doing : done;
  const parts = told.map(({ kind, reason, ms }) => stretchWords(verbs[kind], formatDuration(ms / 1000), reason));
  return [...parts, ...made.map(({ set, at }) => startedWords(set, formatTime(at)))].join(', ');
}
