import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { value } from '../../../testing/core-lab.ts';
import { ModelLab } from '../../../testing/model-lab.ts';
import { RunWatch } from '../../../testing/run-watch.ts';

const CALLER = { client: 'test' };

const delegate = (...goals: string[]) => ({
  tool_call: { name: 'delegate_task', arguments: { wait: true, tasks: goals.map((goal) => ({ goal })) } },
});

/** All tool results that the lead, or the run of that scripted conversation, was given, in order. */
function toolResults(lab: ModelLab, conversation: string): string[] {
  const last = lab.model.requests.findLast((entry) => entry.conversation === conversation);
  return (last?.request.texts ?? []).filter(({ role }) => role === 'tool').map(({ text }) => text);
}

const runsOf = async (lab: ModelLab, id: string) => value(await lab.service.conversations.show({ id }, CALLER)).runs;

test('cases 26, 27: turn, fan-out and depth caps refuse whole calls, charge nothing for them, and say which setting', async () => {
  await using lab = await ModelLab.open(
    [
      { name: 'child', match: { user: 'Child' }, turns: [delegate('Child of a child'), 'Child done.'] },
      {
        name: 'lead',
        turns: [
          delegate('Child one of three', 'Child two of three', 'Child three of three'),
          delegate('Child one of two', 'Child two of two'),
          delegate('Child three of four', 'Child four of four'),
          delegate('Child three alone'),
          [{ tool_call: { name: 'delegate_task', arguments: { goal: 'Child four of four', wait: 'perhaps' } } }],
          'Enough.',
        ],
      },
    ],
    { limits: { fanOut: 3, fanOutPerTurn: 2, maxDepth: 1 } },
  );
  const lead = await lab.say('Delegate more and more');
  await lab.until(lead.run_id, 'waiting: user');
  const [turnCap, ran, fanOut, lastPlace, oddWait] = toolResults(lab, 'lead');
  expect(turnCap).toMatch(
    /refused: 0 runs .* cap is 2 \(setting limits\.fanOutPerTurn\).* needs 3\. Nothing was started/,
  );
  expect(ran).toMatch(/Result of set 1.*Child done\..*Child done\./s);
  expect(fanOut).toMatch(/refused: 2 of 3 runs are used below run_\w+ \(setting limits\.fanOut\).* needs 2/);
  expect(lastPlace).toMatch(/Result of set 2.*Child done\./s);
  expect(oddWait).toMatch(/wait must be true or false.*Nothing was started/);
  expect(toolResults(lab, 'child')).toEqual([
    expect.stringMatching(/refused.*depth 1.*cap \(setting limits\.maxDepth\) is 1/),
  ]);
  expect(await runsOf(lab, lead.conversation_id)).toHaveLength(4);
});

test('case 26: a retry takes no place, and what a child delegates counts against the root', async () => {
  await using lab = await ModelLab.open(
    [
      { name: 'leaf', match: { user: 'Leaf' }, turns: ['Leaf done.'] },
      {
        match: { user: 'Branch' },
        by: 'requests',
        turns: [delegate('Leaf below the branch'), [{ stop: 'content_filter' }], 'Branch done.'],
      },
      {
        name: 'lead',
        turns: [delegate('Branch with a leaf'), delegate('Leaf one of two', 'Leaf two of two'), 'Enough.'],
      },
    ],
    { limits: { fanOut: 3 } },
  );
  const lead = await lab.say('Delegate more and more');
  await lab.until(lead.run_id, 'waiting: user');
  const [branch, refused] = toolResults(lab, 'lead');
  expect(branch).toContain('failed');
  expect(refused).toMatch(/refused: 2 of 3 runs/);
  const failed = (await runsOf(lab, lead.conversation_id)).find(({ outcome }) => outcome === 'failed');
  const again = value(await lab.runs.retry({ run_id: failed?.run_id ?? '', client_token: 'again' }));
  await lab.until(again.run_id, 'ended');
  expect(await lab.lab.row(again.run_id)).toMatchObject({ outcome: 'completed', retry_of: failed?.run_id });
});

test('B34: children that spawn for ever meet hard caps on depth, breadth, lifetime total and concurrency', async () => {
  const five = Array.from({ length: 5 }, (_, n) => delegate(`Child number ${n} of five`));
  await using lab = await ModelLab.open([{ name: 'any', turns: [five], repeat_last: true }], {
    limits: { maxDepth: 2, fanOut: 8, concurrency: 3, maxTurns: 3 },
  });
  const set = await lab.dispatch([{ goal: 'Spawn for ever' }]);
  await using watch = new RunWatch(lab.lab.core, set.conversation_id);
  const root = (await lab.lab.ended(set, 60_000)).results[0];
  expect(root).toMatchObject({ truncated: true, exit_reason: 'max_turns' });
  const rows = await runsOf(lab, set.conversation_id);
  expect(rows).toHaveLength(1 + 8);
  expect(Math.max(...rows.map(({ depth }) => depth))).toBe(2);
  expect(rows.every(({ state }) => state === 'ended')).toBe(true);
  expect(watch.mostAtWork).toBeLessThanOrEqual(3);
  const refused = toolResults(lab, 'any').filter((text) => /refused/i.test(text));
  expect(refused.length).toBeGreaterThan(0);
}, 60_000);

test('B34: sequential spawns, one at a time, end at the lifetime total', async () => {
  await using lab = await ModelLab.open(
    [
      { match: { user: 'Leaf' }, turns: ['Leaf done.'] },
      { name: 'root', turns: [delegate('Leaf and nothing else')], repeat_last: true },
    ],
    { limits: { fanOut: 2, maxTurns: 4 } },
  );
  const set = await lab.dispatch([{ goal: 'One after the other' }]);
  await lab.lab.ended(set);
  expect(await runsOf(lab, set.conversation_id)).toHaveLength(1 + 2);
  expect(toolResults(lab, 'root')[2]).toMatch(/refused: 2 of 2 runs .*limits\.fanOut/);
});

test('B34: after Stop on the root while its children start, nothing starts, also under the next core', async () => {
  const five = Array.from({ length: 5 }, (_, n) => `Child number ${n} of five`);
  await using lab = await ModelLab.open(
    [
      { name: 'child', match: { user: 'Child' }, turns: [[{ wait_for: 'never' }, { text: 'Child done.' }]] },
      { name: 'root', turns: [delegate(...five), 'Root done.'] },
    ],
    { limits: { concurrency: 2 } },
  );
  const set = await lab.dispatch([{ goal: 'Spawn and be stopped' }]);
  await lab.model.waitForRequest(({ conversation }) => conversation === 'child');
  await lab.lab.stop(set.run_ids[0] ?? '');
  const requests = lab.model.requests.length;
  const stopped = await runsOf(lab, set.conversation_id);
  expect(stopped.map(({ state, outcome }) => `${state} ${outcome ?? ''}`)).toEqual(Array(6).fill('ended stopped'));
  expect(stopped.filter(({ started_at }) => started_at === null).length).toBeGreaterThanOrEqual(3);
  await lab.restart();
  expect(await runsOf(lab, set.conversation_id)).toEqual(stopped);
  expect(lab.model.requests).toHaveLength(requests);
});

/** Names of the tools that the first request of a scripted conversation offers. */
function offered(lab: ModelLab, conversation: string): string[] {
  const request = lab.model.requests.find((entry) => entry.conversation === conversation);
  return ((request?.body['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
}

test('case 50, K3: a child is offered what its own list and the ceiling above have in common; an empty list is nothing', async () => {
  const child = (goal: string, more: object) => ({ goal, ...more });
  const tasks = [
    child('Child with two tools', { tools: ['read', 'bash'] }),
    child('Child with an empty list', { tools: [] }),
    child('Child without a list', {}),
  ];
  await using lab = await ModelLab.open([
    { name: 'two', match: { user: 'two tools' }, turns: ['Done.'] },
    { name: 'empty', match: { user: 'empty list' }, turns: ['Done.'] },
    { name: 'none', match: { user: 'without a list' }, turns: ['Done.'] },
    { name: 'parent', turns: [{ tool_call: { name: 'delegate_task', arguments: { tasks } } }, 'All done.'] },
  ]);
  await lab.lab.ended(await lab.dispatch([{ goal: 'Parent', tools: ['read', 'grep', 'delegate_task'] }]));
  expect(offered(lab, 'parent')).toEqual(['read', 'grep', 'delegate_task']);
  expect(offered(lab, 'two')).toEqual(['read']);
  expect(offered(lab, 'empty')).toEqual([]);
  expect(offered(lab, 'none').filter((name) => name !== 'delegate_task')).toEqual(['read', 'grep']);
});

test('case 50: a malformed ceiling starts nothing: of a task it is refused, of an agent the settings are', async () => {
  await using lab = await ModelLab.open([{ turns: ['Never asked.'] }]);
  const project_id = await lab.lab.project();
  const dispatch = (tools: unknown) => {
    const batch = { tasks: [{ goal: 'Whatever it may be', agent: 'general', tools }] };
    return lab.service.batches.dispatch(
      { project_id, conversation_id: null, batch, client_token: lab.token() },
      CALLER,
    );
  };
  for (const tools of ['read', { read: true }, [7], ['reed']]) {
    expect(await dispatch(tools)).toMatchObject({ ok: false, error: { code: 'invalid_batch' } });
  }
  const agents = { bad: { runner: 'builtin', tools: 'read' } };
  expect(await lab.service.settings.set({ key: 'agents', value: agents }, CALLER)).toMatchObject({ ok: false });
  expect(lab.model.requests).toEqual([]);
});

test('A3, S1: a model gets no image from outside of the project by a task that names it, also through a link; null is left out', async () => {
  const call = (images: string[]) => ({
    tool_call: { name: 'delegate_task', arguments: { action: null, wait: true, goal: 'Child with a picture', images } },
  });
  await using lab = await ModelLab.open([
    { name: 'child', match: { user: 'Child' }, turns: ['Child done.'] },
    {
      name: 'lead',
      turns: [call(['../outside.png']), call(['in.png', 'link.png']), call(['in.png']), 'Enough.'],
    },
  ]);
  const { git } = lab.lab;
  writeFileSync(join(git.root, 'outside.png'), '');
  symlinkSync(join(git.root, 'outside.png'), join(git.project, 'link.png'));
  git.write('in.png', '');
  const lead = await lab.say('Have pictures looked at');
  await lab.until(lead.run_id, 'waiting: user');
  const [outside, link, inside] = toolResults(lab, 'lead');
  expect(outside).toMatch(/Task 1: the image \.\.\/outside\.png is not in the project/);
  expect(link).toMatch(/Task 1: the image link\.png is not in the project/);
  expect(inside).toContain('Child done.');
  expect(await runsOf(lab, lead.conversation_id)).toHaveLength(2);
});
