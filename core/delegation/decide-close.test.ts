import { describe, expect, test } from 'vitest';
import type { AcceptanceResult, ResultEntry, WorktreeResult } from '../protocol/result-entry.ts';
import type { Task } from '../protocol/batch.ts';
import type { Worktree } from '../protocol/worktree.ts';
import { DelegationWorld } from '../testing/delegation.ts';
import { decideClosed, decideNotOrdered, decidePrepared, decideTakeOver, decideVerified } from './decide-close.ts';

const ACCEPTANCE = { acceptance: { verify: [{ command: 'npm test' }] } };
const ISOLATED = { isolation: 'worktree' } as const;
const FAILED: AcceptanceResult = {
  status: 'failed',
  commands: [{ command: 'npm test', exit_code: 1, seconds: 2, output: 'no' }],
};

function worktreeOf(run_id: string): Worktree {
  const path = `/data/worktrees/test/${run_id}`;
  return {
    run_id,
    path,
    folder: path,
    branch: `espalier/test/${run_id}`,
    base_commit: 'b',
    repository: '/p',
    notes: [],
  };
}

function measured(run_id: string, change: Partial<WorktreeResult> = {}): WorktreeResult {
  const { path, branch, base_commit } = worktreeOf(run_id);
  return { path, branch, base_commit, commits: 1, dirty: false, kept: true, ...change };
}

/** A world with one task at work; an isolated one has its worktree. */
function working(task: Partial<Task>): { world: DelegationWorld; run: string } {
  const world = new DelegationWorld();
  const [run = ''] = world.dispatch([task]).run_ids;
  world.grant();
  if (task.isolation === 'worktree') world.decide((step) => decidePrepared(step, run, worktreeOf(run)));
  world.connect(run);
  return { world, run };
}

const verified = (world: DelegationWorld, run: string, acceptance = FAILED): void =>
  world.decide((step) => decideVerified(step, run, acceptance, [{ pid: 7, command: 'stays' }]));

const closed = (world: DelegationWorld, run: string, found: WorktreeResult | null = null): void =>
  world.decide((step) => decideClosed(step, run, found));

function resultOf(world: DelegationWorld, run: string): ResultEntry {
  const result = world.tree.facts.get(run)?.result;
  if (result == null) throw new Error('no result');
  return result;
}

test('R1, R5: one that queues to go on when its worker goes has neither place nor money any more while it is being closed', () => {
  const { world, run } = working(ISOLATED);
  const [child = ''] = world.runsOf(world.delegate(run, 'c1', 1) ?? '');
  world.begin();
  world.end(child);
  expect(world.state(run)).toBe('waiting: concurrency');
  world.exit(run, { exit: { code: null, signal: 'SIGKILL' } });
  expect(world.closing).toEqual([run]);
  expect(world.grant()).toEqual([]);
  // A place that was on its way is given back.
  world.admission.hold(run, run, 1);
  world.place(run);
  expect([world.admission.atWork, world.state(run), world.tree.holds.size]).toEqual([0, 'waiting: concurrency', 0]);
  closed(world, run, measured(run));
  expect(world.run(run)).toMatchObject({ outcome: 'failed', failure_reason: 'process', attempts: 1 });
});

describe('T4: verify commands before the end of a run', () => {
  test('running → closing: a completed run with commands ends only when they have run, and holds its place until then (R1)', () => {
    const { world, run } = working(ACCEPTANCE);
    world.end(run);
    expect(world.state(run)).toBe('running');
    expect(world.closing).toEqual([run]);
    expect(world.admission.atWork).toBe(1);
    verified(world, run);
    closed(world, run);
    expect(world.run(run)).toMatchObject({
      state: 'ended',
      outcome: 'completed',
      caveats: ['acceptance_failed'],
      words: 'Completed: acceptance failed',
      failure_line: null,
    });
    expect(resultOf(world, run)).toMatchObject({ acceptance: FAILED, survivors: [{ pid: 7, command: 'stays' }] });
    expect(world.admission.atWork).toBe(0);
    const [set] = world.tree.sets.values();
    expect(set).toMatchObject({ status: 'partial', totals: { completed: 1, acceptance_failed: 1 } });
  });

  test('R5: what it has used is known at once, and it holds no money for what it will not use', () => {
    const { world, run } = working({ ...ACCEPTANCE, limits: { max_cost_usd: 1 } });
    expect(world.tree.holds.get(run)).toMatchObject({ cost_usd: 1 });
    world.end(run);
    expect(world.tree.holds.has(run)).toBe(false);
    expect(world.run(run)).toMatchObject({ state: 'running', cost_usd: 0.01, turns: 1 });
  });

  test('T4: both caveats are said', () => {
    const { world, run } = working(ACCEPTANCE);
    world.end(run, { limit: 'max_turns' });
    verified(world, run);
    closed(world, run);
    expect(world.run(run)).toMatchObject({
      caveats: ['truncated', 'acceptance_failed'],
      words: 'Completed: turn limit reached, acceptance failed',
    });
  });

  test.each([
    ['failed', { error: { reason: 'server_error', message: 'It broke' } }],
    ['without an answer', { answer: '' }],
  ] as const)('T4: %s → nothing is run, acceptance none', (_, report) => {
    const { world, run } = working(ACCEPTANCE);
    world.end(run, report);
    expect(world.closing).toEqual([]);
    expect(resultOf(world, run).acceptance).toEqual({ status: 'none', commands: [] });
  });

  test('C3: closing → stopping: a stop while they run ends the run stopped', () => {
    const { world, run } = working(ACCEPTANCE);
    world.end(run);
    world.stop(run);
    expect(world.state(run)).toBe('stopping');
    expect(world.stopped).toEqual([run]);
    verified(world, run, { status: 'none', commands: [] });
    closed(world, run);
    expect(world.run(run)).toMatchObject({ outcome: 'stopped', caveats: [] });
    expect(resultOf(world, run)).toMatchObject({ summary: 'Done.', acceptance: { status: 'none' } });
  });

  test('C3: stopped between its last word and the end of its process: they do not run at all', () => {
    const { world, run } = working({ ...ACCEPTANCE, ...ISOLATED });
    world.report(run);
    world.stop(run);
    world.exit(run);
    expect(world.state(run)).toBe('stopping');
    expect(world.tree.facts.get(run)?.closing).toMatchObject({ acceptance: null, known: { stopped: true } });
    closed(world, run, measured(run));
    expect(world.run(run)).toMatchObject({ outcome: 'stopped' });
  });

  test('T7: what comes twice or too late changes nothing', () => {
    const { world, run } = working(ACCEPTANCE);
    verified(world, run);
    closed(world, run);
    expect(world.state(run)).toBe('running');
    world.end(run);
    verified(world, run);
    verified(world, run, { status: 'passed', commands: [] });
    closed(world, run);
    const { length } = world.events;
    closed(world, run);
    verified(world, run);
    expect(world.events).toHaveLength(length);
    expect(resultOf(world, run).acceptance).toEqual(FAILED);
  });
});

describe('W3: the worktree before the end of a run', () => {
  test('it is measured whatever the verdict, and row and result say the same', () => {
    const { world, run } = working(ISOLATED);
    expect(world.run(run).worktree).toMatchObject({ state: 'at_work', commits: null, dirty: null });
    world.fail(run);
    expect(world.closing).toEqual([run]);
    closed(world, run, measured(run, { dirty: true }));
    expect(world.run(run)).toMatchObject({ outcome: 'failed', worktree: { state: 'kept', commits: 1, dirty: true } });
    expect(resultOf(world, run).worktree).toEqual(measured(run, { dirty: true }));
  });

  test('removed, and not measured: null in the result counts as kept', () => {
    const removed = working(ISOLATED);
    removed.world.end(removed.run);
    closed(removed.world, removed.run, measured(removed.run, { kept: false, commits: 0 }));
    expect(removed.world.run(removed.run).worktree).toMatchObject({ state: 'removed', commits: 0 });
    const fault = working(ISOLATED);
    fault.world.end(fault.run);
    closed(fault.world, fault.run, null);
    expect(fault.world.run(fault.run).worktree).toMatchObject({ state: 'kept', commits: null, dirty: null });
    expect(resultOf(fault.world, fault.run).worktree).toBeNull();
  });

  test('stopping a run whose worktree is being measured changes nothing about its end (T7)', () => {
    const { world, run } = working(ISOLATED);
    world.end(run);
    world.stop(run);
    expect(world.stopped).toEqual([]);
    closed(world, run, measured(run));
    expect(world.run(run)).toMatchObject({ outcome: 'completed' });
  });

  test('C3: what still works below is stopped when it closes, and its set ends before it can be measured', () => {
    const { world, run } = working(ISOLATED);
    const set = world.delegate(run, 'call_1', 2) ?? '';
    world.begin();
    world.exit(run, { active: true, exit: { code: null, signal: 'SIGKILL' } });
    expect(world.stopped.sort()).toEqual(world.runsOf(set).sort());
    expect(world.run(run).state).not.toBe('ended');
    for (const child of world.runsOf(set)) world.exit(child);
    closed(world, run, measured(run));
    expect(world.run(run)).toMatchObject({ outcome: 'failed', failure_reason: 'process' });
    expect(world.admission.atWork).toBe(0);
  });

  test('nobody need answer a run that is being closed (A2)', () => {
    const { world, run } = working(ISOLATED);
    const ask = { key: 'k', kind: 'permission', title: 't', tool: 'bash', detail: 'd', diff: null } as const;
    world.tell(run, { type: 'ask', ...ask });
    world.exit(run, { active: true, exit: { code: 1, signal: null } });
    expect([...world.tree.asks.values()].map(({ row }) => row.state)).toEqual(['closed']);
  });

  test('closing → closing: its end is told again after a restart of the core, and it is closed again, with its first end', () => {
    const { world, run } = working(ISOLATED);
    const attempt = world.attempts.get(run);
    world.end(run);
    if (attempt) world.attempts.set(run, attempt);
    world.exit(run, { exit: null, proof: { method: 'unknown', reason: 'restart' } });
    expect(world.closing).toEqual([run, run]);
    closed(world, run, measured(run));
    expect(world.run(run)).toMatchObject({ outcome: 'completed', proof: { method: 'observed' } });
  });
});

describe('W1: what a run starts in', () => {
  test('starting → waiting: an attempt whose worker was not ordered is no attempt that died; the run starts again', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch([ISOLATED]).run_ids;
    world.grant();
    world.decide((step) => decideNotOrdered(step, run));
    expect(world.state(run)).toBe('waiting: restart');
    world.place(run);
    expect(world.started).toEqual([run, run]);
    world.stop(run);
    world.decide((step) => decideNotOrdered(step, run));
    expect(world.run(run)).toMatchObject({ outcome: 'stopped', worktree: null });
    expect(resultOf(world, run).worktree).toBeNull();
  });

  test('only one run takes over the kept worktree of the run it continues (C5)', () => {
    const { world, run } = working(ISOLATED);
    world.end(run);
    closed(world, run, measured(run));
    const [next = '', other = ''] = world.dispatch([ISOLATED, ISOLATED]).run_ids;
    world.grant();
    for (const id of [next, other]) world.tree.runs.set(id, { ...world.run(id), continues: run });
    expect(world.decide((step) => decideTakeOver(step, next))).toBe(true);
    expect(world.decide((step) => decideTakeOver(step, other))).toBe(false);
    expect(world.run(run).worktree?.state).toBe('continued');
    expect(world.run(next).worktree).toMatchObject({ state: 'at_work', path: worktreeOf(run).path });
    expect(world.tree.facts.get(next)?.worktree?.run_id).toBe(next);
    expect(world.run(other).worktree).toBeNull();
  });

  test('a retry takes nothing over', () => {
    const { world, run } = working({ ...ISOLATED, retry: 1 });
    world.fail(run);
    closed(world, run, measured(run));
    const next = world.run(run).retried_by ?? '';
    expect(world.decide((step) => decideTakeOver(step, next))).toBe(false);
    expect(world.run(next).worktree).toBeNull();
  });
});
