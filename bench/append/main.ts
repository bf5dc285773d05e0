/** What the writer registry costs on top of SQLite: the same rows of the same schema, through it and through bare better-sqlite3 (performance contract, fourth line). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { circumstances, writeResults } from '../measure/results.ts';
import { spreadOf, type Spread } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';
import { KINDS, type Kind } from './kinds.ts';
import { RawSide, RegistrySide, type Side } from './sides.ts';
import { ThreadSide } from './thread-side.ts';

/** Both sides take turns, in stretches so short that what else the machine does meets both alike. */
const STRETCHES = Number(process.env['BENCH_STRETCHES'] ?? 40);
const TRANSACTIONS = 25;

/** The contract: of the speed of bare SQLite. */
const BAR = 0.6;

interface Line {
  readonly kind: string;
  readonly rows_per_second: Spread;
  /** Speed against bare SQLite: by the clock, and by processor time of the thread. */
  readonly wall: Spread;
  readonly cpu: Spread;
}

/** A transaction in the loop, and by a thread of its own, µs: what the loop's thread works for it, and until it is committed. */
interface ThreadLine {
  readonly kind: string;
  readonly loop: { readonly registry: Spread; readonly thread: Spread };
  readonly committed: { readonly registry: Spread; readonly thread: Spread };
}

interface Stretch {
  readonly wall: number;
  readonly cpu: number;
}

interface Pair {
  readonly other: Stretch;
  readonly registry: Stretch;
}

async function stretch(side: Side, kind: Kind, from: number): Promise<Stretch> {
  const [began, cpu] = [performance.now(), process.threadCpuUsage()];
  for (let n = 0; n < TRANSACTIONS; n += 1) await side.append(kind, from + n);
  const used = process.threadCpuUsage(cpu);
  return { wall: performance.now() - began, cpu: (used.user + used.system) / 1000 };
}

async function pairsOf(kind: Kind, other: Side, registry: Side): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let n = 0; n < STRETCHES + 2; n += 1) {
    const from = (rounds += 1) * TRANSACTIONS;
    // Who goes first changes, so that neither always has the warm caches.
    const first = n % 2 === 0 ? other : registry;
    const second = first === other ? registry : other;
    const [a, b] = [await stretch(first, kind, from), await stretch(second, kind, from)];
    // The first ones compile.
    if (n >= 2) pairs.push(first === other ? { other: a, registry: b } : { other: b, registry: a });
  }
  return pairs;
}

async function measure(kind: Kind, raw: Side, registry: Side): Promise<Line> {
  const pairs = await pairsOf(kind, raw, registry);
  return {
    kind: kind.name,
    rows_per_second: spreadOf(pairs.map((pair) => (kind.rows * TRANSACTIONS * 1000) / pair.registry.wall)),
    wall: spreadOf(pairs.map((pair) => pair.other.wall / pair.registry.wall)),
    cpu: spreadOf(pairs.map((pair) => pair.other.cpu / pair.registry.cpu)),
  };
}

async function measureThread(kind: Kind, thread: Side, registry: Side): Promise<ThreadLine> {
  const pairs = await pairsOf(kind, thread, registry);
  const each = (of: (pair: Pair) => number): Spread => spreadOf(pairs.map((pair) => (of(pair) * 1000) / TRANSACTIONS));
  return {
    kind: kind.name,
    loop: { registry: each(({ registry: side }) => side.cpu), thread: each(({ other }) => other.cpu) },
    committed: { registry: each(({ registry: side }) => side.wall), thread: each(({ other }) => other.wall) },
  };
}

/** Numbers of transactions are never used twice: they are keys of rows. */
let rounds = 0;
const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-append-'));
const raw = new RawSide(join(folder, 'raw.db'));
const registry = await RegistrySide.open(join(folder, 'registry.db'));
const thread = await ThreadSide.open(join(folder, 'thread.db'));
try {
  const lines: Line[] = [];
  for (const kind of KINDS) lines.push(await measure(kind, raw, registry));
  const threads: ThreadLine[] = [];
  for (const kind of KINDS) threads.push(await measureThread(kind, thread, registry));
  const percent = (value: number): string => (value * 100).toFixed(0);
  const rows = lines.map(({ kind, rows_per_second, wall, cpu }) => [
    kind,
    rows_per_second.median.toFixed(0),
    ...[wall.min, wall.median, wall.max, cpu.median].map(percent),
    `≥ ${percent(BAR)} %`,
    wall.median >= BAR ? 'met' : 'missed',
  ]);
  const besides = threads.map(({ kind, loop, committed }) => [
    kind,
    ...[loop.registry, loop.thread, committed.registry, committed.thread].map(({ median }) => median.toFixed(0)),
  ]);
  const about = circumstances();
  const head = ['one transaction', 'rows/s', '% of bare (min)', '(median)', '(max)', 'by processor time', 'bar', ''];
  const threadHead = [
    'one transaction, µs (median)',
    'loop: registry',
    'loop: a thread',
    'committed: registry',
    'committed: a thread',
  ];
  console.log(
    `${textTable(head, rows)}\n\n${textTable(threadHead, besides)}\n\n${about.commit}, ${about.at}, ${about.machine}, load ${about.load}`,
  );
  console.log(`written to ${writeResults('append', { ...about, lines, threads })}`);
} finally {
  await raw.close();
  await registry.close();
  await thread.close();
  rmSync(folder, { recursive: true, force: true });
}
