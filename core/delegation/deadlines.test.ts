import { describe, expect, it } from 'vitest';
import type { Progress } from '../protocol/report.ts';
import { decideRestart } from './decide-attempt.ts';
import { DelegationWorld, testReport } from '../testing/delegation.ts';

const active = (active_seconds: number): Progress => ({ ...testReport().progress, active_seconds });

/** To the hundredth: the clock of a test goes on with every decision. */
const about = (seconds: number, of: string | null) => ({ seconds: expect.closeTo(seconds, 1), of });

/** A run with a limit of 600 s that has used 100 of them, and waits for so many children. */
function parentOf(
  children: number,
  limits: object = {},
  wait = true,
): { world: DelegationWorld; parent: string; ids: string[] } {
  const world = new DelegationWorld({ maxDepth: 3 });
  const [parent = ''] = world.dispatch([{ label: 'Parent', limits: { timeout_seconds: 600 } }]).run_ids;
  world.begin();
  world.tell(parent, { type: 'progress', progress: active(100) });
  const set =
    world.delegate(
      parent,
      'c1',
      Array.from({ length: children }, () => ({ limits })),
      wait,
    ) ?? '';
  world.begin();
  return { world, parent, ids: world.runsOf(set) };
}

describe('R7: a parent’s deadline bounds its children', () => {
  it('a child has what is left to its parent, and its row says whose limit that is', () => {
    const { world, parent, ids } = parentOf(1);
    expect(world.run(ids[0] ?? '').deadline).toEqual(about(500, parent));
    expect(world.run(parent).deadline).toEqual(about(600, null));
  });

  it('its own limit counts when that is less', () => {
    const { world, ids } = parentOf(1, { timeout_seconds: 30 });
    expect(world.run(ids[0] ?? '').deadline).toEqual(about(30, null));
  });

  it('a child that ends by it says whose limit it was; one that ends by its own says so too', () => {
    const { world, ids } = parentOf(1);
    world.end(ids[0] ?? '', { cut_by: 'deadline' });
    expect(world.run(ids[0] ?? '')).toMatchObject({
      outcome: 'timed_out',
      error: 'The time limit of 600 s of [set 1] Parent passed, and bounds what runs below it.',
    });
    const own = parentOf(1, { timeout_seconds: 30 });
    own.world.end(own.ids[0] ?? '', { cut_by: 'deadline' });
    expect(own.world.run(own.ids[0] ?? '').error).toBe('Its time limit of 30 s passed.');
  });

  it('a parent whose children have used its time up is ended when it would go on', () => {
    const { world, parent, ids } = parentOf(1);
    world.end(ids[0] ?? '', { progress: active(500), cut_by: 'deadline' });
    world.grant();
    expect(world.stopped).toEqual([parent]);
    world.end(parent, { cut_by: 'deadline' });
    expect(world.run(parent)).toMatchObject({ outcome: 'timed_out', error: 'Its time limit of 600 s passed.' });
  });

  it('one child after the other: a later one has what the earlier have left', () => {
    const { world, parent, ids } = parentOf(1);
    world.end(ids[0] ?? '', { progress: active(200) });
    world.begin();
    const next = world.delegate(parent, 'c2', 1) ?? '';
    world.begin();
    expect(world.run(world.runsOf(next)[0] ?? '').deadline).toEqual(about(300, parent));
  });

  it('children at the same time count once, by the longest', () => {
    const { world, parent, ids } = parentOf(3);
    for (const id of ids) world.end(id, { progress: active(50) });
    world.begin();
    const next = world.delegate(parent, 'c2', 1) ?? '';
    world.begin();
    expect(world.run(world.runsOf(next)[0] ?? '').deadline).toEqual(about(450, parent));
  });

  it('it reaches every level below', () => {
    const { world, parent, ids } = parentOf(1);
    const [child = ''] = ids;
    world.tell(child, { type: 'progress', progress: active(20) });
    const inner = world.delegate(child, 'c2', 1) ?? '';
    world.begin();
    expect(world.run(world.runsOf(inner)[0] ?? '').deadline).toEqual(about(480, parent));
  });

  it('a child for which no time is left is not started', () => {
    const { world, parent, ids } = parentOf(2);
    const [first = '', second = ''] = ids;
    world.end(first, { progress: active(500) });
    world.exit(second, { exit: { code: 1, signal: null }, active: false });
    expect(world.state(second)).toBe('waiting: restart');
    world.decide((step) => decideRestart(step, second));
    expect(world.run(second)).toMatchObject({ outcome: 'timed_out' });
    expect(world.run(second).error).toContain('of [set 1] Parent passed');
    expect(world.run(parent).state).not.toBe('ended');
  });

  it('without any limit there is none', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    expect(world.run(run).deadline).toBeNull();
  });
});

describe('R7: a run in which nothing happens', () => {
  it('asks for attention until something happens again', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.tell(run, { type: 'idle', seconds: 450 });
    expect(world.run(run).idle_since).toBe(world.now - 450_000);
    world.tell(run, { type: 'idle', seconds: null });
    expect(world.run(run).idle_since).toBeNull();
  });

  it('is failed as stalled when its worker was ended because nothing came from it any more', () => {
    const world = new DelegationWorld();
    const [run = ''] = world.dispatch(1).run_ids;
    world.begin();
    world.exit(run, { exit: { code: null, signal: 'SIGKILL' }, silent: 'Nothing came from its worker for 570 s.' });
    expect(world.run(run)).toMatchObject({
      outcome: 'failed',
      exit_reason: 'stalled',
      failure_reason: 'stalled',
      error: 'Nothing came from its worker for 570 s.',
    });
  });
});
