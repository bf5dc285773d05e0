import { spawn } from 'node:child_process';
import type { Locator } from '@playwright/test';
import { isSameProcess, processIdentity } from '../core/kit/process-tree/host-processes.ts';
import type { ProcessIdentity } from '../core/kit/process-tree/process-entry.ts';
import { AGED, agePlace } from './fixtures/aged-place.ts';
import { axeFindings } from './fixtures/axe.ts';
import { expect, test as base } from './fixtures/test.ts';
import { TestPlace } from './fixtures/test-place.ts';

const ENTRIES = 100_000;
/** Upwards from the end, past at least one page that is not loaded when the transcript opens. */
const UPWARDS = 500;

/** A test in a folder that was used before; what survived a run there is a process of this one. */
const test = base.extend<{ survivor: ProcessIdentity }>({
  survivor: async ({}, use) => {
    const child = spawn('sleep', ['612'], { stdio: 'ignore', detached: true });
    const identity = child.pid === undefined ? null : await processIdentity(child.pid);
    if (identity === null) throw new Error('no process to survive');
    await use(identity);
    child.kill('SIGKILL');
  },
  place: async ({ survivor }, use, info) => {
    const place = new TestPlace();
    await agePlace(place, ENTRIES, survivor);
    await use(place);
    if (info.status === info.expectedStatus) place.remove();
    else info.annotations.push({ type: 'kept', description: place.outer });
  },
});

test.use({ withModel: false });

/**
 * Scrolls up in steps until the part with this number has been seen. After each step the row that was at the top stands where it was or lower, by no
 * more than was scrolled, whatever has been loaded above it meanwhile (a step in the very moment of it may count for nothing); answers the steps
 * after which it did not.
 */
function scrollUpTo(scroller: Locator, part: number): Promise<string[]> {
  return scroller.evaluate(async (element, wanted) => {
    const frames = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    const top = element.getBoundingClientRect().top;
    const partOf = (row: Element): number => Number(/Part (\d+) of/.exec(row.textContent ?? '')?.[1] ?? Number.NaN);
    const placeOf = (row: Element): number => row.getBoundingClientRect().top - top;
    const rows = (): Element[] =>
      [...element.querySelectorAll('.transcript-row')].filter((row) => !Number.isNaN(partOf(row)));
    const lost: string[] = [];
    for (;;) {
      const first = rows().find((row) => placeOf(row) >= 0);
      if (first === undefined) {
        await frames(1);
        continue;
      }
      const [number, before] = [partOf(first), placeOf(first)];
      if (number <= wanted) return lost;
      const from = element.scrollTop;
      element.scrollTop -= 200;
      const moved = from - element.scrollTop;
      await frames(3);
      const now = rows().find((row) => partOf(row) === number);
      const by = now === undefined ? Number.NaN : placeOf(now) - before;
      if (!(by >= -4 && by <= moved + 4)) lost.push(`part ${number} went by ${by} at a step of ${moved}`);
    }
  }, part);
}

test('a transcript of 100,000 entries opens at its end and is scrolled without losing the place; what a newer build wrote is shown as such (case 19); End them ends what survived a stopped run (C3)', async ({
  app,
  survivor,
}) => {
  await app.sidebar.open(AGED.title);
  await app.tree.open(AGED.long);
  const last = app.inspector.panel.getByText(`Part ${ENTRIES - 1} of the year`);
  await expect(last).toBeInViewport();
  const scroller = app.inspector.panel.locator('.transcript-scroller');
  expect(await scrollUpTo(scroller, ENTRIES - UPWARDS)).toEqual([]);
  await expect(last).toHaveCount(0);
  expect.soft(await axeFindings(app.page), 'long transcript').toEqual([]);

  // What a newer build has written is shown in its own words, never as running, and nothing falls over (case 19).
  const newer = app.tree.row(AGED.newer);
  await expect(newer).toContainText('Hibernating');
  await expect(newer.getByRole('img', { name: 'Running' })).toHaveCount(0);
  await newer.click();
  await expect(app.inspector.root).toContainText('Hibernating');
  await expect(app.inspector.panel).toContainText('Entry of a newer version: dream');
  await expect(app.inspector.root.getByRole('button', { name: /^Stop/ })).toHaveCount(0);

  await app.tree.open(AGED.stopped);
  await app.inspector.show('Process');
  const survived = app.inspector.panel.getByRole('region', { name: 'Survived the end of the run' });
  await expect(survived).toContainText('frost-server --watch');
  await expect(survived).toContainText(String(survivor.pid));
  expect.soft(await axeFindings(app.page), 'survivors').toEqual([]);
  await survived.getByRole('button', { name: 'End them' }).click();
  await expect(survived.getByRole('status')).toContainText('1');
  await expect(survived).not.toContainText('frost-server');
  expect(await isSameProcess(survivor)).toBe(false);
  await expect(app.inspector.panel.getByRole('region', { name: 'End', exact: true })).toContainText('Proved by');
});
