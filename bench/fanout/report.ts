import { spreadOf, type Spread } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';
import type { Round } from './round.ts';

/** The bars of the performance contract: times an empty worker, and megabytes. */
const BARS = { wall: 6, cpu: 6, memory: 3, coreIdleMb: 120 };

/** One line of the report. */
export interface Line {
  readonly name: string;
  readonly unit: 'ms' | 'MB';
  readonly value: Spread;
  /** Times an empty worker of the same round; null for what has no such baseline. */
  readonly ratio: Spread | null;
  /** What the median has to keep to: of the ratio, or of the value when there is none; null where nothing is asked. */
  readonly bar: number | null;
  readonly met: boolean | null;
}

type Of = (round: Round) => number;

/** All lines over all rounds. */
export function reportLines(rounds: readonly Round[]): Line[] {
  const line = (name: string, unit: Line['unit'], of: Of, base: Of | null, bar: number | null): Line => {
    const value = spreadOf(rounds.map(of));
    const ratio = base === null ? null : spreadOf(rounds.map((round) => of(round) / base(round)));
    return { name, unit, value, ratio, bar, met: bar === null ? null : (ratio ?? value).median <= bar };
  };
  const emptyWall: Of = ({ empty }) => empty.wallMs;
  const emptyCpu: Of = ({ empty }) => empty.cpuSeconds * 1000;
  const emptyMemory: Of = ({ empty }) => mb(empty.memory);
  const dispatches = [
    ['10-way, first dispatch', ({ first10 }: Round) => first10],
    ['10-way, second dispatch', ({ second10 }: Round) => second10],
    ['100-way, 10 at once', ({ hundred }: Round) => hundred],
  ] as const;
  return [
    line('empty worker: wall', 'ms', emptyWall, null, null),
    line('empty worker: CPU', 'ms', emptyCpu, null, null),
    line('empty worker: memory', 'MB', emptyMemory, null, null),
    ...dispatches.flatMap(([name, of]) => [
      line(`${name}: wall`, 'ms', (round) => of(round).wallMs, emptyWall, BARS.wall),
      line(`${name}: CPU`, 'ms', (round) => of(round).cpuSeconds * 1000, emptyCpu, BARS.cpu),
      line(`${name}: CPU of the core in it`, 'ms', (round) => of(round).coreCpuSeconds * 1000, emptyCpu, null),
    ]),
    line('worker at work: memory', 'MB', (round) => mb(round.workerMemory), emptyMemory, BARS.memory),
    line('idle worker of the pool: memory', 'MB', (round) => mb(round.warmMemory), emptyMemory, null),
    line('core, idle: memory', 'MB', (round) => mb(round.coreIdleMemory), null, BARS.coreIdleMb),
    line('core, 10 at work after 120 runs: memory', 'MB', (round) => mb(round.coreBusyMemory), null, null),
  ];
}

/** The lines as a table. */
export function reportTable(lines: readonly Line[]): string {
  const head = ['per child', 'unit', 'min', 'median', 'max', '× empty (min)', '(median)', '(max)', 'bar', ''];
  const rows = lines.map(({ name, unit, value, ratio, bar, met }) => [
    name,
    unit,
    ...[value.min, value.median, value.max].map((each) => each.toFixed(each < 100 ? 1 : 0)),
    ...(ratio === null ? ['', '', ''] : [ratio.min, ratio.median, ratio.max].map((each) => each.toFixed(2))),
    bar === null ? '' : ratio === null ? `≤ ${bar} ${unit}` : `≤ ${bar} ×`,
    met === null ? '' : met ? 'met' : 'missed',
  ]);
  return textTable(head, rows);
}

function mb(bytes: number): number {
  return bytes / 2 ** 20;
}
