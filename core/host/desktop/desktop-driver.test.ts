import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Clock } from '../../kit/clock.ts';
import type { Change, Scope, Snapshot } from '../../protocol/feed.ts';
import { AskRow, ConversationRow, RunRow, SetRow } from '../../protocol/rows.ts';
import type { HubListener } from '../live/feed-hub.ts';
import { DesktopDriver, type DesktopSettings } from './desktop-driver.ts';
import type { DesktopView } from './desktop-facts.ts';
import { quitFacts } from './desktop-facts.ts';
import type { Notice } from './notices.ts';

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
    desktop: { keepAwake: true },
  };
  readonly there: Partial<Snapshot>;
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

  async start(): Promise<DesktopDriver> {
    const empty = { app: null, projects: [], steers: [], entries: [], entry_count: 0 };
    const snapshot = (scope: Scope): Promise<Snapshot> =>
      Promise.resolve({ scope, ...empty, conversations: [], sets: [], runs: [], asks: [], ...this.there });
    return DesktopDriver.start({
      hub: { snapshot, listen: (listener) => ((this.listener = listener), () => void (this.listener = null)) },
      clock: this.clock,
      settings: () => this.settings,
      redact: (text) => text,
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
  scene.settings = { ...scene.settings, desktop: { keepAwake: false } };
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

test('quitting counts runs at work, queued ones and asks; a lead that waits for words, what has ended and clients outside are none', () => {
  const run = (run_id: string, part: Partial<RunRow>): RunRow => ({ ...RUN, run_id, ...part });
  const runs = [
    run('1', { state: 'running', reason: null }),
    run('2', { state: 'queued', reason: 'concurrency' }),
    run('3', { state: 'waiting', reason: 'user', lead: true }),
    run('4', { state: 'ended' }),
    run('5', { state: 'waiting', reason: 'permission' }),
    run('6', { state: 'running', reason: null, runner: 'outside' }),
  ];
  expect(quitFacts(runs, [{ ...ASK, run_id: '5' }])).toEqual({ atWork: 2, queued: 1, asks: 1 });
});
