import { expect, test } from 'vitest';
import type { Change } from '../../core/protocol/feed.ts';
import { FAKE_APP } from '../../core/testing/fake-core.ts';
import * as projects from '../commands/projects.ts';
import { run } from '../commands/run.ts';
import { PROJECT, world as commandWorld } from '../testing/command-world.ts';
import { givenArguments } from '../testing/fake-context.ts';
import { ANSWER, following, over, world } from '../testing/run-world.ts';

const LOCKED = 'Another program holds a lock on project.db. Close it; writing goes on by itself once the lock is gone.';
const app = (storage_banner: string | null): Change => ({ type: 'app', row: { ...FAKE_APP, storage_banner } });

test('D6: while a set cannot be stored it is said once what is waited for; then it goes on, and nobody listens any more', async () => {
  const stored = Promise.withResolvers<typeof ANSWER>();
  const { context, core, publish, calls, seen } = world({ 'batches.dispatch': () => stored.promise });
  const running = run(context, givenArguments(['b.json'], { json: true }));
  await expect.poll(() => calls('batches.dispatch')).toHaveLength(1);
  await following(core);
  publish(app(LOCKED));
  await expect.poll(() => seen.notes).toEqual([LOCKED]);
  publish(app(null));
  await expect.poll(() => seen.notes).toEqual([LOCKED, 'Everything can be stored again; work goes on.']);
  expect([seen.out, core.hub.canAnswer]).toEqual(['', false]);
  stored.resolve(ANSWER);
  // Now the set is followed; until it is, nobody would hear of its end.
  const end = setInterval(() => publish(over('completed')), 20);
  expect(await running.finally(() => clearInterval(end))).toBe(0);
  expect(core.hub.subscriptions).toBe(0);
});

test('D6: so does every other command that waits', async () => {
  const attached = Promise.withResolvers<typeof PROJECT>();
  const { context, core, publish, seen } = commandWorld({ 'projects.add': () => attached.promise });
  const running = projects.add(context, givenArguments(['.']));
  await following(core);
  publish(app(LOCKED));
  await expect.poll(() => seen.notes).toEqual([LOCKED]);
  attached.resolve(PROJECT);
  expect(await running).toBe(0);
  expect(core.hub.subscriptions).toBe(0);
});
