/** What the writer registry costs on top of SQLite: the same rows of the same schema, through it and through bare better-sqlite3 (performance contract, fourth line). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { circumstances, writeResults } from '../measure/results.ts';
import { spreadOf, type Spread } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';
import { KINDS, type Kind } from './kinds.ts';
import { RawSide, RegistrySide, type Side } from './sides.ts';

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

interface Stretch {
  readonly wall: number;
  readonly cpu: number;
}

async function stretch(side: Side, kind: Kind, from: number): Promise<Stretch> {
  const [began, cpu] = [performance.now(), process.threadCpuUsage()];
  for (let n = 0; n < TRANSACTIONS; n += 1) await side.append(kind, from + n);
  const used = process.threadCpuUsage(cpu);
  return { wall: performance.now() - began, cpu: (used.user + used.system) / 1000 };
}

async function measure(kind: Kind, raw: Side, registry: Side): Promise<Line> {
  const pairs: { readonly raw: Stretch; readonly registry: Stretch }[] = [];
  for (let n = 0; n < STRETCHES + 2; n += 1) {
    const from = n * TRANSACTIONS;
    // Who goes first changes, so that neither always has the warm caches.
    const first = n % 2 === 0 ? raw : registry;
    const second = first === raw ? registry : raw;
    const [a, b] = [await stretch(first, kind, from), await stretch(second, kind, from)];
    // The first ones compile.
    if (n >= 2) pairs.push(first === raw ? { raw: a, registry: b } : { raw: b, registry: a });
  }
  return {
    kind: kind.name,
    rows_per_second: spreadOf(pairs.map((pair) => (kind.rows * TRANSACTIONS * 1000) / pair.registry.wall)),
    wall: spreadOf(pairs.map((pair) => pair.raw.wall / pair.registry.wall)),
    cpu: spreadOf(pairs.map((pair) => pair.raw.cpu / pair.registry.cpu)),
  };
}

const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-append-'));
const raw = new RawSide(join(folder, 'raw.db'));
const registry = await RegistrySide.open(join(folder, 'registry.db'));
try {
  const lines: Line[] = [];
  for (const kind of KINDS) lines.push(await measure(kind, raw, registry));
  const percent = (value: number): string => (value * 100).toFixed(0);
  const rows = lines.map(({ kind, rows_per_second, wall, cpu }) => [
    kind,
    rows_per_second.median.toFixed(0),
    ...[wall.min, wall.median, wall.max, cpu.median].map(percent),
    `≥ ${percent(BAR)} %`,
    wall.median >= BAR ? 'met' : 'missed',
  ]);
  const about = circumstances();
  const head = ['one transaction', 'rows/s', '% of bare (min)', '(median)', '(max)', 'by processor time', 'bar', ''];
  console.log(`${textTable(head, rows)}\n\n${about.commit}, ${about.at}, ${about.machine}, load ${about.load}`);
  console.log(`written to ${writeResults('append', { ...about, lines })}`);
} finally {
  await raw.close();
  await registry.close();
  rmSync(folder, { recursive: true, force: true });
}
