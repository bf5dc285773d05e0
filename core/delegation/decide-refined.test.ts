import { expect, test } from 'vitest';
import { DelegationWorld, testReport, testTask } from '../testing/delegation.ts';
import { decideRefined } from './decide-refined.ts';
import { decideRetry } from './decide-retry.ts';

const LOST = { exit: null, proof: { method: 'unknown', reason: 'test' } } as const;

const refine = (world: DelegationWorld, run: string, change: Parameters<typeof testReport>[0] = {}): void =>
  world.decide((step) =>
    decideRefined(step, run, { type: 'ended', last_seq: 9, report: testReport(change), session: { v: 1 } }),
  );

test('T7: lost is refined once by the last word of its worker, and its set with it', () => {
  const world = new DelegationWorld();
  const { run_ids, delegation_id } = world.dispatch(2);
  const [a = '', b = ''] = run_ids;
  world.begin();
  world.exit(a, LOST);
  world.end(b);
  expect(world.run(a)).toMatchObject({ outcome: 'lost', exit_reason: 'unknown' });
  expect(world.tree.sets.get(delegation_id)).toMatchObject({ status: 'partial', totals: { lost: 1 } });
  refine(world, a, { answer: 'It was done.' });
  expect(world.run(a)).toMatchObject({ outcome: 'completed', exit_reason: 'done', failure_line: null, turns: 1 });
  expect(world.tree.facts.get(a)?.result).toMatchObject({ status: 'completed', summary: 'It was done.' });
  expect(world.tree.sets.get(delegation_id)).toMatchObject({ status: 'completed', revision: 1, totals: { lost: 0 } });
  const events = world.events.length;
  refine(world, a, { answer: 'Something else.' });
  expect(world.events).toHaveLength(events);
});

test('T7: the proof may say that it failed; what is not lost is never refined', () => {
  const world = new DelegationWorld();
  const [a = '', b = '', c = ''] = world.dispatch(3).run_ids;
  world.begin();
  world.exit(a, LOST);
  world.fail(b);
  refine(world, a, { answer: '', error: { reason: 'server_error', message: 'It broke' } });
  expect(world.run(a)).toMatchObject({ outcome: 'failed', failure_reason: 'server_error' });
  for (const run of [a, b, c]) {
    const before = world.run(run);
    refine(world, run);
    expect(world.run(run)).toEqual(before);
  }
});

test('T7: one that was tried again meanwhile stands for nothing: its set has no other result, and nobody need look at it', () => {
  const world = new DelegationWorld();
  const { run_ids, delegation_id } = world.dispatch(1);
  const [run = ''] = run_ids;
  world.begin();
  world.exit(run, LOST);
  world.decide((step) => decideRetry(step, run, testTask()));
  world.begin();
  world.end(world.runsOf(delegation_id)[0] ?? '');
  const before = world.tree.sets.get(delegation_id);
  refine(world, run, { answer: '', error: { reason: 'server_error', message: 'It broke' } });
  expect(world.run(run)).toMatchObject({ outcome: 'failed', seen: true });
  expect(world.tree.sets.get(delegation_id)).toMatchObject({
    revision: 1,
    ended_at: before?.ended_at,
    status: 'completed',
  });
});

test('T7, C5: the owner of the set gets its result again, marked revised; what it has used counts once', () => {
  const world = new DelegationWorld();
  const lead = world.lead();
  world.begin();
  const [child = ''] = world.runsOf(world.delegate(lead, 'c1', 1, false) ?? '');
  world.begin();
  world.exit(child, LOST);
  refine(world, child, { answer: 'It was done.' });
  const texts = [...world.tree.deliveries.values()].map(({ text }) => text);
  expect(texts).toHaveLength(2);
  expect(texts[1]).toMatch(/revised/i);
  expect(texts[1]).toContain('It was done.');
  expect(world.run(lead).total_tokens).toBe(world.run(child).total_tokens);
});
