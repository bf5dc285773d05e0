/** `espalier serve` from its start to its first answer, beside the start of an empty program (performance contract, last line). */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { cpuOf } from '../measure/process-usage.ts';
import { circumstances, ROOT, writeResults } from '../measure/results.ts';
import { spreadOf } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 9);
const BAR = 4;

interface Round {
  readonly empty: number;
  readonly serve: number;
  readonly emptyCpu: number;
  readonly serveCpu: number;
}

async function serveOnce(folder: string): Promise<{ readonly ms: number; readonly cpu: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'espalier.mjs'), 'serve', '--port', '0', '--json'], {
    env: { ...process.env, ESPALIER_HOME: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const answer = await fetch(new URL((JSON.parse(line) as { url: string }).url));
  if (!answer.ok) throw new Error(`serve answered ${answer.status}`);
  const ms = performance.now() - began;
  const cpu = cpuOf(child.pid ?? 0)?.own ?? 0;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  return { ms, cpu: cpu * 1000 };
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
try {
  await serveOnce(folder); // Fills the compile cache and makes the data folder, as the first start ever does.
  // The first request of this process loads what it needs.
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) {
    const empty = emptyOnce();
    const serve = await serveOnce(folder);
    rounds.push({ empty: empty.ms, serve: serve.ms, emptyCpu: empty.cpu, serveCpu: serve.cpu });
  }
  const line = (
    name: string,
    serve: (round: Round) => number,
    empty: (round: Round) => number,
    bar: number | null,
  ): string[] => {
    const ratio = spreadOf(rounds.map((round) => serve(round) / empty(round)));
    return [
      name,
      spreadOf(rounds.map(empty)).median.toFixed(0),
      spreadOf(rounds.map(serve)).median.toFixed(0),
      ...[ratio.min, ratio.median, ratio.max].map((value) => value.toFixed(2)),
      bar === null ? '' : `≤ ${bar} ×`,
      bar === null ? '' : ratio.median <= bar ? 'met' : 'missed',
    ];
  };
  const about = circumstances();
  const head = ['', 'node -e 0, ms', 'serve, ms', '× (min)', '(median)', '(max)', 'bar', ''];
  const rows = [
    line(
      'start to first answer',
      ({ serve }) => serve,
      ({ empty }) => empty,
      BAR,
    ),
    line(
      'the same as processor time',
      ({ serveCpu }) => serveCpu,
      ({ emptyCpu }) => emptyCpu,
      null,
    ),
  ];
  console.log(`${textTable(head, rows)}\n\n${about.commit}, ${about.at}, ${about.machine}, load ${about.load}`);
  console.log(`written to ${writeResults('start', { ...about, rounds })}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
