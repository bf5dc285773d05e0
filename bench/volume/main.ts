/** An app with 10,000 runs and 1,000,000 entries on disk beside an empty one (performance contract, fifth line). */
import type { Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from '../../e2e/pages/app.ts';
import { openBrowser } from '../measure/browser.ts';
import { MeasuredCore } from '../measure/measured-core.ts';
import { circumstances, writeResults } from '../measure/results.ts';
import { NO_MODEL_SETTINGS } from '../measure/settings.ts';
import { spreadOf, type Spread } from '../measure/spread.ts';
import { textTable } from '../measure/text-table.ts';
import { erase } from './erase.ts';
import { fill, type Volume } from './fill.ts';
import { openTranscript, scroll } from './page-work.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const VOLUME: Volume = {
  conversations: 834,
  // More of them would be tiles, which have no row to click.
  runsOfEach: 12,
  entries: Number(process.env['BENCH_ENTRIES'] ?? 1_000_000),
  longest: Number(process.env['BENCH_LONGEST'] ?? 100_000),
};

/** Bars of the contract. */
const BARS = { ratio: 1.2, moreMs: 150, openMs: 200, fps: 50 };

interface Round {
  readonly empty: number;
  readonly full: number;
  /** Processor time of the page's main thread until then, ms. */
  readonly emptyCpu: number;
  readonly fullCpu: number;
  readonly open: number;
  /** Processor time of the page's main thread in it, ms. */
  readonly openCpu: number;
  readonly fps: number;
}

const folders = ['empty', 'full'].map((name) => mkdtempSync(join(tmpdir(), `espalier-bench-${name}-`)));
const cores: MeasuredCore[] = [];
const browser = await openBrowser();
try {
  await bench();
} finally {
  await browser.close();
  for (const core of cores) await core.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

async function bench(): Promise<void> {
  const [emptyFolder = '', fullFolder = ''] = folders;
  const filled = await fill(fullFolder, VOLUME);
  console.error(`${VOLUME.entries} entries on disk, ${Math.round(filled.bytes / 2 ** 20)} MB`);
  const start = async (folder: string): Promise<{ readonly core: MeasuredCore; readonly ms: number }> => {
    const began = performance.now();
    const core = await MeasuredCore.start({ folder, settings: NO_MODEL_SETTINGS });
    cores.push(core);
    return { core, ms: performance.now() - began };
  };
  const empty = await start(emptyFolder);
  const full = await start(fullFolder);
  const rounds: Round[] = [];
  // The first round warms up what a user has warm, and is not counted.
  for (let n = 0; n <= ROUNDS; n += 1) {
    // By turns: the second page of a round begins while the browser still ends the first one.
    const fullFirst = n % 2 === 0 ? await fullRound(full.core, filled.title) : null;
    const emptyPart = await emptyRound(empty.core);
    const round = { ...emptyPart, ...(fullFirst ?? (await fullRound(full.core, filled.title))) };
    if (n > 0) rounds.push(round);
    console.error(`round ${n} of ${ROUNDS} measured`);
  }
  const about = circumstances();
  const starts = { empty_ms: empty.ms, full_ms: full.ms };
  const { rss, heap } = await full.core.figures();
  const erased = await erase(full.core, filled.longRun);
  console.log(`\n${table(rounds)}\n\n${about.commit}, ${about.at}, ${about.machine}, load ${about.load}`);
  console.log(
    `start of the core: ${empty.ms.toFixed(0)} ms empty, ${full.ms.toFixed(0)} ms full; its heap ${mb(heap)} MB, its memory ${mb(rss)} MB`,
  );
  const { lag, seconds, cpu_seconds } = erased.core;
  console.log(
    `its longest conversation deleted: answered in ${erased.answer_ms.toFixed(0)} ms, erased in ${seconds.toFixed(1)} s with ${cpu_seconds.toFixed(1)} s of processor time; ` +
      `loop lag p99 ${lag.p99.toFixed(1)} ms, at most ${lag.max.toFixed(1)}; ${erased.mb_before} → ${erased.mb_after} MB`,
  );
  const results = { ...about, volume: VOLUME, filled, rounds, starts, heap, rss, erased };
  console.log(`written to ${writeResults('volume', results)}`);
}

async function emptyRound(core: MeasuredCore): Promise<Pick<Round, 'empty' | 'emptyCpu'>> {
  const { page, ms, cpu } = await firstPaint(core.url);
  await page.context().close();
  return { empty: ms, emptyCpu: cpu };
}

async function fullRound(core: MeasuredCore, title: string): Promise<Omit<Round, 'empty' | 'emptyCpu'>> {
  const { page, ms, cpu: fullCpu } = await firstPaint(core.url);
  const app = new App(page);
  await app.sidebar.open(title);
  await app.tree.row('Write chapter 1.').waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpu = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const before = await cpu();
  const open = await openTranscript(page, 'Write chapter 1.');
  const openCpu = (await cpu()) - before;
  const fps = await scroll(page, 2000);
  await page.context().close();
  return { full: ms, fullCpu, open, openCpu, fps };
}

/** ms from the call of the address until the page is live and has been painted with what it was told. */
async function firstPaint(url: string): Promise<{ readonly page: Page; readonly ms: number; readonly cpu: number }> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.addInitScript(() => {
    const look = new MutationObserver(() => {
      if (!document.body.textContent?.includes('Saved')) return;
      look.disconnect();
      requestAnimationFrame(() => setTimeout(() => performance.mark('live')));
    });
    document.addEventListener('DOMContentLoaded', () => {
      look.observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('live').length > 0);
  const { metrics } = await session.send('Performance.getMetrics');
  const cpu = (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  return { page, cpu, ms: await page.evaluate(() => performance.getEntriesByName('live')[0]?.startTime ?? 0) };
}

function mb(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

type Of = (round: Round) => number;

function line(
  rounds: readonly Round[],
  name: string,
  of: Of,
  bar = '',
  isMet = (_: number): boolean => true,
): string[] {
  const value: Spread = spreadOf(rounds.map(of));
  const figures = [value.min, value.median, value.max].map((each) => each.toFixed(0));
  return [name, ...figures, bar, bar === '' ? '' : isMet(value.median) ? 'met' : 'missed'];
}

function table(rounds: readonly Round[]): string {
  const emptyMs = spreadOf(rounds.map(({ empty }) => empty)).median;
  const allowed = emptyMs * BARS.ratio + BARS.moreMs;
  const CPU = 'of it processor time of the page, ms';
  const atMost = (limit: number) => (ms: number) => ms <= limit;
  const rows = [
    line(rounds, 'empty app: first paint with data, ms', ({ empty }) => empty),
    line(rounds, CPU, ({ emptyCpu }) => emptyCpu),
    line(
      rounds,
      'full app: first paint with data, ms',
      ({ full }) => full,
      `≤ ${allowed.toFixed(0)} ms`,
      atMost(allowed),
    ),
    line(rounds, CPU, ({ fullCpu }) => fullCpu),
    line(
      rounds,
      'transcript of 100,000 entries: click to paint, ms',
      ({ open }) => open,
      `≤ ${BARS.openMs} ms`,
      atMost(BARS.openMs),
    ),
    line(rounds, CPU, ({ openCpu }) => openCpu),
    line(
      rounds,
      'scrolling in it, frames a second',
      ({ fps }) => fps,
      `≥ ${BARS.fps}`,
      (fps) => fps >= BARS.fps,
    ),
  ];
  return textTable(['', 'min', 'median', 'max', 'bar', ''], rows);
}
