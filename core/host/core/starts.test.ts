import { expect, test } from 'vitest';
import type { Step } from '../../delegation/step.ts';
import { DelegationWorld } from '../../testing/delegation.ts';
import type { ProjectEngine } from '../engine/project-engine.ts';
import { Starts, type StartsDeps } from './starts.ts';

/** A run whose attempt is being prepared; nothing is stored before `store` is resolved. */
function preparing() {
  const world = new DelegationWorld();
  const [run = ''] = world.dispatch([{ isolation: 'none' }]).run_ids;
  world.grant();
  const store = Promise.withResolvers<undefined>();
  let asked = Promise.withResolvers<undefined>();
  const engine = {
    projectId: 'proj_1',
    tree: () => world.tree,
    fact: async (_: string, decide: (step: Step) => unknown) => {
      asked.resolve(undefined);
      await store.promise;
      world.decide((step) => void decide(step));
    },
  } as unknown as ProjectEngine;
  const cancelled: string[] = [];
  const project = { project_id: 'proj_1', path: '/p', scripted: true };
  const starts = new Starts({
    attempts: { begin: () => 'token', cancel: (id: string) => void cancelled.push(id) },
    projects: () => ({ get: () => project }),
    demo: { isReady: false, ready: () => Promise.resolve() },
    environment: {},
    home: '/data',
  } as unknown as StartsDeps);
  const attempt = world.tree.facts.get(run)?.attempt_id ?? '';
  asked = Promise.withResolvers();
  starts.begin(engine, 'conv_1', run, attempt);
  return { world, run, attempt, starts, store, cancelled, storing: asked.promise };
}

test('D5: a core that goes while the start of a run is being stored leaves the run to the next core; nobody has stopped it', async () => {
  const { world, run, attempt, starts, store, cancelled, storing } = preparing();
  await storing;
  const closed = starts.close();
  store.resolve(undefined);
  await closed;
  expect(world.run(run)).toMatchObject({ state: 'waiting', reason: 'restart', outcome: null });
  expect(cancelled).toEqual([attempt]);
});

test('C3: a run that is stopped in that moment is stopped, also when the core goes', async () => {
  const { world, run, attempt, starts, store, cancelled, storing } = preparing();
  await storing;
  world.stop(run);
  expect([world.state(run), starts.stop(run)]).toEqual(['stopping', true]);
  const closed = starts.close();
  store.resolve(undefined);
  await closed;
  expect(world.run(run)).toMatchObject({ state: 'ended', outcome: 'stopped' });
  expect(cancelled).toEqual([attempt]);
});
