/** What storage does to the loop of the core: a log of 500 MB, a lock of 40 s held outside, a reader that never ends (D1, D6). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../core/kit/clock.ts';
import { silentLogger } from '../../core/kit/logger.ts';
import { createReader } from '../../core/registry/reader/reader.ts';
import type { WriterHandle } from '../../core/registry/writers/handle.ts';
import { createWriterRegistry } from '../../core/registry/writers/registry.ts';
import { tailOf, type Tail } from '../measure/core-figures.ts';
import { circumstances, writeResults } from '../measure/results.ts';
import { textTable } from '../measure/text-table.ts';

const LOG_MB = Number(process.env['BENCH_LOG_MB'] ?? 500);
const LOCK_MS = Number(process.env['BENCH_LOCK_MS'] ?? 40_000);
const BLOCK = new Uint8Array(256 * 1024);

/** One line of the table. */
interface Line {
  readonly what: string;
  readonly lag_p99_ms: number;
  readonly lag_max_ms: number;
  /** A commit of 256 kB: by the clock, with what it waited, and as processor time of the loop's thread. */
  readonly commit: Tail;
  readonly commit_cpu: Tail;
  readonly note: string;
}

const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-storage-'));
const path = join(folder, 'project.db');
const lines: Line[] = [];
/** What each commit of the present line took, ms. */
let commits: { readonly wall: number; readonly cpu: number }[] = [];

/** Does something while the lag of the loop is measured. */
async function measured(what: string, work: () => Promise<string>): Promise<void> {
  commits = [];
  const lag = monitorEventLoopDelay({ resolution: 1 });
  lag.enable();
  const note = await work();
  lag.disable();
  // The histogram counts from the resolution on: that much is no lag.
  const ms = (ns: number): number => Math.max(0, Math.round((ns / 1e6 - 1) * 10) / 10);
  lines.push({
    what,
    lag_p99_ms: ms(lag.percentile(99)),
    lag_max_ms: ms(lag.max),
    commit: tailOf(commits.map(({ wall }) => wall)),
    commit_cpu: tailOf(commits.map(({ cpu }) => cpu)),
    note,
  });
  console.error(`${what}: ${note}`);
}

const logMb = (): number => Math.round((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20);

/** Another process that does something with the database until it is told to end. */
async function outside(sql: string): Promise<() => Promise<void>> {
  const module = fileURLToPath(import.meta.resolve('better-sqlite3'));
  const program = `const { default: D } = await import(process.argv[1]); const db = new D(process.argv[2]);
    db.exec(process.argv[3]); if (process.argv[3] === 'BEGIN') db.prepare('SELECT count(*) FROM t').get();
    console.log('there'); process.stdin.once('end', () => { db.exec('COMMIT'); db.close(); }).resume();`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, module, path, sql], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  await once(createInterface(child.stdout), 'line');
  return async () => {
    child.stdin.end();
    await exited;
  };
}

async function put(handle: WriterHandle, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const [began, cpu] = [performance.now(), process.threadCpuUsage()];
    const written = await handle.write((db) => db.run('INSERT INTO t (b) VALUES (?)', BLOCK));
    const used = process.threadCpuUsage(cpu);
    commits.push({ wall: performance.now() - began, cpu: (used.user + used.system) / 1000 });
    if (!written.ok) throw new Error(written.error.message);
    // As the engine does: other work has its turn after each commit.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function bench(): Promise<void> {
  const registry = createWriterRegistry({ clock: systemClock, logger: silentLogger });
  const reader = createReader(systemClock);
  const opened = await registry.acquire(path);
  if (!opened.ok) throw new Error(opened.error.message);
  const handle = opened.value;
  await handle.write((db) => db.run('CREATE TABLE t (n INTEGER PRIMARY KEY, b BLOB) STRICT'));
  await measured('at rest, 2 s', async () => {
    await pause(2000);
    return '';
  });
  await measured(`${String(LOG_MB)} MB written, nobody in the way`, async () => {
    let largest = 0;
    for (let mb = 0; mb < LOG_MB; mb += 4) {
      await put(handle, 16);
      largest = Math.max(largest, logMb());
    }
    return `log at most ${String(largest)} MB`;
  });
  await measured(`${String(LOG_MB)} MB written beside a reader that does not end`, async () => {
    const end = await outside('BEGIN');
    await put(handle, LOG_MB * 4);
    const full = logMb();
    await end();
    await put(handle, 256);
    for (let look = 0; look < 100 && logMb() > 64; look += 1) {
      await put(handle, 8);
      await pause(100);
    }
    return `log ${String(full)} MB with the reader, ${String(logMb())} MB after it`;
  });
  await measured('integrity check and a whole scan in the reader', async () => {
    const [checked, scanned] = await Promise.all([
      reader.integrityCheck(path),
      reader.query(path, 'SELECT sum(length(hex(b))) AS n FROM t'),
    ]);
    return checked.ok && scanned.ok ? 'both whole' : 'failed';
  });
  await measured(`lock held outside for ${String(LOCK_MS / 1000)} s`, async () => {
    const release = await outside('BEGIN IMMEDIATE');
    let answers = 0;
    const until = systemClock.monotonic() + LOCK_MS;
    const writes = Array.from({ length: 100 }, () => put(handle, 1));
    while (systemClock.monotonic() < until) {
      const answer = handle.read((db) => db.get('SELECT n FROM t ORDER BY n LIMIT 1'));
      if (answer.ok) answers += 1;
      await pause(10);
    }
    await release();
    await Promise.all(writes);
    return `${String(answers)} reads answered meanwhile, 100 of 100 writes stored after it`;
  });
  await reader.close();
  await measured('closing it', async () => {
    await registry.drainAll();
    return `log ${String(logMb())} MB`;
  });
}

try {
  await bench();
  const about = circumstances();
  const rows = lines.map((line) => [
    line.what,
    String(line.lag_p99_ms),
    String(line.lag_max_ms),
    line.commit.p99.toFixed(1),
    line.commit_cpu.p99.toFixed(1),
    line.note,
  ]);
  console.log(textTable(['', 'lag p99, ms', 'lag max, ms', 'commit p99, ms', 'its processor time', ''], rows));
  console.log(`${about.commit}, ${about.at}, ${about.machine}`);
  console.log(`written to ${writeResults('storage', { ...about, lines })}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
