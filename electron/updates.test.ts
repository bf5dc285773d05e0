import { beforeEach, expect, test, vi } from 'vitest';
import type { WorkNow } from '../core/protocol/desktop.ts';
import { Updates } from './updates.ts';

const desk = vi.hoisted(() => ({ asked: [] as string[], button: 0, told: [] as string[] }));
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: ({ message }: { message: string }) => {
      desk.asked.push(message);
      return Promise.resolve({ response: desk.button });
    },
  },
}));
vi.mock('./notifier.ts', () => ({ showNotification: (title: string) => desk.told.push(title) }));

const WAIT = 0;
const STOP = 1;

/** An app with a feed that has `version`, and so much at work. */
function scene(version: string | null | Error, atWork: number) {
  const done: string[] = [];
  const work: WorkNow = { atWork, queued: 0, asks: 0, names: [] };
  const updates = new Updates({
    updater: {
      check: () => (version instanceof Error ? Promise.reject(version) : Promise.resolve(version)),
      load: () => Promise.resolve(void done.push('loaded')),
      install: ({ restart }) => void done.push(restart ? 'installed, restarts' : 'installed'),
    },
    work: () => Promise.resolve(work),
    changed: () => undefined,
    quit({ endAll, install }) {
      done.push(endAll ? 'stopped all' : 'quit');
      install();
    },
  });
  updates.workChanged(atWork);
  return { updates, done };
}

beforeEach(() => {
  Object.assign(desk, { asked: [], told: [], button: WAIT });
});

test('nothing newer, or nobody answers → told to who asked alone, and asked for again later', async () => {
  for (const feed of [null, new Error('offline')]) {
    const { updates, done } = scene(feed, 0);
    await updates.check(false);
    expect(desk.told).toEqual([]);
    await updates.check(true);
    expect(done).toEqual([]);
    expect(updates.state).toEqual({ type: 'idle' });
    expect(desk.told.splice(0)).toHaveLength(1);
  }
});

test('nothing at work → put in place by one word, with a restart, without a question', async () => {
  const { updates, done } = scene('2.0.0', 0);
  await updates.check(false);
  await updates.restart();
  expect([done, desk.asked]).toEqual([['loaded', 'quit', 'installed, restarts'], []]);
});

test('work, and the person says stop → all is stopped before', async () => {
  const { updates, done } = scene('2.0.0', 2);
  await updates.check(false);
  desk.button = STOP;
  await updates.restart();
  expect(done).toEqual(['loaded', 'stopped all', 'installed, restarts']);
});

test('work, and the person waits → put in place as soon as the last run has ended', async () => {
  const { updates, done } = scene('2.0.0', 2);
  await updates.check(false);
  await updates.restart();
  updates.workChanged(1);
  expect(done).toEqual(['loaded']);
  updates.workChanged(0);
  expect(done).toEqual(['loaded', 'quit', 'installed, restarts']);
});

test('the app quits → put in place with nothing at work, without a restart; with work left as it is', async () => {
  const { updates, done } = scene('2.0.0', 1);
  expect(updates.installAtQuit(0)).toBe(false);
  await updates.check(false);
  expect([updates.installAtQuit(1), updates.installAtQuit(0)]).toEqual([false, true]);
  expect(done).toEqual(['loaded', 'installed']);
});
