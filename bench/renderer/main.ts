/** 100 runs that each stream 50 deltas a second, through core, store and renderer in a real Chromium (performance contract, third line). */
import Database from 'better-sqlite3';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from '../../e2e/pages/app.ts';
import { openBrowser } from '../measure/browser.ts';
import { tailOf, type CoreFigures, type Tail } from '../measure/core-figures.ts';
import { MeasuredCore } from '../measure/measured-core.ts';
import { circumstances, writeResults } from '../measure/results.ts';
import { NO_MODEL_SETTINGS } from '../measure/settings.ts';
import { STAND_IN_PROGRAM, StandIns } from '../measure/stand-ins.ts';
import type { StandIn } from '../measure/stand-in.ts';
import { until } from '../measure/until.ts';
import { reportTable, type StreamRound } from './report.ts';
import { WatchedPage, type PageCpu, type PageFigures } from './page-watch.ts';
import { stream } from './streaming.ts';

const RUNS = Number(process.env['BENCH_RUNS'] ?? 100);
const PER_SECOND = 50;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 10_000);

const folder = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
const standIns = await StandIns.listen(folder);
const core = await MeasuredCore.start({
  folder,
  settings: NO_MODEL_SETTINGS,
  workerEntry: STAND_IN_PROGRAM,
  execArgv: (process.env['BENCH_EXEC'] ?? '').split(' ').filter(Boolean),
});
const browser = await openBrowser();
try {
  await bench();
} finally {
  await browser.close();
  standIns.close();
  await core.close();
  rmSync(folder, { recursive: true, force: true });
}

async function bench(): Promise<void> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const watched = await WatchedPage.watch(page);
  const app = new App(page);
  await app.open(core.url);
  const { conversation_id } = await core.client.batches.dispatch({
    project_id: core.projectId,
    conversation_id: null,
    batch: {
      tasks: Array.from({ length: RUNS }, (_, at) => ({ goal: `Write chapter ${at + 1}.` })),
      max_concurrent: RUNS,
    },
    client_token: 'bench',
  });
  const runs = await standIns.ready(RUNS);
  for (const run of runs) run.begin();
  const { conversation } = await core.client.conversations.show({ id: conversation_id });
  await app.sidebar.open(conversation.title);
  await app.tree.open('Write chapter 1.');
  await page.locator('.transcript-content').waitFor();
  console.error(`${RUNS} runs at work, one transcript open`);
  const rest = await restRound(watched);
  // The first round warms up the compilers of both, and is not counted.
  await measureRound(watched, runs, 2000);
  const rounds: StreamRound[] = [];
  while (rounds.length < ROUNDS) {
    rounds.push(await measureRound(watched, runs, ROUND_MS));
    console.error(`round ${rounds.length} of ${ROUNDS} measured`);
  }
  for (const run of runs) run.finish();
  await until('all that was told to be acknowledged', () => runs.every(({ isAcknowledged }) => isAcknowledged));
  const lost = lostEntries(runs);
  const about = circumstances();
  console.log(
    `\n${reportTable(rest, rounds, lost)}\n\n${about.commit}, ${about.at}, ${about.machine}, load ${about.load}`,
  );
  console.log(
    `written to ${writeResults('renderer', { ...about, runs: RUNS, per_second: PER_SECOND, rest, rounds, lost })}`,
  );
}

async function restRound(page: WatchedPage): Promise<StreamRound> {
  return stretch(page, async () => {
    await new Promise((resolve) => setTimeout(resolve, 3000));
    return { deltas: 0, late: 0, first: 0 };
  });
}

async function measureRound(page: WatchedPage, runs: readonly StandIn[], ms: number): Promise<StreamRound> {
  const round = await stretch(page, async () => {
    const { deltas, late } = await stream(runs, PER_SECOND, ms);
    return { deltas, late, first: Math.round(deltas / runs.length) };
  });
  for (const run of runs) run.endAnswer();
  return round;
}

interface Sent {
  readonly deltas: number;
  readonly late: number;
  /** Of the run whose transcript is open. */
  readonly first: number;
}

/** Does something while core and page are watched. */
async function stretch(page: WatchedPage, work: () => Promise<Sent>): Promise<StreamRound> {
  await core.figures();
  await page.figures();
  const before = await page.cpu();
  const sent = await work();
  const after = await page.cpu();
  const figures = await core.figures();
  await until('all that was told to be acknowledged', () => standIns.all.every(({ isAcknowledged }) => isAcknowledged));
  await new Promise((resolve) => setTimeout(resolve, 500));
  return roundOf(figures, await page.figures(), [before, after], sent);
}

function roundOf(
  coreFigures: CoreFigures,
  page: PageFigures,
  [before, after]: readonly [PageCpu, PageCpu],
  sent: Sent,
): StreamRound {
  const share = (of: keyof PageCpu): number => (after[of] - before[of]) / coreFigures.seconds;
  const paint: Tail = tailOf(page.latencies);
  const frames = tailOf(page.frames);
  return {
    core: coreFigures,
    page_cpu: { all: share('all'), script: share('script'), layout: share('layout') },
    paint,
    arrival: tailOf(page.arrivals),
    frames,
    long_frames: page.frames.filter((ms) => ms > 50).length,
    frame_count: page.frames.length,
    long_tasks: page.long_tasks.length,
    page_heap: page.heap,
    shown: page.shown,
    ...sent,
  };
}

/** Entries whose stored text is not what was told. */
function lostEntries(runs: readonly StandIn[]): number {
  const db = new Database(core.database, { readonly: true });
  const rows = db.prepare<[string], { entry: number; text: string | null }>(
    'SELECT entry, text FROM entries WHERE run_id = ? ORDER BY entry',
  );
  let lost = 0;
  for (const { runId, texts } of runs) {
    const stored = new Map(rows.all(runId).map(({ entry, text }) => [entry, text]));
    lost += texts.filter((text, entry) => stored.get(entry) !== text).length;
  }
  db.close();
  return lost;
}
