import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoreLab, value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';
import { until } from '../../../testing/process-trees.ts';
import { RunWatch } from '../../../testing/run-watch.ts';

const CALLER = { client: 'test' };

const command = (goal: string, more: object = {}) => ({ goal, agent: 'command', ...more });

/** What a dispatch of these tasks to the built-in agent is answered. */
async function refusal(lab: ModelLab, batch: unknown) {
  const project_id = await lab.lab.project();
  const client_token = lab.token();
  return lab.service.batches.dispatch({ project_id, conversation_id: null, batch, client_token }, CALLER);
}

test('cases 1, 2, 3, 6, 7: one bad task and nothing is there: no row, worktree, process or request', async () => {
  await using lab = await ModelLab.open([{ turns: ['Never asked.'] }]);
  const good = { goal: 'Write a good test of it', isolation: 'worktree' };
  const bad: [tasks: unknown[], at: RegExp][] = [
    [[good, { goal: 'TODO' }], /task 2.*placeholder/is],
    [[good, { goal: '"todo"' }], /task 2/i],
    [[good, { goal: 'Task 123456789' }], /task 2/i],
    [[good, { goal: 'Implement <feature_name> with tests' }], /task 2.*template/is],
    [[good, { goal: 'Fix tests' }], /task 2.*(short|10)/is],
    [[good, { goal: 'Say what it is', output_schema: { type: 'strnig' } }, good], /task 2.*\/type/is],
    [[good, { goall: 'Say what it is' }], /task 2.*did you mean.*goal/is],
    [[good, { goal: 'Say what it is', agent: 'explorr' }], /task 2.*did you mean.*explorer/is],
  ];
  for (const [tasks, at] of bad) {
    const answer = await refusal(lab, { tasks });
    expect(answer).toMatchObject({ ok: false, error: { code: 'invalid_batch' } });
    expect(JSON.stringify(answer)).toMatch(at);
    expect(JSON.stringify(answer)).toContain('"task_index":1');
  }
  expect(value(await lab.service.conversations.list({ all: true }, CALLER))).toEqual([]);
  expect(value(await lab.service.app.info(undefined, CALLER)).at_work).toBe(0);
  expect(lab.lab.git.git(['worktree', 'list']).split('\n')).toHaveLength(1);
  expect(lab.lab.git.branches()).toEqual([]);
  expect(lab.model.requests).toEqual([]);
});

test('case 4: 30 tasks at cap 10 end, never more than 10 at work, in order; a set of 2 sent meanwhile starts before the last', async () => {
  await using lab = await CoreLab.open();
  // Whoever comes first waits, so that the second set is there while the first is at work.
  const tasks = Array.from({ length: 30 }, (_, n) => command(n < 10 ? 'until [ -f go ]; do sleep 0.02; done' : 'true'));
  const more = { max_concurrent: 10, defaults: { isolation: 'none' as const } };
  const big = await lab.dispatch(tasks, more);
  await using watch = new RunWatch(lab.core, big.conversation_id);
  await watch.until((rows) => rows.filter(({ state }) => state === 'running').length === 10);
  const small = await lab.dispatch([command('true'), command('true')], more);
  await using other = new RunWatch(lab.core, small.conversation_id);
  await other.until((rows) => rows.length === 2);
  lab.git.write('go', '');
  expect((await lab.ended(big, 90_000)).totals).toMatchObject({ completed: 30 });
  expect((await lab.ended(small)).totals).toMatchObject({ completed: 2 });
  expect(watch.rows.size).toBe(30);
  expect(watch.started).toEqual(big.run_ids);
  expect(watch.mostAtWork).toBe(10);
  const startOf = (rows: RunWatch, run = ''): number => rows.rows.get(run)?.started_at ?? Number.NaN;
  for (const run of small.run_ids) expect(startOf(other, run)).toBeLessThan(startOf(watch, big.run_ids.at(-1)));
}, 120_000);

test('case 9, R10: a → b → c run in order with outputs as data; when a fails, b and c end stopped by dependency', async () => {
  await using lab = await CoreLab.open();
  const none = { defaults: { isolation: 'none' as const } };
  const chain = [
    command(`printf 'of a: $(touch pwned) ; touch pwned'`, { id: 'a' }),
    command('printf "b got %s" {outputs.a}', { id: 'b', depends_on: ['a'] }),
    command('printf "%s" "c got {outputs.b}"', { id: 'c', depends_on: ['b'] }),
  ];
  const { results } = await lab.ended(await lab.dispatch(chain, none));
  expect(results.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  expect(results[2]?.summary).toBe('c got b got of a: $(touch pwned) ; touch pwned');
  expect(existsSync(join(lab.git.project, 'pwned'))).toBe(false);
  const broken = [command('exit 3', { id: 'a' }), ...chain.slice(1)];
  const failed = await lab.ended(await lab.dispatch(broken, none));
  expect(failed.status).toBe('failed');
  expect(failed.results.map(({ status, exit_reason }) => `${status} ${exit_reason}`)).toEqual([
    'failed error',
    'stopped dependency',
    'stopped dependency',
  ]);
});

test('cases 10, 12: sets of 9 and 3 at once carry set 1 and set 2 on every row, a nested one the next number; a second conversation begins at 1', async () => {
  const call = { name: 'delegate_task', arguments: { goal: 'A child all alone', wait: true } };
  await using lab = await ModelLab.open([
    { match: { user: 'A child' }, turns: ['Hello.'] },
    { turns: [[{ wait_for: 'go' }, { tool_call: call }], 'It said hello.'] },
  ]);
  value(await lab.runs.pause({ id: null }));
  const nine = await lab.dispatch(Array.from({ length: 9 }, (_, n) => ({ goal: `Task of equal shape ${n}` })));
  const project_id = await lab.lab.project();
  const inSame = async (goals: string[]) => {
    const batch = { tasks: goals.map((goal) => ({ goal })) };
    const { conversation_id } = nine;
    return value(
      await lab.service.batches.dispatch({ project_id, conversation_id, batch, client_token: lab.token() }, CALLER),
    );
  };
  const three = await inSame(Array.from({ length: 3 }, (_, n) => `Task of equal shape ${n}`));
  const rows = async () => value(await lab.service.conversations.show({ id: nine.conversation_id }, CALLER)).runs;
  const tags = (await rows()).map(({ set, delegation_id, tag }) => `${String(set)} ${String(delegation_id)} ${tag}`);
  expect(tags).toEqual([
    ...Array.from({ length: 9 }, (_, n) => `1 ${nine.delegation_id} [set 1 · ${n + 1}/9]`),
    ...Array.from({ length: 3 }, (_, n) => `2 ${three.delegation_id} [set 2 · ${n + 1}/3]`),
  ]);
  await lab.lab.stop(nine.conversation_id);
  value(await lab.runs.resume({ id: null }));
  const alone = await inSame(['Delegate to a child']);
  expect((await lab.lab.row(alone.run_ids[0] ?? '')).tag).toBe('[set 3]');
  await lab.model.waitForGate('go');
  lab.model.release('go');
  await lab.lab.ended(alone);
  expect((await rows()).at(-1)).toMatchObject({ tag: '[set 4]', set: 4, parent_run_id: alone.run_ids[0] });
  await lab.restart();
  expect((await rows()).map(({ tag }) => tag).slice(0, 12)).toEqual(
    (await rows())
      .slice(0, 12)
      .map(({ set, task_index }) => `[set ${set} · ${(task_index ?? 0) + 1}/${set === 1 ? 9 : 3}]`),
  );
  value(await lab.runs.pause({ id: null }));
  const second = await lab.dispatch([{ goal: 'Another conversation' }]);
  expect(second).toMatchObject({ set: 1 });
  await lab.lab.stop(second.conversation_id);
  await until('all to end', async () => value(await lab.service.app.info(undefined, CALLER)).at_work === 0);
});
