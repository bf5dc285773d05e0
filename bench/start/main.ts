/**
 * `espalier serve` from its start to its first answer, beside the start of an empty program (performance contract, last line); and until the core that is
 * behind the page can be spoken to. Without a settings file, and with one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { connectLocal } from '../../core/host/serve/connect-local.ts';
import { cpuOf } from '../measure/process-usage.ts';
import { circumstances, ROOT, writeResults } from '../measure/results.ts';
import { spreadOf } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
const BAR = 4;

interface Start {
  /** ms to the first answer. */
  readonly ms: number;
  /** ms until the API has answered. */
  readonly upMs: number;
  /** ms of processor time until then. */
  readonly cpu: number;
}

interface Round {
  readonly empty: { readonly ms: number; readonly cpu: number };
  readonly serve: Start;
  readonly configured: Start;
}

async function serveOnce(folder: string): Promise<Start> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'espalier.mjs'), 'serve', '--port', '0', '--json'], {
    env: { ...process.env, ESPALIER_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const answer = await fetch(new URL((JSON.parse(line) as { url: string }).url));
  if (!answer.ok) throw new Error(`serve answered ${answer.status}`);
  const ms = performance.now() - began;
  const core = await connectLocal(folder, 'bench');
  if (!core.ok) throw new Error(core.error.message);
  const upMs = performance.now() - began;
  core.value.close();
  const cpu = cpuOf(child.pid ?? 0)?.own ?? 0;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return { ms, upMs, cpu: cpu * 1000 };
}

/** Of several, since one alone is over too fast for the kernel's clock. */
function emptyOnce(): { readonly ms: number; readonly cpu: number } {
  const TIMES = 4;
  const before = cpuOf(process.pid)?.reaped ?? 0;
  const began = performance.now();
  for (let time = 0; time < TIMES; time += 1) spawnSync(process.execPath, ['-e', '0']);
  const ms = (performance.now() - began) / TIMES;
  return { ms, cpu: (((cpuOf(process.pid)?.reaped ?? 0) - before) * 1000) / TIMES };
}

const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-start-'));
const settings = join(folder, 'settings.json');
try {
  await serveOnce(folder); // Fills the compile cache and makes the data folder, as the first start ever does.
  // The first request of this process loads what it needs.
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const empty = emptyOnce();
    const serve = await serveOnce(folder);
    writeFileSync(settings, JSON.stringify({ version: 1, defaultAgent: 'general', limits: { concurrency: 4 } }));
    const configured = await serveOnce(folder);
    rmSync(settings);
    rounds.push({ empty, serve, configured });
  }
  const line = (
    name: string,
    ours: (round: Round) => number,
    empty: (round: Round) => number,
    bar: number | null = null,
  ): string[] => {
    const ratio = spreadOf(rounds.map((round) => ours(round) / empty(round)));
    return [
      name,
      spreadOf(rounds.map(empty)).median.toFixed(0),
      spreadOf(rounds.map(ours)).median.toFixed(0),
      ...[ratio.min, ratio.median, ratio.max].map((value) => value.toFixed(2)),
      bar === null ? '' : `≤ ${bar} ×`,
      bar === null ? '' : ratio.median <= bar ? 'met' : 'missed',
    ];
  };
  const wall = ({ empty }: Round): number => empty.ms;
  const about = circumstances();
  const head = ['', 'node -e 0, ms', 'serve, ms', '× (min)', '(median)', '(max)', 'bar', ''];
  const rows = [
    line('start to first answer', ({ serve }) => serve.ms, wall, BAR),
    line('the same with a settings file', ({ configured }) => configured.ms, wall),
    line('start to a core that can be spoken to', ({ serve }) => serve.upMs, wall),
    line(
      'processor time until then',
      ({ serve }) => serve.cpu,
      ({ empty }) => empty.cpu,
    ),
  ];
  console.log(`${textTable(head, rows)}\n\n${about.commit}, ${about.at}, ${about.machine}, load ${about.load}`);
  console.log(`written to ${writeResults('start', { ...about, rounds })}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
