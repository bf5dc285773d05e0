import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Clock } from '../../kit/clock.ts';
import type { DesktopView, Notice } from '../../protocol/desktop.ts';
import type { Change, Scope, Snapshot } from '../../protocol/feed.ts';
import { AskRow, ConversationRow, RunRow, SetRow } from '../../protocol/rows.ts';
import type { HubListener } from '../live/feed-hub.ts';
import { DesktopDriver, type DesktopSettings } from './desktop-driver.ts';
import { workNow } from './desktop-facts.ts';
import { DesktopWatches } from './desktop-watches.ts';

const sample = (name: string): Record<string, unknown> =>
  JSON.parse(
    readFileSync(new URL(`../../protocol/samples/domain-event.${name}.v1.json`, import.meta.url), 'utf8'),
  ) as Record<string, unknown>;
const place = { conversation_id: 'c', project_id: 'p' };
const SET = { ...SetRow.parse(sample('set_dispatched')['set']), ...place, delegation_id: 's', ended_at: null };
const RUN = { ...RunRow.parse(sample('run_queued')['run']), ...place, run_id: 'r', delegation_id: 's' };
const ASK = { ...AskRow.parse(sample('ask_opened')['row']), ...place, run_id: 'r', state: 'open' as const };
const TALK = {
  ...ConversationRow.parse(sample('conversation_created')['row']),
  ...place,
  ...{ runs: 4, ended: 1, working: 2, unseen_failures: 0, needs_you: 0, archived: false },
};
const FAILED = { ...RUN, state: 'ended', outcome: 'failed' as const, failure_line: 'it broke', seen: false };

class Scene {
  readonly notices: Notice[] = [];
  readonly views: DesktopView[] = [];
  listener: HubListener | null = null;
  now = 1_000;
  looksAt: string | null = null;
  settings: DesktopSettings = {
    notifications: { doNotDisturb: false, hideContent: false, projects: {} },
    desktop: { keepAwake: true, closeToTray: true, checkForUpdates: true },
  };
  there: Partial<Snapshot>;
  /** Snapshots that were read come when it resolves. */
  reading: Promise<unknown> = Promise.resolve();
  #timers: { at: number; run: () => void }[] = [];
  readonly clock: Clock = {
    now: () => this.now,
    monotonic: () => this.now,
    after: (ms, run) => {
      const timer = { at: this.now + ms, run };
      this.#timers.push(timer);
      return () => void (this.#timers = this.#timers.filter((one) => one !== timer));
    },
    every: () => () => undefined,
  };

  constructor(there: Partial<Snapshot> = {}) {
    this.there = there;
  }

  /** What the core gives it, beside a shell. */
  get core() {
    const empty = { app: null, projects: [], steers: [], entries: [], entry_count: 0 };
    const snapshot = async (scope: Scope): Promise<Snapshot> => {
      const read = { scope, ...empty, conversations: [], sets: [], runs: [], asks: [], ...this.there };
      await this.reading;
      return read;
    };
    const listen = (listener: HubListener) => ((this.listener = listener), () => void (this.listener = null));
    const { clock } = this;
    return { hub: { snapshot, listen }, clock, settings: () => this.settings, redact: (text: string) => text };
  }

  async start(): Promise<DesktopDriver> {
    return DesktopDriver.start({
      ...this.core,
      shell: {
        notify: (notice) => this.notices.push(notice),
        show: (view) => this.views.push(view),
        looksAt: () => this.looksAt,
      },
    });
  }

  tell(...changes: Change[]): void {
    this.listener?.published(changes.map((change) => ({ conversation_id: 'c', run_id: null, change })));
  }

  pass(ms: number): void {
    this.now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.now);
    this.#timers = this.#timers.filter(({ at }) => at > this.now);
    for (const { run } of due) run();
  }

  get timers(): number {
    return this.#timers.length;
  }
}

test('what is there at the start is not told; a set that was at work then is told when it ends (D5)', async () => {
  const scene = new Scene({ conversations: [TALK], sets: [SET], runs: [FAILED], asks: [ASK] });
  await scene.start();
  scene.tell({ type: 'ask', row: ASK }, { type: 'run', row: FAILED }, { type: 'set', row: SET });
  scene.pass(5_000);
  expect(scene.notices).toEqual([]);
  scene.tell({ type: 'set', row: { ...SET, ended_at: 9 } });
  expect(scene.notices.map(({ type }) => type)).toEqual(['set_ended']);
});

test('what is told while everything is looked at anew is news for what was read, and is told', async () => {
  const scene = new Scene({ conversations: [TALK], sets: [SET] });
  await scene.start();
  const reading = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  for (const { promise } of reading) {
    scene.reading = promise;
    scene.listener?.refreshed();
  }
  scene.tell({ type: 'set', row: { ...SET, ended_at: 9 } }, { type: 'conversation', row: { ...TALK, working: 0 } });
  for (const { resolve } of reading) resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  scene.pass(200);
  expect(scene.views.at(-1)).toMatchObject({ atWork: 0, keepAwake: false, tray: { icon: 'idle' } });
  expect(scene.notices.map(({ type }) => type)).toEqual(['set_ended']);
});

test('R1: a place that is held for what is left of an ended run is no work', async () => {
  const app = { at_work: 1, paused: false } as Extract<Change, { type: 'app' }>['row'];
  const scene = new Scene({ app, conversations: [{ ...TALK, ended: 4, working: 0 }] });
  await scene.start();
  scene.pass(200);
  expect(scene.views).toMatchObject([{ atWork: 0, keepAwake: false, tray: { icon: 'idle', count: 0 } }]);
});

test('failures are told together two seconds after the first, by the clock', async () => {
  const scene = new Scene();
  await scene.start();
  scene.tell({ type: 'run', row: { ...FAILED, run_id: 'a' } });
  scene.pass(1_500);
  scene.tell({ type: 'run', row: { ...FAILED, run_id: 'b' } });
  expect(scene.notices).toEqual([]);
  scene.pass(500);
  expect(scene.notices.map(({ title }) => title)).toEqual(['2 runs have failed']);
});

test('a project that is muted and a conversation that is looked at are not told of', async () => {
  const scene = new Scene({ conversations: [TALK] });
  await scene.start();
  scene.settings = { ...scene.settings, notifications: { ...scene.settings.notifications, projects: { p: 'none' } } };
  scene.tell({ type: 'ask', row: { ...ASK, ask_id: 'one' } });
  scene.settings = { ...scene.settings, notifications: { ...scene.settings.notifications, projects: {} } };
  scene.looksAt = 'c';
  scene.tell({ type: 'ask', row: { ...ASK, ask_id: 'two' } });
  expect(scene.notices).toEqual([]);
  scene.looksAt = 'other';
  scene.tell({ type: 'ask', row: { ...ASK, ask_id: 'three' } });
  expect(scene.notices).toHaveLength(1);
});

test('tray, badge, progress and wakefulness are shown once for many changes, and only when they are others', async () => {
  const app = { at_work: 2, paused: false } as Extract<Change, { type: 'app' }>['row'];
  const scene = new Scene({ conversations: [TALK] });
  const driver = await scene.start();
  scene.tell({ type: 'app', row: app }, { type: 'ask', row: ASK });
  scene.tell({ type: 'conversation', row: TALK });
  scene.pass(200);
  expect(scene.views).toMatchObject([{ badge: 1, progress: 0.25, keepAwake: true, tray: { icon: 'needs_you' } }]);
  scene.tell({ type: 'conversation', row: TALK });
  scene.pass(200);
  expect(scene.views).toHaveLength(1);
  scene.settings = { ...scene.settings, desktop: { ...scene.settings.desktop, keepAwake: false } };
  scene.tell({ type: 'app', row: app });
  scene.pass(200);
  expect(scene.views.at(-1)).toMatchObject({ keepAwake: false });
  scene.tell({ type: 'removed', what: 'conversation', id: 'c' });
  scene.pass(200);
  expect(scene.views.at(-1)).toMatchObject({ badge: 0, progress: null });
  driver.close();
  expect(scene.listener).toBeNull();
  expect(scene.timers).toBe(0);
});

const RUNS = [
  { run_id: '1', state: 'running', reason: null, label: 'Pick the apples' },
  { run_id: '2', state: 'queued', reason: 'concurrency' },
  { run_id: '3', state: 'waiting', reason: 'user', lead: true },
  { run_id: '4', state: 'ended' },
  { run_id: '5', state: 'waiting', reason: 'permission', label: 'Use sk-secret' },
  { run_id: '6', state: 'running', reason: null, runner: 'outside' },
].map((part) => ({ ...RUN, ...(part as Partial<RunRow>) }));

test('what is there to do when the app ends: runs at work, queued ones and asks; a lead that waits for words, what has ended and clients outside are none', () => {
  const redact = (text: string): string => text.replaceAll('sk-secret', '[redacted]');
  const asks = [{ ...ASK, run_id: '5' }];
  const counts = { atWork: 2, queued: 1, asks: 1 };
  expect(workNow(RUNS, asks, { hideContent: false, redact })).toEqual({
    ...counts,
    names: ['Pick the apples', 'Use [redacted]'],
  });
  expect(workNow(RUNS, asks, { hideContent: true, redact })).toEqual({ ...counts, names: [] });
});

test('a desktop of another process hears the same over its line: notices, the latest view, and nothing of what it looks at', async () => {
  const scene = new Scene({ conversations: [TALK], runs: RUNS, asks: [ASK] });
  let count = 0;
  const random = { hex: () => `${(count += 1)}`, next: () => 0 } as never;
  const desktops = new DesktopWatches({ ...scene.core, random });
  const line = desktops.open();
  expect(await line?.next()).toEqual({ done: false, value: { type: 'hello', watch_id: 'desk_1' } });
  const next = line?.next();
  await expect.poll(() => scene.timers).toBe(1);
  scene.tell({ type: 'ask', row: { ...ASK, ask_id: 'new' } });
  expect((await next)?.value).toMatchObject({ type: 'notice', notice: { type: 'needs_you' } });
  expect(desktops.looks('desk_1', 'c')).toBe(true);
  expect(desktops.looks('desk_9', 'c')).toBe(false);
  scene.tell({ type: 'ask', row: { ...ASK, ask_id: 'newer' } });
  scene.pass(200);
  scene.tell({ type: 'removed', what: 'conversation', id: 'c' });
  scene.pass(200);
  expect((await line?.next())?.value).toMatchObject({ type: 'view', view: { badge: 0, atWork: 0 } });
  expect(await desktops.work()).toMatchObject({ atWork: 2, queued: 1 });
  const last = line?.next();
  await line?.return(undefined);
  expect(await last).toEqual({ done: true, value: undefined });
  expect([scene.listener, scene.timers]).toEqual([null, 0]);
});

test('lines of desktops are bounded, end with their caller, and one that cannot look says why', async () => {
  const scene = new Scene();
  let count = 0;
  const random = { hex: () => `${(count += 1)}` } as never;
  const desktops = new DesktopWatches({ ...scene.core, random });
  const ending = new AbortController();
  const lines = Array.from({ length: 17 }, () => desktops.open(ending.signal));
  expect(lines.map((line) => line === null)).toEqual([...Array<boolean>(16).fill(false), true]);
  ending.abort();
  await expect.poll(() => desktops.open(ending.signal) !== null).toBe(true);
  const broken = { ...scene.core.hub, snapshot: () => Promise.reject(new Error('the disk is gone')) };
  const line = new DesktopWatches({ ...scene.core, hub: broken, random }).open();
  await line?.next();
  await expect(line?.next()).rejects.toThrow('the disk is gone');
  expect(await line?.next()).toEqual({ done: true, value: undefined });
});
