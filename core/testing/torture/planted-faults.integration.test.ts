import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN_MARKER } from '../../kit/process-tree/tool-environment.ts';
import type { WorkerEvent } from '../../protocol/frames.ts';
import type { RunRow, SteerRow } from '../../protocol/rows.ts';
import type { AttemptRecord } from '../../registry/store/records.ts';
import type { RequestLog } from '../../scripted-model/request-log.ts';
import { GitFixture } from '../../workspace/worktrees/git-fixture.ts';
import { until } from '../process-trees.ts';
import { checkOpenRows } from './chapter.ts';
import { checkProcesses, checkWorktrees } from './check-places.ts';
import { checkTranscripts } from './check-transcripts.ts';
import { checkWork } from './check-work.ts';
import { FIGURES, Findings, type Figure } from './findings.ts';
import { openJournal } from './frame-journal.ts';
import { LiveWatch } from './live-watch.ts';
import type { StoredFacts } from './stored-facts.ts';
import { chapterOrFinding } from './torture.ts';
import { answerOf, countFile, goalOf, type Work } from './workload.ts';

const CHILD: Work = { id: 'w1a', kind: 'stream', children: [] };
const OWNER: Work = { id: 'w1', kind: 'nest', children: [CHILD] };
const COMMAND: Work = { id: 'w2', kind: 'command', children: [] };
const META = { type: 'text' };

type Writable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };

/** What a chapter looks at when all is as it should be; the tests spoil one thing of it. */
class World {
  readonly git = GitFixture.withCommit();
  readonly counts = join(this.git.root, 'counts');
  readonly facts: Writable<StoredFacts>;
  readonly requests: RequestLog[];
  readonly journal: (seq: number, event: WorkerEvent) => void;
  readonly findings = new Findings();

  constructor() {
    mkdirSync(this.counts);
    mkdirSync(this.attemptFolder('att_1'), { recursive: true });
    this.journal = openJournal(this.attemptFolder('att_1'));
    this.tell(1, { type: 'entry', entry: 0, meta: META, text: 'a' });
    this.tell(2, { type: 'delta', entry: 0, offset: 1, text: 'b' });
    this.tell(3, { type: 'entry_end', entry: 0 });
    writeFileSync(countFile(this.counts, COMMAND), 'x\n');
    this.facts = {
      runs: [OWNER, CHILD, COMMAND].map((work, at) => ({
        row: this.row(`run_${at}`, work),
        result: null,
        closing: false,
      })),
      sets: [],
      attempts: [{ attempt_id: 'att_1', run_id: 'run_0', state: 'ended', committed_seq: 3 } as AttemptRecord],
      entries: [{ run_id: 'run_0', entry: 0, meta: JSON.stringify(META), text: 'ab', ended: 1 }],
      events: [{ type: 'attempt_started', attempt_id: 'att_1', first_entry: 0 } as never],
      steers: [{ text: 'STEER-1.', state: 'delivered', run_id: 'run_0' } as SteerRow],
      deliveries: [{ delivery_id: 'd', delegation_id: 'deleg_1', to_run_id: 'run_0', delivered: 1 }],
      openAsks: 0,
      openCalls: 0,
      outbox: 0,
      holds: 0,
    };
    this.requests = [this.request(`STEER-1. and ${answerOf(CHILD)}`)];
  }

  attemptFolder(id: string): string {
    return join(this.git.root, 'attempts', id);
  }

  tell(seq: number, event: object): void {
    this.journal(seq, event as WorkerEvent);
  }

  row(run_id: string, work: Work, more: Partial<RunRow> = {}): RunRow {
    const ended = { state: 'ended', outcome: 'completed', words: 'Completed', error: null, exit_reason: 'done' };
    const none = { retry_of: null, worktree: null, parent_run_id: null, reason: null };
    return { run_id, goal: goalOf(work, this.counts), ...ended, ...none, ...more } as RunRow;
  }

  change(at: number, more: Partial<RunRow>): void {
    const run = this.facts.runs[at];
    if (run !== undefined) this.facts.runs[at] = { ...run, row: { ...run.row, ...more } };
  }

  worktree(more: Partial<NonNullable<RunRow['worktree']>>): void {
    const path = join(this.git.data, 'worktrees', 'c', 's');
    this.change(2, { worktree: { path, branch: 'espalier/c/s', state: 'kept', applied: null, ...more } as never });
  }

  request(text: string): RequestLog {
    return { conversation: OWNER.id, request: { texts: [{ role: 'user', text }] } } as unknown as RequestLog;
  }

  async figures(): Promise<Figure[]> {
    await new Promise((resolve) => setImmediate(resolve));
    const { facts, findings, git, counts, requests } = this;
    // Also of a run that was stopped by force: what had left its worker has to be there.
    checkTranscripts(this, facts, { killed: new Set(), stopped: new Set(['run_0']) }, findings);
    const done = { killed: new Set<string>(), stopped: new Set<string>(), steered: ['STEER-1.'] };
    checkWork({ works: [OWNER, CHILD, COMMAND], counts, facts, requests, done }, findings);
    checkOpenRows(facts, findings);
    checkWorktrees(git, facts, findings);
    await checkProcesses(git, facts, findings);
    return [...new Set(findings.all.map(({ figure }) => figure))];
  }
}

/** The fault, what shows it, and how it is planted. */
const PLANTED: readonly (readonly [fault: string, figure: Figure, plant: (world: World) => unknown])[] = [
  [
    'a frame was dropped',
    'events told and not stored',
    ({ facts }) => (facts.attempts = [{ ...facts.attempts[0], committed_seq: 2 } as AttemptRecord]),
  ],
  [
    'a frame of a transcript was dropped',
    'entries lost',
    ({ facts }) => (facts.attempts = [{ ...facts.attempts[0], committed_seq: 2 } as AttemptRecord]),
  ],
  ['an entry was dropped', 'entries lost', ({ facts }) => (facts.entries = [])],
  [
    'the end of a text was dropped',
    'entries lost',
    ({ facts }) => (facts.entries = [{ ...facts.entries[0], text: 'a' } as never]),
  ],
  [
    'an entry was left open',
    'entries lost',
    ({ facts }) => (facts.entries = [{ ...facts.entries[0], ended: 0 } as never]),
  ],
  [
    'a frame was taken twice',
    'entries doubled or changed',
    ({ facts }) => (facts.attempts = [{ ...facts.attempts[0], committed_seq: 4 } as AttemptRecord]),
  ],
  [
    'a piece of text was stored twice',
    'entries doubled or changed',
    ({ facts }) => (facts.entries = [{ ...facts.entries[0], text: 'abb' } as never]),
  ],
  [
    'an entry was stored twice',
    'entries doubled or changed',
    ({ facts }) => facts.entries.push({ ...facts.entries[0], entry: 1 } as never),
  ],
  [
    'what an entry says of itself was changed',
    'entries doubled or changed',
    ({ facts }) => (facts.entries = [{ ...facts.entries[0], meta: '{}' } as never]),
  ],
  [
    'a run is still shown at work',
    'runs that did not settle',
    (world) => world.change(2, { state: 'running', outcome: null }),
  ],
  ['a run was lost', 'runs that ended otherwise than they should', (world) => world.change(0, { outcome: 'lost' })],
  [
    'work was done twice',
    'work done twice or not at all',
    ({ counts }) => writeFileSync(countFile(counts, COMMAND), 'x\nx\n'),
  ],
  ['work was not done', 'work done twice or not at all', ({ counts }) => writeFileSync(countFile(counts, COMMAND), '')],
  [
    'a set was dispatched twice',
    'dispatches lost or doubled',
    (world) => world.facts.runs.push({ row: world.row('run_9', COMMAND), result: null, closing: false }),
  ],
  ['a set was not dispatched', 'dispatches lost or doubled', ({ facts }) => facts.runs.pop()],
  ['an owner was not told of a child', 'deliveries lost', (world) => (world.requests[0] = world.request('STEER-1.'))],
  [
    'a delivery still waits',
    'deliveries lost',
    ({ facts }) => (facts.deliveries = [{ ...facts.deliveries[0], delivered: 0 } as never]),
  ],
  [
    'an owner was told of a child twice',
    'deliveries doubled',
    (world) => (world.requests[0] = world.request(`STEER-1. ${answerOf(CHILD)} ${answerOf(CHILD)}`)),
  ],
  [
    'a steering message was heard twice',
    'steering lost or doubled',
    (world) => (world.requests[0] = world.request(`STEER-1. STEER-1. ${answerOf(CHILD)}`)),
  ],
  [
    'a steering message was not heard',
    'steering lost or doubled',
    (world) => (world.requests[0] = world.request(answerOf(CHILD))),
  ],
  ['a steering message is nowhere', 'steering lost or doubled', ({ facts }) => (facts.steers = [])],
  [
    'a steering message was never settled',
    'steering lost or doubled',
    ({ facts }) => (facts.steers = [{ ...facts.steers[0], state: 'queued' } as never]),
  ],
  [
    'a worktree is left',
    'worktrees without a row',
    ({ git }) => git.git(['worktree', 'add', '-q', '-b', 'espalier/c/s', join(git.data, 'worktrees', 'c', 's')]),
  ],
  ['a branch is left', 'worktrees without a row', ({ git }) => git.git(['branch', 'espalier/c/s'])],
  [
    'a folder is left',
    'worktrees without a row',
    ({ git }) => mkdirSync(join(git.data, 'worktrees', 'c', 's'), { recursive: true }),
  ],
  ['a worktree is gone', 'rows without their worktree', (world) => world.worktree({})],
  [
    'discarded work is kept by nothing',
    'rows without their worktree',
    (world) => world.worktree({ state: 'discarded' }),
  ],
  [
    'applied work is not called so',
    'work applied and not called so, or the other way',
    (world) => {
      world.git.write('w2.txt', 'work');
      world.worktree({});
      world.change(2, { goal: 'echo work > w2.txt' });
    },
  ],
  ...(['openAsks', 'openCalls', 'outbox', 'holds'] as const).map(
    (what) =>
      [
        `a row is left: ${what}`,
        'rows left open (asks, calls, outbox, holds, attempts)',
        ({ facts }: World) => (facts[what] = 1),
      ] as const,
  ),
  [
    'an attempt is left',
    'rows left open (asks, calls, outbox, holds, attempts)',
    ({ facts }) => (facts.attempts = [{ ...facts.attempts[0], state: 'connected' } as AttemptRecord]),
  ],
];

describe('what the torture looks at can be seen to be wrong', () => {
  let world: World;
  beforeEach(() => {
    world = new World();
  });
  afterEach(() => {
    world.git.remove();
  });

  test('all as it should be → nothing is found', async () => {
    await world.figures();
    expect(world.findings.all).toEqual([]);
  });

  test.each(PLANTED)('%s → %s', async (_, figure, plant) => {
    plant(world);
    expect(await world.figures()).toContain(figure);
  });

  test.each(['its mark', 'its folder'])('C4: a process is left, known by %s → orphan processes', async (by) => {
    const env = by === 'its mark' ? { [RUN_MARKER]: 'run_0' } : {};
    const cwd = by === 'its mark' ? '/' : world.git.project;
    const child = spawn('cat', [], {
      cwd,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    const figures = await world.figures();
    child.stdin.end();
    await once(child, 'exit');
    expect(figures).toEqual(['orphan processes']);
  });

  test('a run is shown at work and its process is gone → found by the look at what is live', async () => {
    const row = world.row('run_0', OWNER, { state: 'running', outcome: null, words: 'Running' });
    const attempt = { attempt_id: 'att_1', run_id: 'run_0', pid: 2 ** 22 + 1, pid_started: 'never' } as AttemptRecord;
    const live = () => ({ runs: [{ row, result: null, closing: false }], attempts: [attempt] });
    const watch = new LiveWatch({ live }, { isUp: true, since: 0 }, world.findings, 0);
    await until('the finding', () => world.findings.all.length > 0);
    watch.close();
    expect(world.findings.all.map(({ figure }) => figure)).toEqual(['runs shown live without a process']);
  });

  test('a chapter that cannot be brought to its end is a finding', async () => {
    const bundles = { core: join(world.git.root, 'no-core.js'), workers: ['', ''] } as const;
    const base = { bundles, packageRoot: world.git.root, seed: 1, kills: 1, tasks: 1, firstStrike: 0 };
    const { findings } = await chapterOrFinding(base);
    expect(findings.map(({ figure }) => figure)).toEqual(['chapters that broke']);
  });
});

test('each figure of the table has a fault of its own', () => {
  const shown = new Set<string>(PLANTED.map(([, figure]) => figure));
  const others = ['orphan processes', 'runs shown live without a process', 'chapters that broke'];
  expect([...shown, ...others].sort()).toEqual([...FIGURES].sort());
});
