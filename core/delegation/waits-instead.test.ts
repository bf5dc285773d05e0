import { expect, test } from 'vitest';
import type { AgentDefinition } from '../protocol/agents.ts';
import { DelegationWorld, testBatch } from '../testing/delegation.ts';
import { decideCall, decideSpawn } from './decide-call.ts';

/** One turn and no session: nothing can reach it after that. */
const ONE_SHOT: AgentDefinition = {
  id: 'one-shot',
  runner: 'cli',
  adapter: 'unheard-of',
  source: 'settings',
  description: '',
};

function parent(agent: string): { world: DelegationWorld; run: string; delegate: (wait: boolean) => string[] } {
  const world = new DelegationWorld({ concurrency: 1 });
  world.agents.set(ONE_SHOT.id, ONE_SHOT);
  const [run = ''] = world.dispatch([{ agent }]).run_ids;
  world.begin();
  const delegate = (wait: boolean): string[] => {
    const args = { goal: 'Look at it', wait };
    world.decide((step) => decideCall(step, run, { call_id: 'c1', tool: 'delegate_task', arguments: args }));
    world.decide((step) => decideSpawn(step, run, 'c1', testBatch(1), wait));
    return world.runsOf(world.tree.calls.get(`${run}/c1`)?.delegation_id ?? '');
  };
  return { world, run, delegate };
}

const answerOf = (world: DelegationWorld, run: string) => world.tree.calls.get(`${run}/c1`)?.answer ?? null;

test('P6, R1: a parent that cannot hear later waits instead, gives its place back, and is told with the result', () => {
  const { world, run, delegate } = parent(ONE_SHOT.id);
  const [child = ''] = delegate(false);
  expect(answerOf(world, run)).toBeNull();
  expect(world.state(run)).toBe('waiting: children');
  world.begin();
  expect(world.state(child)).toBe('running');
  world.end(child, { answer: 'Found three.' });
  world.begin();
  expect(world.state(run)).toBe('running');
  expect(world.framesTo(run)).toMatchObject([{ type: 'call_result', call_id: 'c1', background: null }]);
  expect(answerOf(world, run)?.text).toMatch(/^You asked not to wait\. .*waited for them instead\.\n\nResult of set 2/);
  expect(answerOf(world, run)?.text).toContain('Found three.');
});

test('P6: one that asked to wait is told nothing of it; one that hears later goes on', () => {
  const waits = parent(ONE_SHOT.id);
  const [child = ''] = waits.delegate(true);
  waits.world.wait(waits.run, 'children');
  waits.world.begin();
  waits.world.end(child);
  expect(answerOf(waits.world, waits.run)?.text).toMatch(/^Result of set 2/);
  const hears = parent('general');
  hears.delegate(false);
  expect(answerOf(hears.world, hears.run)?.text).toContain('Running in the background');
  expect(hears.world.state(hears.run)).toBe('running');
});
