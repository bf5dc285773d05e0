/** Whether anything gets slower or larger as it grows: runs of a conversation, conversations of a project, deltas (performance contract, sixth line). */
import { statSync } from 'node:fs';
import { EngineLab, type LabCore } from '../../core/testing/engine-lab.ts';
import { circumstances, writeResults } from '../measure/results.ts';
import { spreadOf, type Spread } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';
import { conversationRow, wholeSet } from './sets.ts';

const RUNS = Number(process.env['BENCH_RUNS'] ?? 10_000);
const CONVERSATIONS = Number(process.env['BENCH_CONVERSATIONS'] ?? 1000);
const DELTAS = Number(process.env['BENCH_DELTAS'] ?? 4_000_000);

/** Sets of ten that are measured at each size. */
const SAMPLES = 20;
const BAR = 1.3;

interface Point {
  readonly what: string;
  readonly size: number;
  /** Processor time of the thread for a set of ten, from dispatch to end, ms. */
  readonly cpu: Spread;
}

async function sample(core: LabCore, row: (n: number) => ReturnType<typeof conversationRow>): Promise<Spread> {
  const costs: number[] = [];
  for (let n = 0; n < SAMPLES; n += 1) {
    const before = process.threadCpuUsage();
    await wholeSet(core, row(n), 10);
    const used = process.threadCpuUsage(before);
    costs.push((used.user + used.system) / 1000);
  }
  return spreadOf(costs);
}

/** One conversation that gets more and more runs. */
async function growTree(): Promise<Point[]> {
  const lab = new EngineLab();
  try {
    const core = await lab.core();
    // Warm compilers: what grows is to be seen, not what starts.
    for (let n = 0; n < 30; n += 1) await wholeSet(core, conversationRow(core, 1), 10);
    const points: Point[] = [];
    let size = 0;
    for (const wanted of [10, RUNS / 10, RUNS]) {
      for (; size < wanted; size += 100) await wholeSet(core, conversationRow(core, 2), Math.min(100, wanted));
      points.push({
        what: 'runs of the conversation',
        size: wanted,
        cpu: await sample(core, () => conversationRow(core, 2)),
      });
      console.error(`${wanted} runs measured`);
    }
    return points;
  } finally {
    await lab.close();
  }
}

/** More and more conversations, each with a set. */
async function growProject(): Promise<Point[]> {
  const lab = new EngineLab();
  try {
    const core = await lab.core();
    for (let n = 0; n < 30; n += 1) await wholeSet(core, conversationRow(core, 1), 10);
    const points: Point[] = [];
    let next = 2;
    for (const wanted of [1, CONVERSATIONS]) {
      while (next < wanted) await wholeSet(core, conversationRow(core, (next += 1)), 1);
      points.push({
        what: 'conversations of the project',
        size: wanted,
        cpu: await sample(core, () => conversationRow(core, (next += 1))),
      });
      console.error(`${wanted} conversations measured`);
    }
    return points;
  } finally {
    await lab.close();
  }
}

interface DeltaPoint {
  readonly deltas: number;
  readonly heap_mb: number;
  readonly log_mb: number;
  readonly database_mb: number;
  readonly cpu_us: number;
}

/** Deltas as fast as they are taken, of ten runs; answers end as they do in life. */
async function growText(): Promise<DeltaPoint[]> {
  const lab = new EngineLab();
  try {
    const core = await lab.core();
    const runs: string[] = [];
    while (runs.length < 10) runs.push(await core.running());
    const points: DeltaPoint[] = [];
    const text = 'some words of what is written ';
    const STEPS = 8;
    const perAnswer = 500;
    let sent = 0;
    for (let step = 1; step <= STEPS; step += 1) {
      const before = process.threadCpuUsage();
      const from = sent;
      while (sent < (DELTAS * step) / STEPS) {
        for (const run of runs) {
          const entry = sent / 10 / perAnswer;
          const n = (sent / 10) % perAnswer;
          if (n === 0)
            core.tell(run, { type: 'entry', entry, at: 1, meta: { type: 'text', partial: false }, text: '' });
          const answer = Math.floor(entry);
          core.tell(run, { type: 'delta', entry: answer, offset: n * text.length, text });
          if (n === perAnswer - 1) core.tell(run, { type: 'entry_end', entry: answer, meta: null, text: null });
        }
        sent += 10;
        if (sent % 2000 !== 0) continue;
        await core.engine.settled();
        core.published.length = 0;
        core.acknowledged.length = 0;
      }
      await core.engine.settled();
      const used = process.threadCpuUsage(before);
      globalThis.gc?.();
      const size = (path: string): number => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20;
      points.push({
        deltas: sent,
        heap_mb: process.memoryUsage().heapUsed / 2 ** 20,
        log_mb: size(`${lab.path}-wal`),
        database_mb: size(lab.path),
        cpu_us: (used.user + used.system) / (sent - from),
      });
    }
    return points;
  } finally {
    await lab.close();
  }
}

const tree = await growTree();
const project = await growProject();
const text = await growText();
const about = circumstances();
const rows = [tree, project].flatMap((points) =>
  points.map(({ what, size, cpu }, at) => {
    const ratio = cpu.median / (points[0]?.cpu.median ?? 1);
    const last = at === points.length - 1;
    return [
      `${size} ${what}`,
      ...[cpu.min, cpu.median, cpu.max].map((ms) => ms.toFixed(1)),
      at === 0 ? '' : ratio.toFixed(2),
      last ? `≤ ${BAR} ×` : '',
      last ? (ratio <= BAR ? 'met' : 'missed') : '',
    ];
  }),
);
console.log(textTable(['processor time of a set of ten, ms', 'min', 'median', 'max', '× the first', 'bar', ''], rows));
console.log();
console.log(
  textTable(
    ['deltas so far', 'heap, MB', 'log, MB', 'database, MB', 'µs a delta'],
    text.map((point) => [
      String(point.deltas),
      ...[point.heap_mb, point.log_mb, point.database_mb, point.cpu_us].map((value) => value.toFixed(1)),
    ]),
  ),
);
console.log(`\n${about.commit}, ${about.at}, ${about.machine}, load ${about.load}`);
console.log(`written to ${writeResults('growth', { ...about, tree, project, text })}`);
