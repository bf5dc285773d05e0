import type { CoreFigures, Tail } from '../measure/core-figures.ts';
import { spreadOf } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';
import type { PageCpu } from './page-watch.ts';

/** One stretch of streaming. */
export interface StreamRound {
  readonly core: CoreFigures;
  /** From the moment in which a delta was written to the worker's socket to the paint that shows it, ms. */
  readonly paint: Tail;
  /** To the arrival in the page, ms. */
  readonly arrival: Tail;
  /** Between animation frames, ms. */
  readonly frames: Tail;
  readonly long_frames: number;
  readonly frame_count: number;
  readonly long_tasks: number;
  /** Of one second, the page's main thread computed so long. */
  readonly page_cpu: PageCpu;
  readonly page_heap: number;
  /** Deltas of the open transcript that were painted, and how many were sent. */
  readonly shown: number;
  readonly first: number;
  readonly deltas: number;
  readonly late: number;
}

type Of = (round: StreamRound) => number;
interface Row {
  readonly name: string;
  readonly unit: string;
  readonly of: Of;
  readonly bar: number | null;
}

/** Bars of the performance contract, in ms. */
const BARS = { paint: 150, lag: 25, commit: 25 };

const ROWS: readonly Row[] = [
  { name: 'delta → paint, p50', unit: 'ms', of: ({ paint }) => paint.p50, bar: null },
  { name: 'delta → paint, p99', unit: 'ms', of: ({ paint }) => paint.p99, bar: BARS.paint },
  { name: 'delta → page, p50', unit: 'ms', of: ({ arrival }) => arrival.p50, bar: null },
  { name: 'delta → page, p99', unit: 'ms', of: ({ arrival }) => arrival.p99, bar: null },
  { name: 'frame, p99', unit: 'ms', of: ({ frames }) => frames.p99, bar: null },
  {
    name: 'frames over 50 ms, of all',
    unit: '%',
    of: (round) => (100 * round.long_frames) / round.frame_count,
    bar: null,
  },
  { name: 'core: loop lag, p99', unit: 'ms', of: ({ core }) => core.lag.p99, bar: BARS.lag },
  { name: 'core: transaction, p99', unit: 'ms', of: ({ core }) => core.transaction.p99, bar: BARS.commit },
  { name: 'core: transaction, p99, processor time', unit: 'ms', of: ({ core }) => core.transaction_cpu.p99, bar: null },
  { name: 'core: transactions a second', unit: '', of: ({ core }) => core.transactions / core.seconds, bar: null },
  {
    name: 'core: statements a delta',
    unit: '',
    of: ({ core, deltas }) => core.statements / Math.max(1, deltas),
    bar: null,
  },
  { name: 'core: processor', unit: '%', of: ({ core }) => (100 * core.cpu_seconds) / core.seconds, bar: null },
  { name: 'page: main thread', unit: '%', of: ({ page_cpu }) => 100 * page_cpu.all, bar: null },
  { name: 'page: of it script', unit: '%', of: ({ page_cpu }) => 100 * page_cpu.script, bar: null },
  { name: 'page: of it styles and layout', unit: '%', of: ({ page_cpu }) => 100 * page_cpu.layout, bar: null },
  { name: 'core: heap', unit: 'MB', of: ({ core }) => core.heap / 2 ** 20, bar: null },
  { name: 'page: heap', unit: 'MB', of: ({ page_heap }) => page_heap / 2 ** 20, bar: null },
  { name: 'deltas a second', unit: '', of: ({ deltas, core }) => deltas / core.seconds, bar: null },
  { name: 'sender itself late, at most', unit: 'ms', of: ({ late }) => late, bar: null },
];

/** The table, with what the same machine does at rest beside it. */
export function reportTable(rest: StreamRound, rounds: readonly StreamRound[], lost: number): string {
  const shape = (value: number): string => (Number.isFinite(value) ? value.toFixed(value < 100 ? 1 : 0) : '');
  const rows = ROWS.map(({ name, unit, of, bar }) => {
    const value = spreadOf(rounds.map(of));
    const met = bar === null ? '' : value.median <= bar ? 'met' : 'missed';
    return [
      name,
      unit,
      shape(of(rest)),
      ...[value.min, value.median, value.max].map(shape),
      bar === null ? '' : `≤ ${bar} ${unit}`,
      met,
    ];
  });
  const unseen = rounds.reduce((sum, { first, shown }) => sum + Math.max(0, first - shown), 0);
  rows.push(['entries lost or changed', '', '', '', String(lost), '', '0', lost === 0 ? 'met' : 'missed']);
  rows.push([
    'deltas of the open transcript never painted',
    '',
    '',
    '',
    String(unseen),
    '',
    '0',
    unseen === 0 ? 'met' : 'missed',
  ]);
  return textTable(['', 'unit', 'at rest', 'min', 'median', 'max', 'bar', ''], rows);
}
